import type { RefundAnswer } from '../psp/answer.ts'
import { waitUntil } from 'cloudflare:workers'
import type { Job } from './rules/job.ts'
import { jobNow } from '../contract/job-clock.ts'
import type { Refund } from './rules/refund.ts'
import { type RefundRefusal, type WantedRefund, findRefund } from './rules/refund-request.ts'
import { type Result, ok } from '../contract/result.ts'
import { log } from '../platform/log.ts'
import { unavailable } from '../psp/http-client.ts'
import type { PaidPayment, RefundRequest } from '../psp/port.ts'
import { callJob } from './call-job.ts'
import { pspOf } from './ask-psp.ts'
import { syncWithPsp } from './sync-with-psp.ts'

/** A job with one of its refunds. */
export type Refunded = { job: Job; refund: Refund }

/**
 * Refunds a payment: the object decides and remembers, then the PSP is asked. When its answer is lost the refund stays `asking`, and
 * the job's alarm asks what became of it. Null for an unknown id.
 */
export async function refundPayment(
  env: Env,
  id: string,
  wanted: Omit<WantedRefund, 'call'>,
): Promise<Result<Refunded, RefundRefusal> | null> {
  const call = crypto.randomUUID()
  const begun = await callJob<Result<Job, RefundRefusal> | null>(env, id, async (stub) =>
    stub.beginRefund({ ...wanted, call }),
  )
  if (!begun?.ok) return begun
  const refund = findRefund(begun.value, wanted.id)
  if (!refund) return null
  if (refund.call !== call || refund.state !== 'asking') return ok({ job: begun.value, refund })
  const asked = askAndRecord(env, begun.value, refund)
  waitUntil(asked.catch(() => {}))
  return ok(await asked)
}

/** It goes on when the client who caused it has gone. */
async function askAndRecord(env: Env, job: Job, refund: Refund): Promise<Refunded> {
  const answer = await askFor(env, job, refund)
  const isOpen = answer.is === 'unavailable'
  // Where the PSP refuses the account, nothing was taken, and no later answer would say so.
  const outcome = isOpen && answer.accountRefused ? ({ ...answer, is: 'refused' } as const) : answer
  const ended = await callJob(env, job.id, (stub) => stub.endRefund(refund.id, outcome))
  const known = ended && findRefund(ended, refund.id)
  if (!isOpen) waitUntil(pullTotals(env, job))
  return ended && known ? { job: ended, refund: known } : { job, refund }
}

/** What went back stands in the payment now. A refusal may be for money that went back at the PSP itself, unknown to the hub. */
async function pullTotals(env: Env, { id, pos }: Job): Promise<void> {
  try {
    await syncWithPsp(env, id, { reason: 'refund' })
  } catch (error) {
    log.fault('psp.pull-failed', error, { job: id, pos })
  }
}

async function askFor(env: Env, job: Job, refund: Refund): Promise<RefundAnswer> {
  try {
    const payment = paymentOf(job)
    if (!payment) return { is: 'unknown' }
    const answer = await (await pspOf(env, job)).refund(payment, requestOf(job, refund))
    if (answer.is !== 'unavailable') return answer
    const fields = { job: job.id, pos: job.pos, account: job.account, message: answer.message }
    if (answer.accountRefused) log.error('psp.account-refused', fields)
    else log.warn('psp.refund-unanswered', fields)
    return answer
  } catch (error) {
    log.fault('psp.refund-failed', error, { job: job.id, pos: job.pos })
    return unavailable('The refund could not be asked for.')
  }
}

/** Asks what became of a refund; or for it once more under its key, where the PSP cannot say whether it was reached at all. */
export async function checkRefund(env: Env, job: Job, id: string): Promise<RefundAnswer> {
  const refund = findRefund(job, id)
  const payment = paymentOf(job)
  if (!refund || !payment) return { is: 'unknown' }
  const psp = await pspOf(env, job)
  const wanted = requestOf(job, refund)
  const isKeyKnown = jobNow(job.clock, Date.now()) < refund.at + (psp.refundKeyLife ?? 0)
  return refund.state === 'asking' && isKeyKnown
    ? psp.refund(payment, wanted)
    : psp.pullRefund(payment, { ...wanted, reference: refund.reference })
}

function paymentOf({ id, announcement, moneyBack }: Job): PaidPayment | null {
  return announcement.is === 'announced'
    ? { job: id, reference: announcement.reference, payment: moneyBack?.payment ?? null }
    : null
}

function requestOf({ order }: Job, { id, amount, description }: Refund): RefundRequest {
  return {
    id,
    amount,
    currency: order.currency,
    description,
  }
}
