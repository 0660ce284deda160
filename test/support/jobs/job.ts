import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect, vi } from 'vitest'
import { realAt } from '../../../src/contract/advance.ts'
import { duties } from '../../../src/job/core/duties.ts'
import { type JobRow, isIndexed, rowOf } from '../../../src/job/core/row.ts'
import { type State, isPending } from '../../../src/job/core/state.ts'
import type { AskAnswer } from '../../../src/psp/answer.ts'
import { backOf } from '../../../src/job/core/money.ts'

/** The retention time of wrangler.toml, in milliseconds. */
export const RETENTION = Number(env.RETENTION_DAYS) * 86_400_000

export function objectOf(id: string) {
  return env.PAYMENT_JOB.getByName(id)
}

/** Returns when (ms) the alarm of a job's object rings; null if none is set. */
export function alarmOf(id: string) {
  return runInDurableObject(objectOf(id), (_, { storage }) => storage.getAlarm())
}

/** Counts the watchers of a job whose socket is open. */
export function watchersOf(id: string): Promise<number> {
  return runInDurableObject(
    objectOf(id),
    (_, ctx) => ctx.getWebSockets().filter(({ readyState }) => readyState === WebSocket.OPEN).length,
  )
}

type JobStub = ReturnType<typeof objectOf>

/** Replaces some methods of a job's object until mocks are restored. */
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

type Shown = Pick<JobRow, 'account' | 'status' | 'announcement' | 'reference' | 'paid'>

/** The stored job, with members that tests often need. */
export type Stored = State & Shown & ReturnType<typeof backOf>

export async function stored(id: string): Promise<Stored> {
  const job = await objectOf(id).read()
  if (!job) throw new Error(`there is no job ${id}`)
  return storedOf(job)
}

export function storedOf(job: State): Stored {
  const { account, status, announcement, reference, paid } = rowOf(job)
  return { ...job, ...backOf(job), account, status, announcement, reference, paid }
}

/** Records an answer of the PSP after a notification or a customer's return. */
export async function recordAnswer(
  id: string,
  answer: AskAnswer,
  reason: 'notification' | 'return' = 'notification',
) {
  const [payment] = (await stored(id)).payments
  if (!payment) throw new Error(`no account took the order of ${id}`)
  const { account, reference } = payment
  const question = {
    where: { account, reference },
    asked: Date.now(),
    why: reason === 'return' ? ('back' as const) : ('other' as const),
  }
  await objectOf(id).tell({ do: 'record-answer', question, answers: [{ answer }] })
}

/** Returns the PSP's reference of a job's payment. */
export async function referenceOf(id: string): Promise<string> {
  const [payment] = (await stored(id)).payments
  if (!payment) throw new Error(`the payment of ${id} was not announced`)
  return payment.reference
}

/**
 * Returns when (ms) the job's next duty except its row is due, or its alarm if that duty is under way. First
 * gives a report in the queue some real time to arrive, because a fake clock leaves it none.
 */
async function nextRing(id: string): Promise<number> {
  const state = await stored(id)
  const owed = duties(state, Date.now() + state.clock.offset, RETENTION)
  const next = owed.find((duty) => duty.do !== 'row')
  const due = next ? realAt(state.clock, next.at) : 0
  if (due > Date.now()) return due
  if (next?.do === 'report') await new Promise((resolve) => setTimeout(resolve, 10))
  return (await alarmOf(id)) ?? 0
}

async function ringAt(id: string, time: number): Promise<void> {
  vi.setSystemTime(Math.max(time, Date.now()) + 1)
  await runDurableObjectAlarm(objectOf(id))
}

/**
 * Moves the clock (only Date, until `vi.useRealTimers`) to the job's next duty, and runs the
 * alarm.
 */
export async function ringNext(id: string): Promise<Stored> {
  await ringAt(id, await nextRing(id))
  return stored(id)
}

/** For this long (ms) after an answer, the hub does not ask about the same payment again. */
const PULLS_APART = 2000

/**
 * Moves the clock (only Date, until `vi.useRealTimers`) to when the hub may ask about the same payment again.
 */
export function waitForNextPull(): void {
  void vi.setSystemTime(Date.now() + PULLS_APART)
}

/** Waits until the report is delivered and the queue has the row: only the purge remains. */
export async function untilNothingIsDue(id: string): Promise<Stored> {
  await vi.waitFor(async () => {
    const job = await stored(id)
    expect([job.report?.state, isIndexed(job)]).toEqual(['delivered', true])
  })
  return stored(id)
}

/** Rings alarm after alarm until the job has its final status. Throws if that takes too many. */
export async function ringUntilFinal(id: string): Promise<Stored> {
  let job = await stored(id)
  for (let rings = 0; isPending(job); rings++) {
    if (rings === 60) throw new Error('the job stays PENDING')
    job = await ringNext(id)
  }
  return job
}

/** Rings every alarm of the next `time` (ms). */
export async function ringFor(id: string, time: number): Promise<void> {
  const end = Date.now() + time
  for (let next = await nextRing(id); next < end && Date.now() < end; next = await nextRing(id))
    await ringAt(id, next)
  vi.setSystemTime(end)
}
