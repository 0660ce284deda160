import type { Job } from './rules/job.ts'
import type { OtherFound, OtherPlace } from './rules/other-payments.ts'
import { isOpen } from './rules/pull.ts'
import { log } from '../platform/log.ts'
import { openAccount } from '../psp/connect.ts'
import { DEADLINE } from '../psp/http-client.ts'
import { withDeadline } from '../platform/deadline.ts'
import type { Psp } from '../psp/port.ts'
import { paymentRequestOf } from './payment-request.ts'

/**
 * Looks after a payment that an account may hold beside the job's own, and stops it. To find it the order is announced there once
 * more: under the same idempotency key the PSP gives back the payment that it has. One that it makes anew is stopped at once.
 */
export async function lookAtOther(
  env: Env,
  job: Job,
  { account, reference: known }: OtherPlace,
): Promise<OtherFound> {
  const psp = await openAccount(env, account, job.origin)
  if (!psp) return { is: 'unavailable' }
  const reference = known ?? (await referenceAt(psp, job, account))
  if (typeof reference !== 'string') return reference
  const { currency } = job.order
  const seen = await psp.pull(reference, currency)
  // Money that is under way or reserved is left alone: it is looked at again.
  const answer = isOpen(seen) ? await psp.stop(reference, currency) : seen
  if (answer.is === 'observed' && answer.paid > 0) {
    log.warn('payment.at-other-account', { job: job.id, pos: job.pos, account })
  }
  return { is: 'held', reference, answer }
}

async function referenceAt(psp: Psp, job: Job, account: string): Promise<string | OtherFound> {
  const answer = await withDeadline(DEADLINE, (deadline) =>
    psp.announce(paymentRequestOf({ ...job, account }), deadline),
  )
  switch (answer.is) {
    case 'announced':
      return answer.reference
    case 'refused':
      return { is: 'none' }
    case 'unavailable':
      return { is: 'unavailable' }
  }
}
