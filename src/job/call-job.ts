import { waitUntil } from 'cloudflare:workers'
import { type Result, ok, refuse } from '../contract/result.ts'
import { currentRequestId } from '../platform/request-context.ts'
import type { InstructionRefusal, InstructionRequest } from './core/instruct.ts'
import { findInstruction } from './core/instructions.ts'
import type { Instruction } from './core/payment.ts'
import { type ReadEntry, fold, readEntry, versionOf } from './core/journal.ts'
import type { Birth, FactOf, Wisher } from './core/facts.ts'
import { SHAPE, type State, isPending, statusOf } from './core/state.ts'
import type { AskResult } from './ask-psp.ts'
import type { AskReason } from './core/who-may-ask.ts'
import type { KnownJob } from './tombstone.ts'
import { parseJobId } from '../contract/ids.ts'
import { UnreadableError, isRecord, isUnreadable } from '../platform/stored.ts'
import { unlessAborted, withDeadline } from '../platform/deadline.ts'
import { log } from '../platform/log.ts'
import { namedObject } from '../platform/named-object.ts'
type Stub = ReturnType<Env['PAYMENT_JOB']['get']>

const TRIES = 3
/** How long (ms) a call waits for an object: a stop takes up to four requests to a PSP. */
const LONGEST = 40_000
/** The same for a call that asks no PSP. */
const LONGEST_QUICK = 10_000

/**
 * Calls a job's object. Tries again with a new stub if the platform calls the error retryable.
 * https://developers.cloudflare.com/durable-objects/best-practices/error-handling/
 * A job in the answer has the shape of this release, whatever the release of the object. Throws, as for an
 * outage, if there is no answer within `patience` (ms).
 */
export function callJob<T>(
  env: Env,
  id: string,
  call: (job: Stub) => Promise<T>,
  patience = LONGEST,
): Promise<T> {
  return withDeadline(patience, (signal) => unlessAborted(signal, tryToCall(env, id, call)))
}

async function tryToCall<T>(env: Env, id: string, call: (job: Stub) => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await inOwnShape(env, id, await call(namedObject(env, env.PAYMENT_JOB, id)))
    } catch (error) {
      if (tries === TRIES || !isRetryable(error)) throw error
      await new Promise((resolve) => setTimeout(resolve, 50 * 2 ** tries * Math.random()))
    }
  }
}

/**
 * While a release is deployed, Workers call objects of another release. If an object's state has another
 * shape, the Worker folds the object's journal by its own rules instead.
 */
async function inOwnShape<T>(env: Env, id: string, answer: T): Promise<T> {
  const job = jobIn(answer)
  if (job && job['shape'] !== SHAPE) Object.assign(job, fold(await readEntries(env, id)))
  return answer
}

/** Returns the state that an answer is or contains. */
function jobIn(answer: unknown): Record<string, unknown> | undefined {
  if (!isRecord(answer)) return undefined
  return [answer, answer['job'], answer['value']].filter(isRecord).find((one) => 'standing' in one)
}

function isRetryable(error: unknown): boolean {
  return (
    error instanceof Error &&
    'retryable' in error &&
    error.retryable === true &&
    !('overloaded' in error && error.overloaded === true)
  )
}

/** Calls one job of many. Logs a job that this release cannot read, so that the caller can go on. */
export async function callReadableJob<T>(
  env: Env,
  id: string,
  call: (job: Stub) => Promise<T>,
): Promise<T | 'unreadable'> {
  try {
    return await callJob(env, id, call)
  } catch (error) {
    if (!isUnreadable(error)) throw error
    log.fault('stored.unreadable', error, { job: id })
    return 'unreadable'
  }
}

/** Reads the job that a path names, in small or capital letters; null for an unknown id. */
export async function readJob(env: Env, text: string): Promise<State | null> {
  const id = parseJobId(text)
  return id === null ? null : callJob(env, id, (stub) => stub.read(), LONGEST_QUICK)
}

/** Returns a job as it stood at the end of a millisecond of its own clock; null before it began. */
export async function readJobAt(env: Env, text: string, time: number): Promise<State | null> {
  return fold((await readEntries(env, text)).filter(({ at }) => at < (time + 1) * 1000))
}

/**
 * Reads the journal of a job without its personal data; empty for an unknown id. Throws if an object of a
 * later release hands over an entry that this one cannot read.
 */
