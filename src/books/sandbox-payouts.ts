import { callReadableJob } from '../job/call-job.ts'
import { type State, backOf, paidOf } from '../job/core/state.ts'
import type { Payout, PayoutLine } from '../psp/payouts.ts'
import { SANDBOX_ACCOUNT } from '../registry/profile.ts'
import { openPayments } from './open-payments.ts'

/** Payments of one payout, each a call to its object. */
const MOST = 120
/** The sandbox's fee for a payment: minor units, and a share of the amount. */
const [FEE, SHARE] = [25, 0.01]
/** Fees (minor units) for a chargeback and for a payout, and the correction of the latter. */
const [CHARGEBACK_FEE, PAYOUT_FEE, GIVEN_BACK] = [1500, 100, 10]

/**
 * Makes the sandbox's next payouts, one for each currency: all payments that are in no payout yet,
 * with fees, refunds, chargebacks and a correction. So an operator can close a month on trial.
 */
export async function sandboxPayouts(
  env: Env,
  now: number,
): Promise<{ payout: Payout; lines: PayoutLine[] }[]> {
  const rows = (await openPayments(env, [SANDBOX_ACCOUNT.id], now + 1, MOST)).slice(0, MOST)
  const jobs = await Promise.all(
    rows.map(({ id }) => callReadableJob<State | null>(env, id, async (stub) => stub.read())),
  )
  const paid = jobs.flatMap((job) => (job === null || job === 'unreadable' ? [] : [job]))
  return Array.from(
    Map.groupBy(paid, ({ order }) => order.currency),
    ([currency, all]) => {
      const lines = [...all.flatMap((job) => linesOf(job, now)), ...costsOf(now)]
      const amount = lines.reduce((sum, { gross, fee }) => sum + gross - fee, 0)
      // The first job in it makes the id: the same payout again is the same.
      const id = `sandbox-${currency}-${all[0]?.id ?? ''}`
      return { payout: { id, currency, amount, paidAt: now }, lines }
    },
  )
}

function linesOf(job: State, now: number): PayoutLine[] {
  const paid = paidOf(job)
  const { refunded, chargedBack } = backOf(job)
  const line = { at: now, job: job.id, orderNumber: job.order.orderNumber, text: 'sandbox' }
  const reference = job.payments[0]?.reference ?? null
  return [
    { ...line, kind: 'payment', reference, gross: paid, fee: FEE + Math.round(paid * SHARE) },
    ...(refunded > 0 ? [{ ...line, kind: 'refund' as const, reference, gross: -refunded, fee: 0 }] : []),
    ...(chargedBack > 0
      ? [{ ...line, kind: 'chargeback' as const, reference, gross: -chargedBack, fee: CHARGEBACK_FEE }]
      : []),
  ]
}

function costsOf(now: number): PayoutLine[] {
  const line = { at: now, job: null, reference: null, orderNumber: null }
  return [
    { ...line, kind: 'fee', gross: 0, fee: PAYOUT_FEE, text: 'cost of the payout' },
    { ...line, kind: 'correction', gross: GIVEN_BACK, fee: 0, text: 'given back: the cost was too high' },
  ]
}
