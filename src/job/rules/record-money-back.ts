import type { MoneyBackTotals, MoneyMove, Told } from '../../psp/answer.ts'
import type { Job } from './job.ts'
import { markIndexDue } from './job-row.ts'
import { type MoneyBack, type MoneyBackStep, NOTHING_BACK, settledBy } from './money-back.ts'
import { committed, isSettled } from './refund.ts'
import { queueReport } from './reporting.ts'
import { stampAfter } from '../../contract/timestamp.ts'

/**
 * Records the totals that the PSP tells, once the payment was seen paid: each total that changed is a step and a report. A
 * total may fall again: a refund fails, a chargeback is reversed.
 */
export function recordTotals(job: Job, totals: MoneyBackTotals, now: number): Job {
  if (job.paid === 0) return job
  const back = job.moneyBack ?? NOTHING_BACK
  const refunded = totals.refunded ?? back.refunded
  const chargedBack = totals.chargedBack ?? back.chargedBack
  const elsewhere = totals.refunded === undefined ? back.elsewhere : refundedElsewhere(back, refunded)
  const known = { ...back, elsewhere }
  // The same total may hold others' refunds where one of the hub has failed.
  const same = elsewhere === back.elsewhere ? job : { ...job, moneyBack: known }
  const afterRefund = refunded === back.refunded ? same : step(job, 'Refund', { ...known, refunded }, now)
  return chargedBack === back.chargedBack
    ? afterRefund
    : step(afterRefund, 'Chargeback', { ...known, refunded, chargedBack }, now)
}

function step(job: Job, action: MoneyBackStep['action'], back: MoneyBack, now: number): Job {
  const at = stampAfter(job.updated, now)
  const { refunded, chargedBack } = back
  const steps = [...(job.moneyBack?.steps ?? []), { at, action, refunded, chargedBack }]
  const next = { ...job, moneyBack: { ...back, steps }, updated: at, revision: job.revision + 1 }
  return markIndexDue(queueReport(next, now), now)
}

/**
 * What was refunded by others than the hub. While a refund of the hub is unsettled nobody knows whether the total holds it
 * already: then what was known before stays, where it is more.
 */
function refundedElsewhere({ elsewhere, refunds }: MoneyBack, refunded: number): number {
  const others = Math.max(refunded - committed(refunds), 0)
  return refunds.every(isSettled) ? others : Math.max(elsewhere, others)
}

/** After a refund of the hub that the PSP never had has failed: the total that was told is of others. */
export function withoutRefund(back: MoneyBack): MoneyBack {
  return {
    ...back,
    elsewhere: Math.max(back.elsewhere, refundedElsewhere(back, back.refunded)),
  }
}

/**
 * Remembers what a notification told. It counts once the payment was seen paid; the same move twice is told once, and one in
 * another currency than the job's is left out. A refund of the hub that a move is about is settled by it.
 */
export function recordTold(job: Job, { payment, moves = [] }: Told): Job {
  const back = job.moneyBack ?? NOTHING_BACK
  const fresh = freshOf(moves, back.moves, job.order.currency)
  const isKnown = payment === undefined || payment === back.payment
  if (fresh.length === 0 && isKnown) return job
  const all = [...back.moves, ...fresh]
  const refunds = back.refunds.map((refund) => settledBy(refund, all))
  return { ...job, moneyBack: { ...back, refunds, moves: all, payment: payment ?? back.payment } }
}

/** The moves that are not known yet, each of them once. */
function freshOf(moves: readonly MoneyMove[], known: readonly MoneyMove[], currency: string): MoneyMove[] {
  const seen = new Set(known.map(({ id }) => id))
  return moves.filter((move) => {
    const isFresh = !seen.has(move.id) && (move.currency ?? currency) === currency
    seen.add(move.id)
    return isFresh
  })
}

/** Counts the moves that notifications told, for a PSP that tells them nowhere else. */
export function countMoves(job: Job, now: number): Job {
  const moves = job.moneyBack?.moves ?? []
  if (moves.length === 0) return job
  const reversed = sumOf(moves, 'chargeback-reversed')
  const chargedBack = Math.max(sumOf(moves, 'chargeback') - reversed, 0)
  return recordTotals(job, { refunded: refundedBy(moves), chargedBack }, now)
}

/**
 * The refunds that have not failed. One that failed may be told twice: that takes back no other refund. Moves that name no refund
 * are taken together.
 */
function refundedBy(moves: readonly MoneyMove[]): number {
  return [...Map.groupBy(moves, ({ reference, refund }) => reference ?? refund).values()].reduce(
    (sum, about) => sum + Math.max(sumOf(about, 'refund') - sumOf(about, 'refund-failed'), 0),
    0,
  )
}

function sumOf(moves: readonly MoneyMove[], kind: MoneyMove['kind']): number {
  return moves.filter((move) => move.kind === kind).reduce((sum, { amount }) => sum + amount, 0)
}
