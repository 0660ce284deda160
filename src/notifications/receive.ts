import type { IRequest } from 'itty-router'
import { isJobId } from '../domain/job-id.ts'
import type { Job } from '../domain/job.ts'
import type { PullAnswer } from '../domain/psp-answer.ts'
import { readText } from '../http/body.ts'
import type { Answer } from '../http/routes.ts'
import { callJob } from '../payment-job/call-job.ts'
import { connect } from '../psp/connect.ts'
import type { NotifiedPayment, Psp } from '../psp/port.ts'
import { SANDBOX_ACCOUNT } from '../domain/account.ts'
import { accountOf } from '../storage/kv/account-cache.ts'

/**
 * `POST /notifications/{account}`, and `…/{account}/{job}` for a PSP that takes an address with each payment: payments
 * changed. The PSP's word is a reason to pull. What is unknown gets a 200 too: a PSP switches a webhook off that answers
 * errors, and nobody learns which jobs exist.
 */
export const receive = async (request: IRequest & Request, env: Env): Promise<Answer> => {
  const { account: id = '', job } = request.params
  const [body, account] = await Promise.all([
    readText(request),
    id === SANDBOX_ACCOUNT.id ? SANDBOX_ACCOUNT : accountOf(env, id),
  ])
  if (typeof body !== 'string') return body
  if (!account) return new Response('OK')
  const psp = await connect(env, account, new URL(request.url).origin)
  const reading = await psp.readNotification({
    job: job && isJobId(job) ? job : null,
    headers: request.headers,
    body,
    at: Date.now(),
  })
  if (reading.is === 'unauthentic') {
    console.warn({ event: 'notification.unauthentic', account: account.id })
    return unsigned
  }
  if (reading.is === 'unavailable') return notNow
  const taken = await Promise.all(reading.payments.map((payment) => takeIn(env, account.id, psp, payment)))
  return taken.every(Boolean) ? new Response(psp.accepted) : notNow
}

const unsigned = {
  refused: 'unauthenticated',
  detail: 'The notification is not signed by the PSP.',
  tokenGiven: false,
} as const

const notNow = {
  refused: 'unavailable',
  detail: 'The status could not be pulled. Notify again.',
  retryAfter: 60,
} as const

/** Pulls a payment that a notification is about. False when the PSP does not answer now: let it notify again. */
const takeIn = async (env: Env, account: string, psp: Psp, payment: NotifiedPayment): Promise<boolean> => {
  const job = isJobId(payment.job) ? await callJob(env, payment.job, (stub) => stub.read()) : null
  if (job?.account !== account || job.announcement.is !== 'announced' || hasSettled(job)) return true
  const { reference } = job.announcement
  if (payment.reference !== null && payment.reference !== reference) return true
  const pulled = await psp.pull(reference, job.order.currency)
  const seen = withClaim(pulled, payment)
  await callJob(env, job.id, (stub) => stub.record('Statuspull', seen))
  return seen.is !== 'unavailable'
}

/** What the notification says counts where the PSP's API cannot tell it. It never makes a payment of nothing. */
const withClaim = (pulled: PullAnswer, { claimedStatus }: NotifiedPayment): PullAnswer =>
  claimedStatus !== null && pulled.is === 'observed' && pulled.status === 'PENDING'
    ? { ...pulled, status: claimedStatus }
    : pulled

/** Nothing leaves SUCCESS, and the trace has it from a pull already. */
const hasSettled = (job: Job): boolean =>
  job.steps.some((step) => step.action === 'Statuspull' && step.status === 'SUCCESS')
