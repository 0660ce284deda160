import { afterEach, describe, expect, it, vi } from 'vitest'
import { type CallResult, type Method, type Options, apiClient } from '../../src/psp/http-client.ts'
import type { Fetch } from '../../src/psp/port.ts'
import { withDeadline } from '../../src/platform/deadline.ts'
import { expectEightSeconds } from './eight-seconds.ts'

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

function ask(answer: Fetch): Promise<CallResult> {
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
  it.each([200, 201, 400, 401, 404, 409, 422])('of %d with JSON is returned unchanged', async (status) => {
    expect(await ask(answering('{"a":[1]}', { status }))).toEqual({
      is: 'answered',
      status,
      body: { a: [1] },
    })
  })

  it('hides the secret that was sent, wherever it appears', async () => {
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

  it('may be empty if it only says that the request was accepted', async () => {
    const answer = await ask(answering(null, { status: 202 }))
    expect(answer).toEqual({ is: 'answered', status: 202, body: null })
  })

  it.each([
    [500, {}],
    [502, { 'retry-after': '7' }],
    [503, { 'retry-after': 'Wed, 21 Oct 2015 07:28:00 GMT' }],
    [429, { 'retry-after': '30' }],
    [408, { 'retry-after': 'soon' }],
  ])('of %d, with the headers %j, does not count', async (status, headers: Record<string, string>) => {
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
  ])('that %s does not count', async (_, answer) => {
    expect(await ask(answer)).toEqual({
      is: 'unavailable',
      message: 'The payment service provider could not be reached, or its answer could not be read.',
    })
  })

  it.each([
    ['a fault', '{}', 500, true],
    ['a page', '<h1>Hello</h1>', 200, true],
    ['a new fault', '{}', 500, false],
  ])('that repeats %s is marked, if the PSP marks it', async (_, body, status, isRepeated) => {
    const headers: Record<string, string> = isRepeated ? { 'idempotent-replayed': 'true' } : {}
    const answer = await ask(answering(body, { status, headers }))
    expect(answer).toMatchObject({ is: 'unavailable' })
    expect('replayed' in answer).toBe(isRepeated)
  })
})

const MIB = 1024 * 1024

const LATE = { is: 'unavailable', message: 'The payment service provider did not answer in time.' }

afterEach(() => vi.useRealTimers())

function askWithin(answer: Fetch, options?: Options): Promise<CallResult> {
  return apiClient({
    fetch: answer,
    endpoint: 'https://api.psp.test/v1',
    headers: {},
    secret: 'sk_0123456789',
  })('GET', '/payments/1', options)
}

/**
 * A body of so many bytes, in parts of 64 KiB. It records how much was read, and whether the rest was
 * cancelled.
 */
function longBody(bytes: number) {
  const read = { bytes: 0, cancelled: false }
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const part = Math.min(64 * 1024, bytes - read.bytes)
        if (part === 0) return controller.close()
        // A JSON string of digits, from its first quotation mark to its last.
        const text = new Uint8Array(part).fill(48)
        if (read.bytes === 0) text[0] = 34
        read.bytes += part
        if (read.bytes === bytes) text[part - 1] = 34
        controller.enqueue(text)
      },
      cancel: () => void (read.cancelled = true),
    },
    { highWaterMark: 0 },
  )
  return { body, read }
}

describe('a long answer', () => {
  it('of 1 MiB is read completely', async () => {
    const { body, read } = longBody(MIB)
    const answer = await askWithin(async () => new Response(body))
    expect(answer).toMatchObject({ is: 'answered', status: 200 })
    expect(read).toEqual({ bytes: MIB, cancelled: false })
  })

  it.each<[string, number, Record<string, string>]>([
    ['with one byte more', MIB + 1, {}],
    ['with one byte more, which its headers say', MIB + 1, { 'content-length': String(MIB + 1) }],
    ['with one byte more, whose headers claim less', MIB + 1, { 'content-length': '2' }],
    ['without an end', Infinity, {}],
    ['without an end, whose headers claim one', Infinity, { 'content-length': '2' }],
  ])(
    '%s does not count: the hub reads at most 1 MiB of it, and cancels the rest',
    async (_, bytes, headers) => {
      const { body, read } = longBody(bytes)
      expect(await askWithin(async () => new Response(body, { headers }))).toEqual({
        is: 'unavailable',
        message: 'The payment service provider answered with more than 1 MiB.',
      })
      expect(read.cancelled).toBe(true)
      expect(read.bytes).toBeLessThanOrEqual(MIB + 64 * 1024)
    },
  )

  it('is not read at all if its status says that it does not count', async () => {
    const { body, read } = longBody(Infinity)
    expect(await askWithin(async () => new Response(body, { status: 500 }))).toMatchObject({
      is: 'unavailable',
    })
    expect(read).toEqual({ bytes: 0, cancelled: true })
  })
})

describe('the deadline', () => {
  const silent = (): Response => new Response(new ReadableStream({ pull: () => new Promise(() => {}) }))
  const hang: Fetch = (request) =>
    new Promise((_, reject) => request.signal.addEventListener('abort', () => reject(request.signal.reason)))

  it.each<[string, Fetch]>([
    ['that never comes', hang],
    ['that comes without an end', async () => silent()],
  ])('is eight seconds for an answer %s', async (_, answer) => {
    await expectEightSeconds(() => askWithin(answer))
  })

  it('also ends an answer that trickles, whatever happens to its request', async () => {
    const read = { bytes: 0, cancelled: false }
    const body = new ReadableStream<Uint8Array>({
      async pull(controller) {
        await new Promise((resolve) => setTimeout(resolve, 5))
        read.bytes++
        controller.enqueue(new Uint8Array([32]))
      },
      cancel: () => void (read.cancelled = true),
    })
    const answer = await withDeadline(400, (deadline) =>
      askWithin(async () => new Response(body), { deadline }),
    )
    expect(answer).toEqual(LATE)
    expect(read.cancelled).toBe(true)
    expect(read.bytes).toBeGreaterThan(1)
  })

  it("may be the caller's, for the whole answer", async () => {
    const answer = await withDeadline(10, (deadline) => askWithin(async () => silent(), { deadline }))
    expect(answer).toEqual(LATE)
  })

  it('leaves no timer behind', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    await askWithin(async () => new Response('{}'))
    expect(vi.getTimerCount()).toBe(0)
  })
})
