import { afterEach, describe, expect, it, vi } from 'vitest'
import {
  type Authorised,
  type CallResult,
  type Method,
  type Options,
  apiClient,
} from '../../src/psp/http-client.ts'
import type { Fetch } from '../../src/psp/port.ts'
import { withDeadline } from '../../src/platform/deadline.ts'
import { expectEightSeconds } from './eight-seconds.ts'

const SECRET = 'sk_0123456789'
const ACCOUNT = { headers: { authorization: `Bearer ${SECRET}`, 'psp-version': '7' }, secret: SECRET }

function clientAt(answer: Fetch) {
  const requests: Request[] = []
  const call = apiClient({
    fetch: (request) => {
      requests.push(request)
      return answer(request)
    },
    endpoint: 'https://api.psp.test/v1',
    authorise: () => ACCOUNT,
    keyHeader: 'psp-request-id',
    isReplayed: (headers) => headers.get('psp-repeats') === 'yes',
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
      { ...json, 'psp-request-id': 'job-1' },
      '{}',
    ],
  ])('%s is a %s with these headers and bytes', async (_, method, options, headers, bytes) => {
    const { request, ...rest } = await sent(method, options)
    expect(rest).toEqual({ ...common, ...headers, sent: `${method} ${url} ${bytes}` })
    expect(request.redirect).toBe('manual')
  })
})

/** A PSP whose requests need a token, which it gives for the account's own key, and of which it knows only the last. */
function withTokens() {
  const world = { tokens: 0, asked: [] as string[], isKeyRefused: false }
  const fetch: Fetch = async (request) => {
    world.asked.push(`${request.method} ${new URL(request.url).pathname}`)
    const sent = request.headers.get('authorization')
    if (request.url.endsWith('/token')) {
      if (world.isKeyRefused || sent !== ACCOUNT.headers.authorization)
        return Response.json({ error: 'invalid_client' }, { status: 401 })
      return Response.json({ token: `token-${++world.tokens}` })
    }
    const isKnown = sent === `Bearer token-${world.tokens}`
    return Response.json({ says: `you sent ${sent}` }, { status: isKnown ? 200 : 401 })
  }
  const endpoint = 'https://api.psp.test/v1'
  const login = apiClient({ fetch, endpoint, authorise: () => ACCOUNT })
  let kept: Authorised | undefined
  const call = apiClient({
    fetch,
    endpoint,
    async authorise(deadline, refused) {
      if (kept && kept !== refused) return kept
      const answer = await login('POST', '/token', { deadline })
      if (answer.is === 'unavailable' || answer.status !== 200) return answer
      const { token } = answer.body as { token: string }
      return (kept = { headers: { authorization: `Bearer ${token}` }, secret: token })
    },
  })
  return { world, call }
}

describe('a PSP that wants a token', () => {
  const [TOKEN, PAYMENT] = ['POST /v1/token', 'GET /v1/payments/1']

  it('is asked for one, which serves later requests and is hidden in answers', async () => {
    const { world, call } = withTokens()
    for (const _ of [1, 2])
      expect(await call('GET', '/payments/1')).toMatchObject({
        status: 200,
        body: { says: 'you sent Bearer …' },
      })
    expect(world.asked).toEqual([TOKEN, PAYMENT, PAYMENT])
  })

  it('is asked for another one once it refuses that', async () => {
    const { world, call } = withTokens()
    await call('GET', '/payments/1')
    world.tokens++
    expect(await call('GET', '/payments/1')).toMatchObject({ status: 200 })
    expect(world.asked).toEqual([TOKEN, PAYMENT, PAYMENT, TOKEN, PAYMENT])
  })

  it('refuses every request of an account to which it gives none', async () => {
    const { world, call } = withTokens()
    world.isKeyRefused = true
    expect(await call('GET', '/payments/1')).toEqual({
      is: 'answered',
      status: 401,
      body: { error: 'invalid_client' },
    })
    expect(world.asked).toEqual([TOKEN])
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

  it.each([202, 204])('may be empty if its status %d already says all', async (status) => {
    const answer = await ask(answering(null, { status }))
    expect(answer).toEqual({ is: 'answered', status, body: null })
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
    ['has no body', answering(null, { status: 200 })],
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
    const headers: Record<string, string> = isRepeated ? { 'psp-repeats': 'yes' } : {}
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
    authorise: () => ACCOUNT,
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
