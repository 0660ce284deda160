import type { Job } from '../domain/job.ts'
import { type Reason, type Seen, isToBeStopped } from '../domain/look.ts'
import type { PullAnswer } from '../domain/psp-answer.ts'
import { log } from '../log.ts'
import { SILENT_PSP, openAccount } from '../psp/connect.ts'
import type { ClaimedStatus, Psp } from '../psp/port.ts'
import { callJob } from './call-job.ts'
import { isOfRelease01, lookerOfRelease01 } from './release-0.1.ts'

/**
 * Why a job is looked at. A look that is about one payment names it, and changes nothing where the job has another. What
 * the PSP claims counts where its API does not tell.
 */
export type Look = {
  reason: Reason
  about?: { account: string; reference: string | null }
  claimedStatus?: ClaimedStatus
}

/** What a job's object answers to a look: that the PSP is to be asked, or how the job stands. */
export type LookTurn =
  | { is: 'pull'; ticket: number; job: Job }
  | { is: 'done'; job: Job; isAnswered: boolean }

/** The object of a job, or the way to it: both take part in a look alike. */
export type Looker = {
  beginLook: (look: Look) => Promise<LookTurn | null>
  endLook: (ticket: number, look: Look, seen: Seen) => Promise<Job | null> | Job | null
}

/** How a job stands after a look. `isAnswered` is false when the PSP did not answer: it is worth asking again. */
export type Synced = { job: Job; isAnswered: boolean }

/** Looks at how a job's payment stands at its PSP, and records it. Null for an unknown id. */
export const syncWithPsp = async (env: Env, id: string, look: Look): Promise<Synced | null> => {
  try {
    return await sync(env, look, lookerOf(env, id))
  } catch (error) {
    if (!isOfRelease01(error)) throw error
    return sync(env, look, lookerOfRelease01(env, id))
  }
}

const lookerOf = (env: Env, id: string): Looker => ({
  beginLook: (look) => callJob<LookTurn | null>(env, id, async (stub) => stub.beginLook(look)),
  endLook: (ticket, look, seen) => callJob(env, id, (stub) => stub.endLook(ticket, look, seen)),
})

/**
 * Begins a look, asks the PSP if it is this look's turn, and ends the look. Looks at one job at the same time share one
 * request to the PSP, wherever they come from.
 */
export const sync = async (env: Env, look: Look, object: Looker): Promise<Synced | null> => {
  const turn = await object.beginLook(look)
  if (turn === null || turn.is === 'done') return turn
  const seen = await lookAtPsp(env, turn.job, look)
  const job = await object.endLook(turn.ticket, look, seen)
  return job && { job, isAnswered: seen.answer.is !== 'unavailable' }
}

const lookAtPsp = async (env: Env, job: Job, { reason, claimedStatus }: Look): Promise<Seen> => {
  if (job.announcement.is !== 'announced') return { answer: { is: 'unknown' }, stopped: false }
  const { reference } = job.announcement
  const psp = await pspOf(env, job)
  const answer = withClaim(await psp.pull(reference, job.order.currency), claimedStatus)
  return isToBeStopped(job, reason, answer)
    ? { answer: await psp.stop(reference, job.order.currency), stopped: true }
    : { answer, stopped: false }
}

/** The PSP that holds a job's payment; one that stays silent while its account cannot be found. */
const pspOf = async (env: Env, { account, origin }: Job): Promise<Psp> => {
  const psp = await openAccount(env, account, origin)
  if (!psp) log.error('psp.account-unknown', { account })
  return psp ?? SILENT_PSP
}

/** What the notification says counts where the PSP's API cannot tell it. It never makes a payment of nothing. */
const withClaim = (pulled: PullAnswer, claimedStatus: ClaimedStatus | undefined): PullAnswer =>
  claimedStatus !== undefined && pulled.is === 'observed' && pulled.status === 'PENDING'
    ? { ...pulled, status: claimedStatus }
    : pulled
