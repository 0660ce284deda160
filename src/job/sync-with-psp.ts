import type { Told } from '../psp/answer.ts'
import { exports, waitUntil } from 'cloudflare:workers'
import type { Canceller, Job } from './rules/job.ts'
import { type PullReason, type PullResult, isAnswered } from './rules/pull.ts'
import { log } from '../platform/log.ts'
import type { ClaimedStatus } from '../psp/port.ts'
import { currentRequestId } from '../platform/request-context.ts'
import { askPsp } from './ask-psp.ts'
import { callJob } from './call-job.ts'

/**
 * A wish to pull a job's status, under an id of its own. One that is about a certain payment names it, and changes nothing
 * where the job has another. What the PSP claims counts where its API does not tell; what it told in a notification alone
 * is remembered first.
 */
export type PullCall = {
  id: string
  reason: PullReason
  about?: { account: string; reference: string | null }
  claimedStatus?: ClaimedStatus
  told?: Told
  /** Whose wish a `cancel` is. */
  by?: Canceller
  /** The id of the request that brought it; none where an alarm did. */
  request?: string
  /** Set where who ends the pull tries the report that it calls for. Others leave that to the queue. */
  reports?: true
}

/** A job after a pull. `toReport` is the revision whose report is left to who ended the pull. */
export type EndedPull = Job & { toReport?: number }

/** What a job's object answers to a call: that the PSP is to be asked, or how the job stands. */
export type PullTurn = { is: 'pull'; job: Job } | { is: 'done'; job: Job; isAnswered: boolean }

/** A job's object, called directly or by RPC. */
export type PullObject = {
  beginPull: (call: PullCall) => Promise<PullTurn | null>
  endPull: (call: PullCall, result: PullResult) => Promise<EndedPull | null> | EndedPull | null
}

/** How a job stands after a pull. `isAnswered` is false when the PSP did not answer: it is worth asking again. */
export type Synced = { job: EndedPull; isAnswered: boolean }

/**
 * Asks the PSP how a job's payment stands, and records the answer. It goes on when the client who caused it has gone. Null
 * for an unknown id.
 */
export function syncWithPsp(
  env: Env,
  id: string,
  call: Omit<PullCall, 'id' | 'reports'>,
): Promise<Synced | null> {
  const named = { ...call, id: crypto.randomUUID(), request: currentRequestId(), reports: true } as const
  const synced = syncOverRpc(env, id, named)
  waitUntil(synced.catch(() => {}))
  return synced
}

/** Nobody waits for the answer to a notification but the PSP, and nobody at all for the look after a refund. */
const NOT_WAITED_FOR: ReadonlySet<PullReason> = new Set(['notification', 'claim', 'refund'])

async function syncOverRpc(env: Env, id: string, call: PullCall): Promise<Synced | null> {
  const isWaitedFor = !NOT_WAITED_FOR.has(call.reason)
  const synced = await (isWaitedFor ? syncInObject(env, id, call) : syncInWorker(env, id, call))
  if (synced?.job.toReport !== undefined) waitUntil(tryReport(synced.job, synced.job.toReport))
  return synced
}

/** The object asks the PSP, within one call: who waits has the answer soonest. */
function syncInObject(env: Env, id: string, call: PullCall): Promise<Synced | null> {
  return callJob<Synced | null>(env, id, async (stub) => stub.pull(call))
}

/** The Worker asks the PSP, between two calls of the object, whose time is not paid for meanwhile. */
function syncInWorker(env: Env, id: string, call: PullCall): Promise<Synced | null> {
  return sync(env, call, {
    beginPull: () => callJob<PullTurn | null>(env, id, async (stub) => stub.beginPull(call)),
    endPull: (_, result) => callJob(env, id, (stub) => stub.endPull(call, result)),
  })
}

/** Tries a report at once, in an invocation of its own. What does not come to its end is sent by the queue once it counts as lost. */
async function tryReport(job: Job, revision: number): Promise<void> {
  try {
    await exports.ReportDelivery.attempt({ job: job.id, revision }, job)
  } catch (error) {
    log.fault('report.not-tried', error, { job: job.id, revision })
  }
}

/**
 * Begins a pull, asks the PSP if it is this call's turn, and ends the pull. Calls about one job at the same time share one
 * request to the PSP, wherever they come from.
 */
export async function sync(env: Env, call: PullCall, object: PullObject): Promise<Synced | null> {
  const turn = await object.beginPull(call)
  if (turn === null || turn.is === 'done') return turn
  const result = await askPsp(env, turn.job, call)
  const job = await object.endPull(call, result)
  return job && { job, isAnswered: isAnswered(result) }
}
