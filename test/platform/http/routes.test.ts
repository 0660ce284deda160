import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { ok, refuse } from '../../../src/contract/result.ts'
import { type Context, routes } from '../../../src/platform/http/routes.ts'

/** Routes whose handlers answer with their arguments. */
const entrance = routes((table) =>
  table
    .guard('/guarded/*', async (request) =>
      request.headers.has('authorization')
        ? null
        : refuse({ code: 'credentials-missing', detail: 'No key was sent.' }),
    )
    .get('/guarded/:id', (request, context) => ok(Response.json(got(request, context))))
    .post('/jobs', () => ok(new Response('made', { status: 201 })))
    .get('/jobs/:id/:part?', (request, context) => ok(Response.json(got(request, context))))
    .post('/jobs/:id', () => ok(new Response('changed', { headers: { 'cache-control': 'max-age=5' } }))),
)
function got({ method }: Request, { pattern, params, isHead }: Context) {
  return {
    method,
    pattern,
    params,
    isHead,
  }
}

function ask(path: string, method = 'GET', headers: Record<string, string> = {}) {
  return entrance(new Request(`https://hub.nl${path}`, { method, headers }), env)
}

describe('an entrance', () => {
  it('answers a HEAD as the GET of its path, without the body', async () => {
    let seen: object = {}
    const told = routes((table) =>
      table.get('/jobs/:id', (request, context) => {
        seen = got(request, context)
        return ok(new Response('a job', { status: 203, headers: { etag: '"7"' } }))
      }),
    )
    const answer = await told(new Request('https://hub.nl/jobs/7', { method: 'HEAD' }), env)
    expect(seen).toMatchObject({ method: 'GET', isHead: true })
    expect([answer.status, answer.headers.get('etag')]).toEqual([203, '"7"'])
    expect(answer.body).toBeNull()
  })

  it('names the methods of a path when it gets another', async () => {
    const answer = await ask('/jobs/7', 'PUT')
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST'])
    expect((await ask('/jobs', 'DELETE')).headers.get('allow')).toBe('POST')
  })

  it('has nothing at any other path, nor at one that only has a guard', async () => {
    expect((await ask('/job')).status).toBe(404)
    expect((await ask('/guarded/7/other', 'GET', { authorization: 'Bearer 1' })).status).toBe(404)
  })

  it('asks the guard of a path first, and its handler once the guard lets the request pass', async () => {
    expect((await ask('/guarded/7')).status).toBe(401)
    const passed = await ask('/guarded/7', 'GET', { authorization: 'Bearer 1' })
    expect(await passed.json()).toMatchObject({ params: { id: '7' } })
  })

  it('forbids storing an answer unless its handler allows it, and forbids browsers to guess its type', async () => {
    const [made, changed] = [await ask('/jobs', 'POST'), await ask('/jobs/7', 'POST')]
    expect([made.status, made.headers.get('cache-control')]).toEqual([201, 'no-store'])
    expect(changed.headers.get('cache-control')).toBe('max-age=5')
    expect(changed.headers.get('x-content-type-options')).toBe('nosniff')
  })
})
