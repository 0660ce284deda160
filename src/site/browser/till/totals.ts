import type { PaymentJob } from '../../../contract/payment-job.ts'
import { decimal, decimalsIn, minor } from './words.ts'

type Counted = Pick<
  PaymentJob,
  'currency' | 'paymentMethod' | 'amountPaid' | 'amountRefunded' | 'amountChargedBack'
>

/** Amounts of one currency: of one method, or (where `method` is null) of all. */
export type Total = {
  currency: string
  method: string | null
  payments: number
  paid: string
  back: string
  left: string
}

/** What was paid and went back, by currency and method: those of a currency, and then their sum. */
export function totalsOf(jobs: readonly Counted[]): Total[] {
  const paid = jobs.filter(({ amountPaid }) => minor(amountPaid) > 0n)
  return [...Map.groupBy(paid, ({ currency }) => currency)].flatMap(([currency, all]) =>
    [...Map.groupBy(all, ({ paymentMethod }) => paymentMethod)]
      .map(([method, some]) => total(currency, method, some))
      .concat(total(currency, null, all)),
  )
}

function total(currency: string, method: string | null, jobs: readonly Counted[]): Total {
  const decimals = decimalsIn(jobs[0]?.amountPaid ?? '')
  const sum = (amounts: readonly (string | undefined)[]) =>
    amounts.reduce((all, amount) => all + minor(amount ?? '0'), 0n)
  const paid = sum(jobs.map(({ amountPaid }) => amountPaid))
  const back = sum(
    jobs.flatMap(({ amountRefunded, amountChargedBack }) => [amountRefunded, amountChargedBack]),
  )
  const left = paid - back
  return {
    currency,
    method,
    payments: jobs.length,
    paid: decimal(paid, decimals),
    back: decimal(back, decimals),
    left: left < 0n ? `-${decimal(-left, decimals)}` : decimal(left, decimals),
  }
}
