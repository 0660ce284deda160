import { env } from 'cloudflare:workers'
import { type MockInstance, vi } from 'vitest'
import type { ReportMessage } from '../../src/job/messages.ts'
import type { ObjectFault, PlatformFault } from './commands.ts'
import { kvFaults } from './kv.ts'
import { jobWrites } from './job-writes.ts'
import { type ModelQueue, modelQueue } from './queue.ts'
import type { PlayedTimers } from './timers.ts'

/** Rate limits that the shop can reach. */
const SHOP_LIMITS = ['GUARDIAN_PER_ADDRESS', 'GUARDIAN_PER_KEY', 'CREATE_PER_POS', 'SEARCH_PER_POS'] as const
/** Rate limits against guessing and flooding, which the simulation does not play. */
const GUESS_LIMITS = [
  'HURRIED_REPORTS_PER_HOST',
  'OPERATOR_PER_ADDRESS',
  'UNKNOWN_JOBS_PER_ADDRESS',
  'UNKNOWN_RETURNS_PER_ADDRESS',
] as const

const DATABASES = ['DB', 'INDEX_1', 'INDEX_2'] as const

/** The parts that each fault takes down. */
const DOWN: Readonly<Partial<Record<PlatformFault, readonly string[]>>> = {
  'D1 is down': DATABASES,
  'one shard of the index is down': ['INDEX_1'],
  'KV is down': ['KV get', 'KV put', 'KV list'],
  'KV cannot be written': ['KV put'],
  'KV cannot be listed': ['KV list'],
  'D1 and KV are down': [...DATABASES, 'KV get', 'KV put', 'KV list'],
  'the job directory is down': ['directory'],
  "the shop's limits are used up": ['limits'],
}

