import { callReadableJob } from '../job/call-job.ts'
import type { State } from '../job/core/state.ts'
import type { LineKind, Payout, PayoutLine } from '../psp/payouts.ts'
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

function linesOf({ id, order, movements }: State, now: number): PayoutLine[] {
  const line = { at: now, job: id, orderNumber: order.orderNumber, text: 'sandbox' }
  return movements.flatMap(({ is, account, amount, reference }) =>
    account === SANDBOX_ACCOUNT.id
      ? [{ ...line, kind: is, reference, gross: amount, fee: feeOf(is, amount) }]
      : [],
  )
}

function feeOf(kind: LineKind, amount: number): number {
  if (kind === 'chargeback') return CHARGEBACK_FEE
  return kind === 'payment' ? FEE + Math.round(amount * SHARE) : 0
}

function costsOf(now: number): PayoutLine[] {
  const line = { at: now, job: null, reference: null, orderNumber: null }
  return [
    { ...line, kind: 'fee', gross: 0, fee: PAYOUT_FEE, text: 'cost of the payout' },
    { ...line, kind: 'correction', gross: GIVEN_BACK, fee: 0, text: 'given back: the cost was too high' },
  ]
}
