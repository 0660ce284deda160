import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect, vi } from 'vitest'
import type { Job } from '../../src/job/rules/job.ts'
import { PULLS_APART } from '../../src/job/rules/pull-turn.ts'
import type { PullAnswer } from '../../src/psp/answer.ts'
import { nextWake } from '../../src/job/rules/timers.ts'

/** What wrangler.toml says, in milliseconds. */
export const RETENTION = Number(env.RETENTION_DAYS) * 86_400_000

export function objectOf(id: string) {
  return env.PAYMENT_JOB.getByName(id)
}

/** When (ms) the alarm of a job's object rings; null where none is set. */
export function alarmOf(id: string) {
  return runInDurableObject(objectOf(id), (_, { storage }) => storage.getAlarm())
}

/** How many watch a job: those whose socket is open. */
export function watchersOf(id: string): Promise<number> {
  return runInDurableObject(
    objectOf(id),
    (_, ctx) => ctx.getWebSockets().filter(({ readyState }) => readyState === WebSocket.OPEN).length,
  )
}

type JobStub = ReturnType<typeof objectOf>

/** Has a job's object answer some calls in another way, until mocks are restored. */
export function playObject(id: string, methodsFor: (stub: JobStub) => object): void {
  const { getByName } = env.PAYMENT_JOB
  vi.spyOn(env.PAYMENT_JOB, 'getByName').mockImplementation((name, options) => {
    const stub = getByName.call(env.PAYMENT_JOB, name, options)
    if (name !== id) return stub
    const methods = methodsFor(stub)
    return new Proxy(stub, {
      get: (target, member): unknown =>
        Reflect.get(Object.hasOwn(methods, member) ? methods : target, member),
    })
  })
}

/** The job as its object has it. */
export async function stored(id: string): Promise<Job> {
  const job = await objectOf(id).read()
  if (!job) throw new Error(`there is no job ${id}`)
  return job
}

/** Has a job take in what the PSP said, of a notification or a customer's return. */
export async function recordAnswer(
  id: string,
  answer: PullAnswer,
  reason: 'notification' | 'return' = 'notification',
) {
  await objectOf(id).endPull({ id: crypto.randomUUID(), reason }, { answer, stopped: false })
}

/** What the payment of a job is called at its PSP. */
export async function referenceOf(id: string): Promise<string> {
  const { announcement } = await stored(id)
  if (announcement.is !== 'announced') throw new Error(`the payment of ${id} was not announced`)
  return announcement.reference
}

/** Moves the clock (Date alone, until `vi.useRealTimers`) to the job's next timer and runs its alarm. */
export async function ringNext(id: string): Promise<Job> {
  const wake = nextWake(await stored(id), RETENTION)
  vi.setSystemTime(Math.max(wake, Date.now()) + 1)
  await runDurableObjectAlarm(objectOf(id))
  return stored(id)
}

/** Moves the clock (Date alone, until `vi.useRealTimers`) on until the PSP may be asked about the same payment again. */
export function waitForNextPull(): void {
  void vi.setSystemTime(Date.now() + PULLS_APART)
}

/**
 * Waits until a job's report is delivered and its row is taken: then nothing is to come but the purge. An object that was put to rest
 * before it saved that the queue has the row sends it once more at the time of that, which is rung for here.
 */
export async function untilNothingIsDue(id: string): Promise<Job> {
  await vi.waitFor(async () => expect((await stored(id)).reports.at(-1)?.state).toBe('delivered'))
  const isTaken = async () => expect((await stored(id)).indexAt).toBeNull()
  await vi.waitFor(isTaken, 2000).catch(async () => {
    if ((await stored(id)).indexAt !== null) await ringNext(id)
    await vi.waitFor(isTaken)
  })
  return stored(id)
}

/** Rings alarm after alarm until the job has its final status. A job that needs too many of them is stuck. */
export async function ringUntilFinal(id: string): Promise<Job> {
  let job = await stored(id)
  for (let rings = 0; job.status === 'PENDING'; rings++) {
    if (rings === 60) throw new Error('the job stays PENDING')
    job = await ringNext(id)
  }
  return job
}

/** Rings alarm after alarm until a time (ms) has passed. */
export async function ringFor(id: string, time: number): Promise<void> {
  const end = Date.now() + time
  while (Date.now() < end) await ringNext(id)
}

/** Whether a promise is still waiting, once all that can happen by itself has happened. */
export async function isWaiting(promise: Promise<unknown>): Promise<boolean> {
  const soon = new Promise((resolve) => setTimeout(resolve, 20, 'waiting'))
  return (await Promise.race([promise, soon])) === 'waiting'
}
