import { env } from 'cloudflare:workers'
import { type MockInstance, vi } from 'vitest'
import type { ReportMessage } from '../../src/domain/messages.ts'
import type { PlatformFault } from './commands.ts'
import { type ModelQueue, modelQueue } from './queue.ts'

/** The hub's pauses (ms) between tries are shorter than this, its patience is not. */
const PATIENCE = 400
/** Longer than any run (ms). */
const NEVER = 300_000

const LIMITS = [
  'GUARDIAN_PER_ADDRESS',
  'GUARDIAN_PER_KEY',
  'CREATE_PER_POS',
  'SEARCH_PER_POS',
  'OPERATOR_PER_ADDRESS',
  'UNKNOWN_JOBS_PER_ADDRESS',
  'UNKNOWN_RETURNS_PER_ADDRESS',
] as const

/** What stands between the hub and the world outside, under the simulation's hands until `restore`. */
export const seizePlatform = (outside: (request: Request) => Promise<Response>, random: () => number) => {
  let fault: PlatformFault | null = null
  let objects: { fault: 'overloaded' | 'moving'; calls: number } | null = null
  const crash = { next: null as 'accepted' | 'not accepted' | null, now: false }
  const reports = modelQueue<ReportMessage>()
  const index = modelQueue<unknown>()
  const spies: MockInstance[] = []

  const sends = <Body>(queue: ModelQueue<Body>) =>
    async function send(body: Body) {
      if (crash.next !== null) {
        if (crash.next === 'accepted') queue.accept(body)
        crash.next = null
        crash.now = true
        // What crashes never hears how it went.
        return new Promise<never>(() => {})
      }
      queue.accept(body)
      return { metadata: { metrics: { backlogCount: 0, backlogBytes: 0 } } }
    }
  const isDown = (part: 'D1' | 'KV') => fault === `${part} is down` || fault === 'D1 and KV are down'
  const { get } = env.TOKENS
  const { prepare } = env.DB
  const { getByName } = env.PAYMENT_JOB
  const later = setTimeout

  spies.push(
    vi.spyOn(env.REPORTS, 'send').mockImplementation(sends(reports) as Queue['send']),
    vi.spyOn(env.JOB_INDEX, 'send').mockImplementation(sends(index) as Queue['send']),
    vi.spyOn(globalThis, 'fetch').mockImplementation((input, init) => outside(new Request(input, init))),
    vi.spyOn(Math, 'random').mockImplementation(random),
    // Pauses between tries take no time here, and patience with what is slow never ends: the simulation says when.
    vi
      .spyOn(globalThis, 'setTimeout')
      .mockImplementation(((run: () => void, ms: number, ...rest: unknown[]) =>
        later(run, ms < PATIENCE ? 1 : NEVER, ...rest)) as typeof setTimeout),
    // Deadlines are the simulation's own; a real one would keep the object from being evicted until it ends.
    vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => new AbortController().signal),
    vi.spyOn(env.TOKENS, 'get').mockImplementation((async (name: string) => {
      if (isDown('KV')) throw new Error('KV GET failed: 500 Internal Server Error')
      if (fault === 'KV knows no point of sale' && name.startsWith('pos:')) return null
      return Reflect.apply(get, env.TOKENS, [name, 'json']) as Promise<unknown>
    }) as typeof env.TOKENS.get),
    // They count by the real clock, in which a hundred schedules pass within a minute of the played one.
    ...LIMITS.map((name) => vi.spyOn(env[name], 'limit').mockImplementation(async () => ({ success: true }))),
    vi.spyOn(env.DB, 'prepare').mockImplementation((query) => {
      if (isDown('D1')) throw new Error('D1_ERROR: Network connection lost.')
      return prepare.call(env.DB, query)
    }),
    vi.spyOn(env.PAYMENT_JOB, 'getByName').mockImplementation((name, options) => {
      const now = objects?.fault
      if (objects && --objects.calls === 0) objects = null
      if (now === 'overloaded')
        throw Object.assign(new Error('Durable Object is overloaded.'), { overloaded: true })
      if (now === 'moving') throw Object.assign(new Error('Network connection lost.'), { retryable: true })
      return getByName.call(env.PAYMENT_JOB, name, options)
    }),
  )

  return {
    reports,
    index,
    crash,
    /** A job's object, whatever is drawn to go wrong with reaching it. */
    objectOf: (id: string) => getByName.call(env.PAYMENT_JOB, id),
    breaks: (is: PlatformFault) => void (fault = is),
    breakObjects: (is: 'overloaded' | 'moving', calls: number) => void (objects = { fault: is, calls }),
    mends() {
      fault = null
      objects = null
      crash.next = null
      reports.refusals = 0
      index.refusals = 0
    },
    restore() {
      for (const spy of spies) spy.mockRestore()
    },
  }
}
export type Platform = ReturnType<typeof seizePlatform>
