import { env, exports } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import worker from '../../src/index.ts'

type Incoming = Parameters<typeof worker.fetch>[0]

const ORIGIN = 'https://hub.example.com'
const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

function get(path: string, init: RequestInit = {}, origin = ORIGIN): Promise<Response> {
  return exports.default.fetch(new Request(origin + path, init))
}

describe('the start page', () => {
  it('is a page for a browser, and for a client that names no type', async () => {
    for (const headers of [BROWSER, { accept: '*/*' }, {}]) {
      const response = await get('/', { headers })
      expect(response.status).toBe(200)
      expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(await response.text()).toMatch(/^<!doctype html>/)
    }
  })

  it("lists the hub's addresses, at the origin of the request, for a program that asks for JSON", async () => {
    const response = await get(
      '/',
      { headers: { accept: 'application/json' } },
      'https://pay.shop.example:8443',
    )
    expect(response.headers.get('vary')).toBe('Accept')
    expect(await response.json()).toMatchObject({
      documents: 'https://pay.shop.example:8443/docs',
      openapi: 'https://pay.shop.example:8443/openapi.json',
    })
  })
})

describe('a file of the site', () => {
  it('comes with headers that let it load only from the hub', async () => {
    const { headers } = await get('/docs', { headers: BROWSER })
    const policy = headers.get('content-security-policy')
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("script-src 'self';")
    expect(policy).not.toContain('unsafe')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.get('strict-transport-security')).toContain('max-age=')
    expect(headers.get('cache-control')).toBe('no-cache')
  })

  it.each(['/openapi.json', '/client.js', '/docs'])(
    'may be read by the page of another site: %s',
    async (path) => {
      const headers = { ...BROWSER, origin: 'https://till.example.com' }
      const first = await get(path, { headers })
      const again = await get(path, {
        headers: { ...headers, 'if-none-match': first.headers.get('etag') ?? '' },
      })
      expect([first.status, again.status]).toEqual([200, 304])
      for (const response of [first, again])
        expect(response.headers.get('access-control-allow-origin')).toBe('*')
    },
  )

  it('is a 304 without a body for a browser that has it already', async () => {
    const etag = (await get('/assets/site.css')).headers.get('etag') ?? ''
    expect(etag).toMatch(/^"\w+"$/)
    for (const known of [etag, `W/${etag}`]) {
      const response = await get('/assets/site.css', { headers: { 'if-none-match': known } })
      expect(response.status).toBe(304)
      expect(response.headers.get('etag')).toBe(etag)
      expect(await response.text()).toBe('')
    }
    expect((await get('/assets/site.css', { headers: { 'if-none-match': '"other"' } })).status).toBe(200)
  })

  it('answers HEAD as GET, without the body', async () => {
    const [head, full] = await Promise.all([get('/', { method: 'HEAD' }), get('/')])
    expect(head.status).toBe(200)
    expect(await head.text()).toBe('')
    expect(head.headers.get('etag')).toBe(full.headers.get('etag'))
    expect(head.headers.get('content-type')).toBe(full.headers.get('content-type'))
  })

  it.each([
    ['/assets/site.css', 'text/css; charset=utf-8'],
    ['/assets/till.js', 'text/javascript; charset=utf-8'],
    ['/docs/guide', 'text/html; charset=utf-8'],
    ['/docs/operator-reference', 'text/html; charset=utf-8'],
    ['/openapi.json', 'application/json'],
    ['/operator/openapi.json', 'application/json'],
    ['/client.js', 'text/javascript; charset=utf-8'],
    ['/client.d.ts', 'text/plain; charset=utf-8'],
    ['/client.php', 'text/plain; charset=utf-8'],
    ['/client.py', 'text/plain; charset=utf-8'],
    ['/kit.tgz', 'application/gzip'],
    ['/docs/guide.md', 'text/markdown; charset=utf-8'],
    ['/llms.txt', 'text/plain; charset=utf-8'],
    ['/favicon.svg', 'image/svg+xml'],
    ['/favicon.ico', 'image/svg+xml'],
    ['/robots.txt', 'text/plain; charset=utf-8'],
    ['/docs', 'text/html; charset=utf-8'],
    ['/docs/', 'text/html; charset=utf-8'],
  ])('%s is %s', async (path, type) => {
    const response = await get(path)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe(type)
  })

  it('of the docs has one address, and browsers keep it if its name contains its hash', async () => {
    const slash = await get('/docs/guide/', { redirect: 'manual' })
    expect([slash.status, slash.headers.get('location')]).toEqual([308, '/docs/guide'])
    const [asset = ''] = /\/docs\/assets\/[^"]+\.js/.exec(await (await get('/docs/guide')).text()) ?? []
    const response = await get(asset)
    expect(response.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    expect(response.headers.get('cache-control')).toContain('immutable')
    expect((await get('/docs/hashmap.json')).status).toBe(200)
  })

  it('has the origin of the hub in samples, also in those that the script shows', async () => {
    const page = await (await get('/docs/guide', {}, 'https://pay.shop.example:8443')).text()
    const [script = ''] = /\/docs\/assets\/guide\.md\.[^"]+?\.js/.exec(page) ?? []
    const whole = script.replace('.lean.js', '.js')
    const shown = await (await get(whole, {}, 'https://pay.shop.example:8443')).text()
    for (const text of [page, shown]) {
      expect(text).toContain('https://pay.shop.example:8443')
      expect(text).not.toMatch(/hub\.(invalid|example\.com)/)
    }
  })

  it('never has the placeholder of the origin, nor an origin that breaks out of an attribute', async () => {
    const request = new Request('https://a"b&c\'d.example.com/', { headers: { accept: 'application/json' } })
    const text = await (await worker.fetch(request as Incoming, env)).text()
    expect(text).not.toContain('hub.invalid')
    expect(text).toContain('"https://abcd.example.com/docs"')
  })

  it('of the kit has the origin of the hub, and the same bytes each time', async () => {
    const kitOf = async (origin: string) =>
      new Uint8Array(await (await get('/kit.tgz', {}, origin)).arrayBuffer()).join()
    const [first, again, other] = await Promise.all(
      [ORIGIN, ORIGIN, 'https://pay.shop.example:8443'].map(kitOf),
    )
    expect(first).toBe(again)
    expect(first).not.toBe(other)
  })

  it('is served only to GET and HEAD', async () => {
    const response = await get('/docs', { method: 'POST', body: 'x' })
    expect(response.status).toBe(405)
    expect(response.headers.get('allow')).toBe('GET, HEAD')
  })
})

describe('an unknown address', () => {
  const NOTHING = [
    '/docs/nothing-here',
    '/docs/a/b',
    '/docs/../docs/no',
    '/assets/none.js',
    '/assets',
    '/docs/404.html',
    '/docs/.built',
    '/docs/assets/none.js',
  ]

  it.each(NOTHING)('%s is a page with links, for a browser', async (path) => {
    const response = await get(path, { headers: BROWSER })
    expect(response.status).toBe(404)
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(await response.text()).toContain('href="/docs"')
  })

  it.each(NOTHING)('%s is a problem for a program', async (path) => {
    const response = await get(path)
    expect(response.status).toBe(404)
    expect(response.headers.get('content-type')).toBe('application/problem+json')
  })
})

it('a hub without the files of the site answers 404 for them, and serves its APIs', async () => {
  const without: Partial<Env> = { ...env }
  delete without.ASSETS
  const ask = (path: string) =>
    worker.fetch(new Request(ORIGIN + path, { headers: BROWSER }) as Incoming, without as Env)
  for (const path of ['/', '/docs', '/favicon.ico']) expect((await ask(path)).status, path).toBe(404)
  expect((await ask('/v1/guardian')).status).toBe(401)
})

it('a local hub whose documents are being built shows the page that says so', async () => {
  const building = async () => new Response('being built', { status: 503, headers: { 'retry-after': '2' } })
  const local: Partial<Env> = { ...env, ASSETS: { ...env.ASSETS, fetch: building } }
  const response = await worker.fetch(
    new Request(`${ORIGIN}/docs`, { headers: BROWSER }) as Incoming,
    local as Env,
  )
  expect(response.status).toBe(503)
  expect(await response.text()).toBe('being built')
})
