import { exports, waitUntil } from 'cloudflare:workers'
import type { Canceller, Job } from '../domain/job.ts'
import type { Told } from '../domain/money-back.ts'
import type { PullAnswer } from '../domain/psp-answer.ts'
import { type PullReason, type PullResult, isAnswered, isReserved, isToBeStopped } from '../domain/pull.ts'
import { log } from '../log.ts'
import { SILENT_PSP, openAccount } from '../psp/connect.ts'
import { currentRequestId } from '../request-context.ts'
import { unavailable } from '../psp/http-client.ts'
import type { ClaimedStatus, Psp } from '../psp/port.ts'
import { callJob } from './call-job.ts'
import { isOfReleaseBefore } from '../http/outage.ts'
import { objectOfRelease01 } from './release-0.1.ts'

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
  /** The id of the request that brought it. Workers of release 0.1 name none. */
  request?: string
  /** Set where who ends the pull tries the report that it calls for. Others leave that to the queue. */
  reports?: true
}

/** A job after a pull. `toReport` is the revision whose report is left to who ended the pull; objects of release 0.4.0 leave none. */
export type EndedPull = Job & { toReport?: number }

/** What a job's object answers to a call: that the PSP is to be asked, or how the job stands. */
export type PullTurn = { is: 'pull'; job: Job } | { is: 'done'; job: Job; isAnswered: boolean }

/** A job's object, called directly or by RPC. */
export type PullObject = {
  beginPull: (call: PullCall) => Promise<PullTurn | null>
  endPull: (call: PullCall, result: PullResult) => Promise<EndedPull | null> | EndedPull | null
}

/** How a job stands after a pull. `isAnswered` is false when the PSP did not answer: it is worth asking again. */
type Synced = { job: Job; isAnswered: boolean }

/**
 * Asks the PSP how a job's payment stands, and records the answer. It goes on when the client who caused it has gone. Null
 * for an unknown id.
 */
export const syncWithPsp = (env: Env, id: string, call: Omit<PullCall, 'id'>): Promise<Synced | null> => {
  const synced = syncOverRpc(env, id, { ...call, id: crypto.randomUUID(), request: currentRequestId() })
  waitUntil(synced.catch(() => {}))
  return synced
}

const syncOverRpc = async (env: Env, id: string, call: PullCall): Promise<Synced | null> => {
  try {
    return await sync(env, call, objectOf(env, id))
  } catch (error) {
    if (!isOfReleaseBefore(error)) throw error
    return sync(env, call, objectOfRelease01(env, id))
  }
}

const objectOf = (env: Env, id: string): PullObject => ({
  beginPull: (call) => callJob<PullTurn | null>(env, id, async (stub) => stub.beginPull(call)),
  endPull: async (call, result) => {
    const job = await callJob(env, id, (stub) => stub.endPull({ ...call, reports: true }, result))
    if (job?.toReport !== undefined) waitUntil(tryReport(job, job.toReport))
    return job
  },
})

/** Tries a report at once, in an invocation of its own. What does not come to its end is sent by the queue once it counts as lost. */
const tryReport = async (job: Job, revision: number): Promise<void> => {
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
export const sync = async (env: Env, call: PullCall, object: PullObject): Promise<Synced | null> => {
  const turn = await object.beginPull(call)
  if (turn === null || turn.is === 'done') return turn
  const result = await pullFromPsp(env, turn.job, call)
  const job = await object.endPull(call, result)
  return job && { job, isAnswered: isAnswered(result) }
}

/** Never throws: a fault of ours is no answer, and must end the turn that others wait for. */
const pullFromPsp = async (env: Env, job: Job, call: PullCall): Promise<PullResult> => {
  try {
    const result = await askPsp(env, job, call)
    const { answer } = result
    if (answer.is === 'unavailable') {
      const fields = { job: job.id, pos: job.pos, account: job.account, message: answer.message }
      if (answer.accountRefused) log.error('psp.account-refused', fields)
      // A word that the adapter does not know is among these: an operator has to see it.
      else log.warn('psp.unavailable', fields)
    }
    if (answer.is === 'unknown') {
      log.warn('psp.payment-unknown', { job: job.id, pos: job.pos, account: job.account })
    }
    return result
  } catch (error) {
    log.fault('psp.pull-failed', error, { job: job.id, pos: job.pos })
    return { answer: unavailable('The status could not be pulled.'), stopped: false }
  }
}

const askPsp = async (env: Env, job: Job, { reason, claimedStatus }: PullCall): Promise<PullResult> => {
  if (job.announcement.is !== 'announced') return { answer: { is: 'unknown' }, stopped: false }
  const { reference } = job.announcement
  const psp = await pspOf(env, job)
  const answer = withClaim(await psp.pull(reference, job.order.currency), claimedStatus)
  if (isToBeStopped(job, reason, answer))
    return { answer: await psp.stop(reference, job.order.currency), stopped: true }
  if (isReserved(answer) && job.status !== 'SUCCESS' && psp.capture) {
    const captured = await psp.capture(reference, job.order.amount, job.order.currency)
    const isSilent = captured.is === 'unavailable' && !captured.accountRefused
    return { answer: captured, stopped: false, ...(isSilent ? { reserved: answer } : {}) }
  }
  return { answer, stopped: false }
}

/** The PSP that holds a job's payment; one that stays silent while its account cannot be found. */
export const pspOf = async (env: Env, { id, pos, account, origin }: Job): Promise<Psp> => {
  const psp = await openAccount(env, account, origin)
  if (!psp) log.error('psp.account-unknown', { job: id, pos, account })
  return psp ?? SILENT_PSP
}

/** A claimed status counts while the API says PENDING. It is never SUCCESS. */
const withClaim = (pulled: PullAnswer, claimedStatus: ClaimedStatus | undefined): PullAnswer =>
  claimedStatus !== undefined && pulled.is === 'observed' && pulled.status === 'PENDING'
    ? { ...pulled, status: claimedStatus }
    : pulled
