import { env } from 'cloudflare:workers'
import { vi } from 'vitest'
import { outside } from '../../support/live-pos.ts'
import type { Fault } from '../../support/outside.ts'
import { eventually } from '../../support/eventually.ts'

/** Addresses of shops that do not take reports; all others do. */
export const BROKEN = 'https://shop.nl/broken'
export const GONE = 'https://shop.nl/gone'
const ANSWERS: Readonly<Record<string, () => Response>> = {
  [BROKEN]: () => new Response('out of memory', { status: 503 }),
  [GONE]: () => new Response('no shop any more', { status: 410 }),
}

/** How long (ms) a PSP takes to answer: the clock of the tests stands still else. */
const LATENCY = 150

/** A PSP that is too busy. */
export const TOO_BUSY: Fault = () => new Response(null, { status: 503, headers: { 'retry-after': '60' } })

export type SentMessage = { queue: string; body: unknown }

/** Moves the clock on (ms). */
export function pass(ms: number): void {
  void vi.setSystemTime(Date.now() + ms)
}

/** Mollie and the shops around the hub, and all that the hub sends to its queues. */
export function playedWorld() {
  const sent: SentMessage[] = []
  const spies = captureQueues(sent)
  const world = outside()
  const beyond = vi.mocked(globalThis.fetch).getMockImplementation()
  vi.mocked(globalThis.fetch).mockImplementation(async (input, init) => {
    const request = new Request(input, init)
    return ANSWERS[request.url]?.() ?? beyond?.(request) ?? Response.error()
  })
  const keyOf = (place: 0 | 1): string =>
    `Bearer ${(world.fake.accounts[place] as { apiKey: string }).apiKey}`
  const faults = new Map<string, Fault>()
  world.fault = (request) => {
    pass(LATENCY)
    const fault = faults.get(request.headers.get('authorization') ?? '')
    return fault ? fault(request) : ofItsAccount(request, world.fake.handle)
  }
  return {
    mollie: world.fake,
    sent,
    /** From now on an account of Mollie, the first or the second, answers like this; null for as ever. */
    break: (place: 0 | 1, fault: Fault | null): void =>
      void (fault ? faults.set(keyOf(place), fault) : faults.delete(keyOf(place))),
    stop: () => {
      world.stop()
      for (const spy of spies) spy.mockRestore()
    },
  }
}
export type PlayedWorld = ReturnType<typeof playedWorld>

/** An account knows nothing of the idempotency keys of another. */
const ofItsAccount: (request: Request, handle: Fault) => ReturnType<Fault> = (request, handle) => {
  const headers = new Headers(request.headers)
  const key = headers.get('idempotency-key')
  if (key !== null) headers.set('idempotency-key', `${key} at ${headers.get('authorization')}`)
  return handle(new Request(request, { headers }))
}

const QUEUES = ['REPORTS', 'JOB_INDEX', 'EDGE', 'SWEEPS', 'ALERTS'] as const

function captureQueues(sent: SentMessage[]) {
  return QUEUES.flatMap((queue) => {
    const [send, sendBatch] = [env[queue].send.bind(env[queue]), env[queue].sendBatch.bind(env[queue])]
    const one = vi.spyOn(env[queue], 'send').mockImplementation((body, options) => {
      sent.push({ queue, body })
      return send(body, options)
    })
    const many = vi.spyOn(env[queue], 'sendBatch').mockImplementation((messages, options) => {
      const batch = [...messages]
      sent.push(...batch.map(({ body }) => ({ queue, body })))
      return sendBatch(batch, options)
    })
    return [one, many]
  })
}

type Row = { id: string; pos: string; sequence: number }

/** Waits until the index has every row that was sent and is not gone since, and all places know the weather. */
export async function untilQueuesAreEmpty(sent: readonly SentMessage[]): Promise<void> {
  const bodies = sent.map(({ body }) => body as { row?: Row; forgotten?: Row; weather?: object })
  const gone = new Set(bodies.flatMap(({ forgotten }) => (forgotten ? [forgotten.id] : [])))
  const newest = new Map(
    bodies.flatMap(({ row }) => (row && !gone.has(row.id) ? [[row.id, row.sequence]] : [])),
  )
  await eventually(async () => {
    const { results } = await env.DB.prepare('select id, sequence from jobs').all<Row>()
    const there = new Map(results.map(({ id, sequence }) => [id, sequence]))
    const missing = [...newest].filter(([id, sequence]) => (there.get(id) ?? -1) < sequence)
    if (missing.length > 0) throw new Error(`${missing.length} rows are not in the index`)
    if ([...gone].some((id) => there.has(id))) throw new Error('a purged job is still in the index')
    const isTold = bodies.some(({ weather }) => weather)
    if (isTold && (await env.TOKENS.get('weather')) === null) throw new Error('the weather is not told')
  })
}
