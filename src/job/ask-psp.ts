import type { Job } from './rules/job.ts'
import type { PullAnswer } from '../psp/answer.ts'
import { type PullReason, type PullResult, isReserved, isToBeStopped } from './rules/pull.ts'
import { log } from '../platform/log.ts'
import { SILENT_PSP, openAccount } from '../psp/connect.ts'
import { unavailable } from '../psp/http-client.ts'
import type { ClaimedStatus, Psp } from '../psp/port.ts'

/** Why the PSP is asked, and what it has claimed. */
type Question = { reason: PullReason; claimedStatus?: ClaimedStatus }

/**
 * Asks the PSP how a job's payment stands; stops or captures it where that is due. Never throws: a fault of ours is no answer, and must
 * end the turn that others wait for.
 */
export async function askPsp(env: Env, job: Job, question: Question): Promise<PullResult> {
  try {
    const result = await pullFromPsp(env, job, question)
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

async function pullFromPsp(env: Env, job: Job, { reason, claimedStatus }: Question): Promise<PullResult> {
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
export async function pspOf(env: Env, { id, pos, account, origin }: Job): Promise<Psp> {
  const psp = await openAccount(env, account, origin)
  if (!psp) log.error('psp.account-unknown', { job: id, pos, account })
  return psp ?? SILENT_PSP
}

/** A claimed status counts while the API says PENDING. It is never SUCCESS. */
function withClaim(pulled: PullAnswer, claimedStatus: ClaimedStatus | undefined): PullAnswer {
  return claimedStatus !== undefined && pulled.is === 'observed' && pulled.status === 'PENDING'
    ? { ...pulled, status: claimedStatus }
    : pulled
}