/** Replaces everything between the hub and the outside world, until `restore`. */
export function seizePlatform(
  outside: (request: Request) => Promise<Response>,
  random: () => number,
  timers: PlayedTimers,
) {
  let fault: PlatformFault | null = null
  let objects: { fault: ObjectFault; calls: number } | null = null
  const crash = { next: null as 'accepted' | 'not accepted' | null, now: false }
  /** The outside calls without an answer yet: objects finish theirs even if the caller is gone. */
  let outsideCalls = 0
  const queues = {
    reports: modelQueue<ReportMessage>(),
    index: modelQueue<unknown>(),
    copies: modelQueue<unknown>(),
    sweeps: modelQueue<unknown>(),
  }
  const spies: MockInstance[] = []

  const sends = <Body>(queue: ModelQueue<Body>) =>
    async function send(body: Body) {
      if (crash.next !== null) {
        if (crash.next === 'accepted') queue.accept(body)
        crash.next = null
        crash.now = true
        // A crashed object never learns the result.
        return new Promise<never>(() => {})
      }
      queue.accept(body)
      return { metadata: { metrics: { backlogCount: 0, backlogBytes: 0 } } }
    }
  const sendsBatch = (queue: ModelQueue<unknown>) =>
    async function sendBatch(messages: Iterable<MessageSendRequest>) {
      for (const { body } of messages) queue.accept(body)
      return { metadata: { metrics: { backlogCount: 0, backlogBytes: 0 } } }
    }
  const isDown = (part: string) => fault !== null && DOWN[fault]?.includes(part) === true
  /** Takes the fault of an object's next call, if it is one of `kinds`. */
  const nextFault = (...kinds: ObjectFault[]): ObjectFault | null => {
    if (!objects || !kinds.includes(objects.fault)) return null
    const { fault: now } = objects
    if (--objects.calls === 0) objects = null
    return now
  }
  const { getByName } = env.PAYMENT_JOB
  const { getByName: directoryByName } = env.JOB_DIRECTORY
  kvFaults.now = { isDown, fault: () => fault, before: new Map() }

  spies.push(
    vi.spyOn(env.REPORTS, 'send').mockImplementation(sends(queues.reports) as Queue['send']),
    vi.spyOn(env.JOB_INDEX, 'send').mockImplementation(sends(queues.index) as Queue['send']),
    vi.spyOn(env.COPIES, 'sendBatch').mockImplementation(sendsBatch(queues.copies) as Queue['sendBatch']),
    vi.spyOn(env.SWEEPS, 'send').mockImplementation(sends(queues.sweeps) as Queue['send']),
    vi.spyOn(env.SWEEPS, 'sendBatch').mockImplementation(sendsBatch(queues.sweeps) as Queue['sendBatch']),
    vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
      outsideCalls++
      try {
        return await outside(new Request(input, init))
      } finally {
        outsideCalls--
      }
    }),
    vi.spyOn(Math, 'random').mockImplementation(random),
    vi
      .spyOn(globalThis, 'setTimeout')
      .mockImplementation(((run: (...rest: unknown[]) => void, ms = 0, ...rest: unknown[]) =>
        timers.set(() => run(...rest), ms)) as typeof setTimeout),
    vi.spyOn(globalThis, 'clearTimeout').mockImplementation(timers.clear),
    vi.spyOn(scheduler, 'wait').mockImplementation(async () => {}),
    // The simulation plays deadlines itself: a real one would keep the object in memory until it ends.
    vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => new AbortController().signal),
    // Rate limits go by the real clock: hundreds of schedules would share one minute.
    ...SHOP_LIMITS.map((name) =>
      vi.spyOn(env[name], 'limit').mockImplementation(async () => ({ success: !isDown('limits') })),
    ),
    ...GUESS_LIMITS.map((name) =>
      vi.spyOn(env[name], 'limit').mockImplementation(async () => ({ success: true })),
    ),
    ...DATABASES.map((name) => {
      const { prepare } = env[name]
      return vi.spyOn(env[name], 'prepare').mockImplementation((query) => {
        if (isDown(name)) throw new Error('D1_ERROR: Network connection lost.')
        return prepare.call(env[name], query)
      })
    }),
    vi.spyOn(env.PAYMENT_JOB, 'getByName').mockImplementation((name, options) => {
      const now = nextFault('overloaded', 'moving')
      if (now === 'overloaded')
        throw Object.assign(new Error('Durable Object is overloaded.'), { overloaded: true })
      if (now === 'moving') throw Object.assign(new Error('Network connection lost.'), { retryable: true })
      return getByName.call(env.PAYMENT_JOB, name, options)
    }),
    vi.spyOn(env.JOB_DIRECTORY, 'getByName').mockImplementation((name, options) => {
      if (isDown('directory')) throw Object.assign(new Error('Network connection lost.'), { retryable: true })
      return directoryByName.call(env.JOB_DIRECTORY, name, options)
    }),
  )

  let wasBroken = false
  let hasFailedToWrite = false
  jobWrites.mayFail = () => {
    const fails = nextFault('unable to write') !== null
    hasFailedToWrite ||= fails
    return fails
  }

  return {
    ...queues,
    crash,
    isAsking: () => outsideCalls > 0,
    /** Returns a job's object; calls to it meet none of the injected faults. */
    objectOf: (id: string) => getByName.call(env.PAYMENT_JOB, id),
    /** Whether a write of a job has failed, and with it the call of its object. */
    hasFailedToWrite: () => hasFailedToWrite,
    /** Whether any part of the platform was ever down. */
    wasBroken: () => wasBroken,
    setFault(is: PlatformFault) {
      fault = is
      wasBroken = true
    },
    setObjectFault: (is: ObjectFault, calls: number) => void (objects = { fault: is, calls }),
    clearFaults() {
      fault = null
      objects = null
      crash.next = null
      for (const queue of Object.values(queues)) queue.refusals = 0
    },
    restore() {
      for (const spy of spies) spy.mockRestore()
      jobWrites.mayFail = () => false
      kvFaults.clear()
    },
  }
}
export type Platform = ReturnType<typeof seizePlatform>
