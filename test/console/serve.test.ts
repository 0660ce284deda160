import { describe, expect, it } from 'vitest'
import { serveConsole } from '../../src/console/serve.tsx'
import { HOSTILE, JOB } from './answers/world.ts'
import { ORIGIN, SEALING_KEY, get, post } from './console-client.ts'
import { operatorApiDouble } from './operator-api-double.ts'

function stranger() {
  return operatorApiDouble({
    answers: { 'GET /me': Response.json({ code: 'credentials-missing', status: 401 }, { status: 401 }) },
  })
}

describe('a visitor who has not signed in', () => {
  it.each(['/console', '/console/payments', '/console/reports'])(
    'is one question to the API, and so one line of the log: %s',
    async (path) => {
      const api = stranger()
      expect((await get(path, api)).status).toBe(303)
      expect(api.asked).toHaveLength(1)
    },
  )

  it('goes to the sign-in page, and from there back to the page', async () => {
    const response = await get('/console/payments?q=A-1', stranger())
    expect(response.status).toBe(303)
    expect(response.headers.get('location')).toBe('/console/sign-in?to=%2Fconsole%2Fpayments%3Fq%3DA-1')
    const page = await (await get('/console/sign-in?to=%2Fconsole%2Fpayments%3Fq%3DA-1', stranger())).text()
    expect(page).toContain('name="to" value="/console/payments?q=A-1"')
  })

  it.each([
    'https://evil.example/console',
    '//evil.example/console',
    '/\\evil.example/console',
    '/consoles',
    '/operator/v1/pos',
    'javascript:alert(1)',
    '/console/../operator',
    '/console/sign-out',
  ])('is not sent to %s', async (to) => {
    const api = operatorApiDouble({
      answers: { 'POST /sessions': { session: 's', until: '2999-01-01T00:00:00Z' } },
    })
    const response = await post('/console/sign-in', api, { token: 'good', to })
    expect(response.headers.get('location')).toBe('/console')
  })
})

