import { describe, expect, it } from 'vitest'
import { type Called, type Method, type Options, apiClient } from '../../src/psp/http-client.ts'
import type { Fetch } from '../../src/psp/port.ts'

const SECRET = 'sk_0123456789'

function clientAt(answer: Fetch) {
  const requests: Request[] = []
  const call = apiClient({
    fetch: (request) => {
      requests.push(request)
      return answer(request)
    },
    endpoint: 'https://api.psp.test/v1',
    headers: { authorization: `Bearer ${SECRET}`, 'psp-version': '7' },
    secret: SECRET,
  })
  return { call, requests }
}

function answering(body: BodyInit | null, init: ResponseInit = {}): Fetch {
  return async () => new Response(body, init)
}
function ask(answer: Fetch): Promise<Called> {
  return clientAt(answer).call('GET', '/payments/1')
}

describe('a request', () => {
  const sent = async (method: Method, options?: Options) => {
    const { call, requests } = clientAt(answering('{}'))
    await call(method, '/payments?limit=1', options)
    const [request] = requests
    if (!request) throw new Error('nothing was sent')
    const bytes = new TextDecoder().decode(await request.arrayBuffer())
    return {
      ...Object.fromEntries(request.headers),
      sent: `${request.method} ${request.url} ${bytes}`,
      request,
    }
  }
  const common = { authorization: `Bearer ${SECRET}`, 'psp-version': '7', accept: 'application/json' }
  const url = 'https://api.psp.test/v1/payments?limit=1'
  const json = { 'content-type': 'application/json' }
  const form = { 'content-type': 'application/x-www-form-urlencoded' }

  it.each<[string, Method, Options | undefined, object, string]>([
    ['without a body', 'GET', undefined, {}, ''],
    ['without a body', 'DELETE', {}, {}, ''],
    ['with JSON', 'PATCH', { body: { a: 'é', b: [1] } }, json, '{"a":"é","b":[1]}'],
    ['with a form', 'POST', { body: new URLSearchParams({ 'a[b]': 'é &' }) }, form, 'a%5Bb%5D=%C3%A9+%26'],
    ['with an empty form', 'POST', { body: new URLSearchParams() }, form, ''],
    [
      'with an idempotency key',
      'POST',
      { body: {}, idempotencyKey: 'job-1' },
      { ...json, 'idempotency-key': 'job-1' },
      '{}',
    ],
  ])('%s is a %s with these headers and bytes', async (_, method, options, headers, bytes) => {
    const { request, ...rest } = await sent(method, options)
    expect(rest).toEqual({ ...common, ...headers, sent: `${method} ${url} ${bytes}` })
    expect(request.redirect).toBe('manual')
  })
})

describe('an answer', () => {
  it.each([200, 201, 400, 401, 404, 409, 422])('of %d with JSON is given as it is', async (status) => {
    expect(await ask(answering('{"a":[1]}', { status }))).toEqual({
      is: 'answered',
      status,
      body: { a: [1] },
    })
  })

  it('does not tell the secret that was sent, wherever it stands', async () => {
    const quoted = JSON.stringify({ detail: `bad key ${SECRET}`, [SECRET]: [SECRET] })
    expect(await ask(answering(quoted, { status: 401 }))).toEqual({
      is: 'answered',
      status: 401,
      body: { detail: 'bad key …', '…': ['…'] },
    })
  })

  it('may come in parts that split a character', async () => {
    const bytes = new TextEncoder().encode('{"a":"€"}')
    const body = new ReadableStream({
      start(controller) {
        for (const part of [bytes.slice(0, 7), bytes.slice(7)]) controller.enqueue(part)
        controller.close()
      },
    })
    expect(await ask(answering(body))).toMatchObject({ body: { a: '€' } })
  })

  it.each([
    [500, {}],
    [502, { 'retry-after': '7' }],
    [503, { 'retry-after': 'Wed, 21 Oct 2015 07:28:00 GMT' }],
    [429, { 'retry-after': '30' }],
    [408, { 'retry-after': 'soon' }],
  ])('of %d, with the headers %j, is none', async (status, headers: Record<string, string>) => {
    const seconds = Number(headers['retry-after'])
    expect(await ask(answering('{"a":1}', { status, headers }))).toEqual({
      is: 'unavailable',
      message: `The payment service provider answered ${status}.`,
      ...(seconds > 0 ? { retryAfter: seconds } : {}),
    })
  })

  it.each<[string, Fetch]>([
    ['is a page', answering('<h1>Hello</h1>')],
    ['is empty', answering('')],
    ['has no body', answering(null, { status: 204 })],
    ['is JSON cut off', answering('{"a":')],
    ['is a redirect', answering('', { status: 302, headers: { location: 'https://elsewhere.test/' } })],
    ['never comes: the connection is refused', () => Promise.reject(new TypeError(`refused: ${SECRET}`))],
    [
      'breaks off',
      answering(
        new ReadableStream({
          start(controller) {
            controller.enqueue(new TextEncoder().encode('{"a":1}'))
            controller.error(new TypeError('connection lost'))
          },
        }),
      ),
    ],
  ])('that %s is none', async (_, answer) => {
    expect(await ask(answer)).toEqual({
      is: 'unavailable',
      message: 'The payment service provider could not be reached, or its answer could not be read.',
    })
  })

  it.each([
    ['a fault', '{}', 500, true],
    ['a page', '<h1>Hello</h1>', 200, true],
    ['a fault that is new', '{}', 500, false],
  ])('that repeats %s says so, if it does', async (_, body, status, isRepeated) => {
    const headers: Record<string, string> = isRepeated ? { 'idempotent-replayed': 'true' } : {}
    const answer = await ask(answering(body, { status, headers }))
    expect(answer).toMatchObject({ is: 'unavailable' })
    expect('replayed' in answer).toBe(isRepeated)
  })
})
