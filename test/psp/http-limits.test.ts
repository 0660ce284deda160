import { afterEach, describe, expect, it, vi } from 'vitest'
import { withOwnTimers } from '../support/own-timers.ts'
import { withDeadline } from '../../src/platform/deadline.ts'
import { type Called, type Options, apiClient, postUntilFree, isConflict } from '../../src/psp/http-client.ts'
import type { Fetch } from '../../src/psp/port.ts'
import { expectEightSeconds } from './eight-seconds.ts'
import { patience } from './scripted.ts'

const MIB = 1024 * 1024
const LATE = { is: 'unavailable', message: 'The payment service provider did not answer in time.' }

afterEach(() => vi.useRealTimers())

function ask(answer: Fetch, options?: Options): Promise<Called> {
  return apiClient({
    fetch: answer,
    endpoint: 'https://api.psp.test/v1',
    headers: {},
    secret: 'sk_0123456789',
  })('GET', '/payments/1', options)
}

/**
 * A body of so many bytes, in parts of 64 KiB; it tells how much was read, and whether the rest was
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
  it('of 1 MiB is read whole', async () => {
    const { body, read } = longBody(MIB)
    const answer = await ask(async () => new Response(body))
    expect(answer).toMatchObject({ is: 'answered', status: 200 })
    expect(read).toEqual({ bytes: MIB, cancelled: false })
  })

  it.each<[string, number, Record<string, string>]>([
    ['of one byte more', MIB + 1, {}],
    ['of one byte more, which says so', MIB + 1, { 'content-length': String(MIB + 1) }],
    ['of one byte more, which says that it is short', MIB + 1, { 'content-length': '2' }],
    ['that has no end', Infinity, {}],
    ['that has no end and says that it has', Infinity, { 'content-length': '2' }],
  ])('%s is none: at most 1 MiB of it is used, and the rest is cancelled', async (_, bytes, headers) => {
    const { body, read } = longBody(bytes)
    expect(await ask(async () => new Response(body, { headers }))).toEqual({
      is: 'unavailable',
      message: 'The payment service provider answered with more than 1 MiB.',
    })
    expect(read.cancelled).toBe(true)
    expect(read.bytes).toBeLessThanOrEqual(MIB + 64 * 1024)
  })

  it('is not read at all when its status says that it is none', async () => {
    const { body, read } = longBody(Infinity)
    expect(await ask(async () => new Response(body, { status: 500 }))).toMatchObject({ is: 'unavailable' })
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
    await expectEightSeconds(() => ask(answer))
  })

  it('ends an answer that trickles too, whatever becomes of its request', async () => {
    const read = { bytes: 0, cancelled: false }
    const body = new ReadableStream<Uint8Array>({
      async pull(controller) {
        await new Promise((resolve) => setTimeout(resolve, 5))
        read.bytes++
        controller.enqueue(new Uint8Array([32]))
      },
      cancel: () => void (read.cancelled = true),
    })
    const answer = await withDeadline(60, (deadline) => ask(async () => new Response(body), { deadline }))
    expect(answer).toEqual(LATE)
    expect(read.cancelled).toBe(true)
    expect(read.bytes).toBeGreaterThan(1)
  })

  it('is that of the caller where one is given, for all of an answer', async () => {
    const answer = await withDeadline(10, (deadline) => ask(async () => silent(), { deadline }))
    expect(answer).toEqual(LATE)
  })

  it('leaves no timer behind', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    await ask(async () => new Response('{}'))
    expect(vi.getTimerCount()).toBe(0)
  })
})

describe('a request that is under way elsewhere', () => {
  const busy: Called = { is: 'answered', status: 409, body: {} }
  const done: Called = { is: 'answered', status: 201, body: {} }

  it('is asked for again after 300 ms, until it has its answer', async () => {
    const answers = [busy, busy, done]
    const call = vi.fn(async () => answers.shift() ?? done)
    await withOwnTimers(async () => {
      const answer = postUntilFree(
        call,
        '/refunds',
        { idempotencyKey: 'once', deadline: patience },
        isConflict,
      )
      await vi.advanceTimersByTimeAsync(299)
      expect(call).toHaveBeenCalledTimes(1)
      await vi.advanceTimersByTimeAsync(301)
      expect(await answer).toBe(done)
    })
    expect(call).toHaveBeenCalledTimes(3)
  })

  it('is not asked for again after the deadline', async () => {
    const call = vi.fn(async () => busy)
    const options = { idempotencyKey: 'once', deadline: AbortSignal.abort() }
    expect(await postUntilFree(call, '/refunds', options, isConflict)).toBe(busy)
    expect(call).toHaveBeenCalledTimes(1)
  })
})