describe('signing in', () => {
  const begun = { 'POST /sessions': { session: 'the-session', until: '2999-01-01T00:00:00Z' } }

  it('trades the token for a session, in a cookie that neither scripts nor other sites can read', async () => {
    const api = operatorApiDouble({ answers: begun })
    const response = await post('/console/sign-in', api, { token: ' good ' })
    expect(api.asked[0]?.headers.get('authorization')).toBe('Bearer good')
    expect(response.headers.get('set-cookie')).toMatch(
      /^__Host-hub-session=the-session; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Strict; Secure$/,
    )
  })

  it.each([
    { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
    { origin: ORIGIN, 'sec-fetch-site': 'same-site' },
    { origin: 'null', 'sec-fetch-site': 'same-origin' },
  ])('refuses a form from another site: %j', async (headers) => {
    const api = operatorApiDouble({ answers: begun })
    const response = await post('/console/sign-in', api, { token: 'good' }, headers)
    expect(response.status).toBe(403)
    expect(api.asked).toEqual([])
  })

  it.each(['', 'two words', 'line\r\nbreak', 'ünknown'])('does not send %j as a token', async (token) => {
    const api = operatorApiDouble({ answers: begun })
    const response = await post('/console/sign-in', api, { token, to: '/console/payments?q=A-1' })
    expect(response.status).toBe(401)
    const html = await response.text()
    expect(html).toContain('The hub does not know this token.')
    // After a mistyped token the operator still reaches the page that they wanted.
    expect(html).toContain('name="to" value="/console/payments?q=A-1"')
    expect(api.asked).toEqual([])
  })
})

describe('a page', () => {
  it("passes only the visitor's identity and the form's origin on to the API", async () => {
    const api = operatorApiDouble()
    const request = new Request(`${ORIGIN}/console/payments/${JOB}`, {
      headers: {
        cookie: '__Host-hub-session=s',
        'cf-access-jwt-assertion': 'proof',
        'cf-connecting-ip': '203.0.113.9',
        authorization: 'Bearer of-somebody',
      },
    })
    await serveConsole(request, api.ask, SEALING_KEY)
    for (const { headers } of api.asked) {
      expect(headers.get('cookie')).toBe('__Host-hub-session=s')
      expect(headers.get('cf-access-jwt-assertion')).toBe('proof')
      expect(headers.get('cf-connecting-ip')).toBe('203.0.113.9')
      expect(headers.get('authorization')).toBeNull()
    }
  })

  it('loads only from the hub, runs no inline script, and is not stored', async () => {
    const response = await get('/console', operatorApiDouble())
    const policy = response.headers.get('content-security-policy')
    expect(policy).toContain("default-src 'none'")
    expect(policy).not.toContain('unsafe')
    expect(response.headers.get('cache-control')).toBe('no-store')
    const html = await response.text()
    expect(html).not.toMatch(/<script(?! type="module" src="\/assets\/console\.js")/)
    expect(html).not.toMatch(/ style="| on\w+="/)
  })

  it.each([
    '/console',
    '/console/payments',
    `/console/payments/${JOB}`,
    '/console/points-of-sale',
    '/console/accounts',
    '/console/reports',
    '/console/audit',
    '/console/settings/tokens',
  ])('%s shows texts from outside without characters that reverse them', async (path) => {
    const html = await (await get(path, operatorApiDouble())).text()
    expect(html).toContain('&lt;img src=x onerror=alert(1)')
    expect(html).not.toContain('<img src=x')
    expect(html).not.toContain('\u202e')
    expect(HOSTILE).toContain('\u202e')
  })

  it.each([
    ['/console', ['/figures', '/health']],
    ['/console/reports', ['/reports/failing']],
    ['/console/audit', ['/audit']],
    ['/console/audit/verify', ['/audit/verify']],
    ['/console/accounts', ['/health']],
    ['/console/settings', ['/health', '/settings']],
    ['/console/settings/tokens', ['/tokens']],
  ])('%s says which part could not be read if the API does not answer', async (path, parts) => {
    const lacking = Object.fromEntries(
      parts
        .flatMap((part) => [part, `${part}?by=account`, `${part}?by=method`])
        .map((part) => [`GET ${part}`, null]),
    )
    const response = await get(path, operatorApiDouble({ answers: lacking }))
    expect(response.status).toBe(200)
    expect(await response.text()).toContain('This could not be read.')
  })

  it("shows the times in a payment's explanation in the reader's zone", async () => {
    const page = await (await get(`/console/payments/${JOB}`, operatorApiDouble())).text()
    expect(page).toMatch(
      /The payment was paid at <time datetime="2026-01-31T14:02:00Z"[^>]*>31 Jan, [^<]*<\/time>\. The shop does not know/,
    )
  })

  it('makes only a handful of requests to the API, and none for each job of a list', async () => {
    for (const path of [
      '/console',
      '/console/payments',
      `/console/payments/${JOB}`,
      '/console/points-of-sale',
    ]) {
      const api = operatorApiDouble()
      await get(path, api)
      expect(api.asked.length, path).toBeLessThanOrEqual(6)
    }
  })

  it('answers 404 for an unknown address, and 405 for an unsupported method', async () => {
    expect((await get('/console/nothing', operatorApiDouble())).status).toBe(404)
    const put = new Request(`${ORIGIN}/console`, { method: 'PUT' })
    expect((await serveConsole(put, operatorApiDouble().ask, SEALING_KEY)).status).toBe(405)
    expect((await post('/console', operatorApiDouble(), {})).status).toBe(405)
  })

  it('has times in the zone of its cookie, or in UTC if that is invalid', async () => {
    const at = { now: Date.parse('2026-07-01T12:00:00Z') }
    const inZone = await (
      await get('/console/payments', operatorApiDouble(at), 'hub-zone=Asia%2FTokyo')
    ).text()
    expect(inZone).toContain('data-zone="Asia/Tokyo"')
    expect(inZone).toContain('1 Jul')
    expect(inZone).toContain('21:00')
    for (const zone of ['nowhere', '%E0%A4%A', '"><b>']) {
      const html = await (await get('/console/payments', operatorApiDouble(at), `hub-zone=${zone}`)).text()
      expect(html).toContain('data-zone="UTC"')
    }
  })
})
