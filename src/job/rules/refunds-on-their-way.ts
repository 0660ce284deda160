import type { MoneyBack } from './money-back.ts'
import { committed, isSettled } from './refund.ts'

/** All refunds, also those on their way. What was asked for is in the PSP's total earlier or later, and counts once. */
function refundsOf({ refunded, elsewhere, refunds }: MoneyBack): number {
  return Math.max(refunded, elsewhere + committed(refunds))
}

/**
 * What is refunded for sure, in minor units. Some PSPs have a refund in their total as soon as it is asked for: it is on its way all
 * the same.
 */
export function arrivedRefunds(back: MoneyBack): number {
  return Math.min(
    back.refunded,
    refundsOf(back) - committed(back.refunds.filter((refund) => !isSettled(refund))),
  )
}

/** What is on its way back to the customer, in minor units. */
export function refundsOnTheirWay(back: MoneyBack): number {
  return refundsOf(back) - arrivedRefunds(back)
}