export async function readEntries(env: Env, text: string): Promise<ReadEntry[]> {
  const id = parseJobId(text)
  if (id === null) return []
  const entries = await callJob<ReadEntry[]>(env, id, async (stub) => stub.entries(), LONGEST_QUICK)
  for (const entry of entries) {
    const read = readEntry(entry.number, entry)
    if (!read.ok) throw new UnreadableError(`the journal of job ${id}`, { is: 'newer', ...read.error })
  }
  return entries
}

/** Creates the job, or finds it created, in an object that understands its order. */
export function createJob(env: Env, birth: Birth): Promise<State> {
  const isKnownToFirst = versionOf([birth.created]) === 1
  return callJob<State>(
    env,
    birth.created.id,
    async (stub) => (isKnownToFirst ? stub.create(birth) : stub.createReserving(birth)),
    LONGEST_QUICK,
  )
}

/** Returns what an Idempotency-Key made before; null for a new key. */
export function lookUp(env: Env, id: string): Promise<KnownJob | null> {
  return callJob<KnownJob | null>(env, id, async (stub) => stub.lookUp(), LONGEST_QUICK)
}

/** Has a job's object perform its duties. Returns false without a job; throws when unreadable. */
export function wakeJob(env: Env, id: string): Promise<boolean> {
  return callJob<boolean>(env, id, async (stub) => stub.wake())
}

/**
 * Asks the PSP how a job's payment stands, and records the answer. `isSigned`: only the PSP can have sent
 * the notification. Null for an unknown id, and for a notification that the object has set aside.
 */
export function askJob(
  env: Env,
  id: string,
  why: AskReason,
  notified?: FactOf<'notified'>,
  isSigned = false,
): Promise<AskResult | null> {
  const wish = { why, request: currentRequestId(), isSigned, ...(notified ? { notified } : {}) }
  return goingOn(callJob<AskResult | null>(env, id, async (stub) => stub.ask(wish)))
}

/** Announces a job now, for its customer or an operator. Null for an unknown id. */
export function announceJob(env: Env, id: string, by: 'customer' | 'operator'): Promise<State | null> {
  const request = currentRequestId()
  return goingOn(callJob<State | null>(env, id, async (stub) => stub.announce(by, request)))
}

export type NotCancelled = { is: 'unavailable' } | { is: 'too-late'; job: State }

/** Stops an open payment and cancels the job, or finds it cancelled. Null for an unknown id. */
export async function cancelJob(
  env: Env,
  id: string,
  by: Wisher,
): Promise<Result<State, NotCancelled> | null> {
  const request = currentRequestId()
  const asked = await goingOn(callJob<AskResult | null>(env, id, async (stub) => stub.cancel(by, request)))
  if (asked === null) return null
  const { job, isAnswered } = asked
  // A terminal only gets the request to cancel: how the payment ends is the PSP's word.
  const isPassedOn = job.order.terminal !== undefined && job.cancel !== null && isAnswered && isPending(job)
  if (statusOf(job) === 'CANCELLED' || isPassedOn) return ok(job)
  return isAnswered || statusOf(job) !== 'PENDING'
    ? refuse({ is: 'too-late', job })
    : refuse({ is: 'unavailable' })
}

/**
 * Captures, releases or refunds: the object decides, records that, and asks the PSP. `done` is null if an
 * earlier instruction already does what is wanted. Null for an unknown id.
 */
export async function requestInstruction(
  env: Env,
  id: string,
  wanted: InstructionRequest,
): Promise<Result<{ job: State; done: Instruction | null }, InstructionRefusal> | null> {
  const request = currentRequestId()
  const instructed = await goingOn(
    callJob<Result<State, InstructionRefusal> | null>(env, id, async (stub) =>
      // Objects of release 1.0 only refund, and their refusals name no kind.
      wanted.kind === 'refund' ? stub.refund(wanted, request) : stub.instruct(wanted, request),
    ),
  )
  if (!instructed) return null
  if (!instructed.ok) return refuse({ ...instructed.error, kind: wanted.kind })
  const job = instructed.value
  return ok({ job, done: findInstruction(job, wanted.id) ?? null })
}

/** Keeps the work going when the client that caused it disconnects. */
export function goingOn<T>(work: Promise<T>): Promise<T> {
  waitUntil(work.catch(() => {}))
  return work
}
