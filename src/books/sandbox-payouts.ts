import type { State } from '../job/core/state.ts'
import type { LineKind, PayoutLine, PayoutWithLines } from '../psp/payouts/payouts.ts'
import { SANDBOX_ACCOUNT } from '../registry/profile.ts'
import { readableJob } from './match-lines.ts'
import { openPayments } from './open-payments.ts'
import { type Moved, recordAt, unbooked } from './record.ts'
import { bookedLines } from './store.ts'

/** The most payments of a payout: each is a call to a job's object. */
const MOST = 120
/** The sandbox's fee for a payment: minor units, and a share of the amount. */
const [FEE, SHARE] = [25, 0.01]
/** Fees (minor units) for a chargeback and for a payout, and the correction of the latter. */
const [CHARGEBACK_FEE, PAYOUT_FEE, GIVEN_BACK] = [1500, 100, 10]

/**
 * Makes the sandbox's next payouts, one per currency, so that operators can practise closing a month.
 * They have all payments and captures that are in no payout yet, with fees, refunds, chargebacks and
 * a correction.
 */
export async function sandboxPayouts(env: Env, now: number): Promise<PayoutWithLines[]> {
  const rows = (await openPayments(env, { account: SANDBOX_ACCOUNT.id }, now + 1, MOST)).slice(0, MOST)
  const jobs = await Promise.all(rows.map(({ id }) => readableJob(env, id)))
  const paid = jobs.filter((job) => job !== null)
  const byCurrency = Map.groupBy(paid, ({ order }) => order.currency)
  const made = await Promise.all([...byCurrency].map(([currency, all]) => payoutOf(env, currency, all, now)))
  return made.filter(({ lines }) => lines.some(({ kind }) => kind === 'payment'))
}

async function payoutOf(env: Env, currency: string, jobs: readonly State[], now: number) {
  const before = { account: SANDBOX_ACCOUNT.id, id: '', currency, from: 1 }
  const ids = jobs.map(({ id }) => id)
  const booked = await bookedLines(env.DB, before, ids)
  const lines = [...jobs.flatMap((job) => linesOf(job, booked.get(job.id) ?? [], now)), ...costsOf(now)]
  const amount = lines.reduce((sum, { gross, fee }) => sum + gross - fee, 0)
  // The first job and how many of its lines were paid out earlier, so that a repeated payout has the same id.
  const part = booked.get(ids[0] ?? '')?.filter(({ kind }) => kind === 'payment').length
  const id = ['sandbox', currency, ids[0], ...(part ? [part] : [])].join('-')
  return { id, currency, amount, paidAt: now, lines }
}

function linesOf(job: State, booked: readonly Moved[], now: number): PayoutLine[] {
  const { id, order, payments } = job
  const account = SANDBOX_ACCOUNT.id
  const reference = payments.find((one) => one.account === account)?.reference ?? null
  const record = recordAt(job, account)
  const items = record ? unbooked(record, booked) : []
  return items.map(({ kind, gross, ids }) => ({
    kind,
    at: now,
    job: id,
    reference,
    transfer: ids?.[0],
    orderNumber: order.orderNumber,
    gross,
    fee: feeOf(kind, gross),
    text: 'sandbox',
  }))
}

function feeOf(kind: LineKind, amount: number): number {
  if (kind === 'chargeback') return CHARGEBACK_FEE
  return kind === 'payment' ? FEE + Math.round(amount * SHARE) : 0
}

function costsOf(now: number): PayoutLine[] {
  const line = { at: now, job: null, reference: null, orderNumber: null }
  return [
    { ...line, kind: 'fee', gross: 0, fee: PAYOUT_FEE, text: 'fee of the payout' },
    { ...line, kind: 'correction', gross: GIVEN_BACK, fee: 0, text: 'refund of a part of the fee' },
  ]
}
