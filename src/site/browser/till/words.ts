import { toDecimal } from '../../../contract/money.ts'
import type { PaymentJob, Step } from '../../../contract/payment-job.ts'
import type { Refund } from '../../../contract/refund.ts'

/** A payment's status in words for a till, and whether that is good, bad or neither. */
export type Standing = { words: string; hint: string; mood: 'good' | 'bad' | 'open' }

const STANDINGS: Readonly<Record<PaymentJob['status'], Standing>> = {
  PENDING: { words: 'Waiting for the customer', hint: 'Hand nothing over yet.', mood: 'open' },
  SUCCESS: { words: 'Paid', hint: 'Hand over the goods.', mood: 'good' },
  FAILURE: { words: 'Failed', hint: 'Offer to pay again, with a new job.', mood: 'bad' },
  CANCELLED: { words: 'Cancelled', hint: 'Offer to pay again, with a new job.', mood: 'bad' },
  EXPIRED: { words: 'Expired', hint: 'Offer to pay again, with a new job.', mood: 'bad' },
}

const STAGES: Readonly<Record<string, Standing>> = {
  underway: { words: 'On its way', hint: 'The customer has paid by a method that takes days.', mood: 'open' },
  authorized: { words: 'Reserved', hint: 'The money is reserved, and not there yet.', mood: 'open' },
}

/** The parts of a payment that a till reads. Amounts have the decimals of their currency. */
type Known = Pick<PaymentJob, 'status' | 'currency' | 'amountRefunded' | 'amountChargedBack'> & {
  amountPaid: string | 0
  stage?: Step['stage'] | undefined
}

type Refunds = readonly Pick<Refund, 'amount' | 'status'>[]

/** Describes a payment. Money counts as back once its refund was asked for: goods go out once. */
export function standingOf(known: Known, refunds: Refunds): Standing {
  const { status, stage, currency, amountPaid } = known
  if (status === 'PENDING' && stage) return STAGES[stage] ?? STANDINGS.PENDING
  const { refunded, back } = backOf(known, refunds)
  if (status !== 'SUCCESS' || back === 0) return STANDINGS[status]
  const word = refunded === 0 ? 'Charged back' : 'Refunded'
  if (back >= minor(amountPaid)) return { words: word, hint: 'Hand nothing over.', mood: 'bad' }
  return {
    words: `Paid, ${word.toLowerCase()} ${currency} ${toDecimal(back, decimalsIn(amountPaid))}`,
    hint: 'Hand over what is still paid for.',
    mood: 'good',
  }
}

/** Returns how much a refund can still give back, as a text of the API, or null for nothing. */
export function leftOf(job: PaymentJob, refunds: Refunds): string | null {
  const left = minor(job.amountPaid) - backOf(job, refunds).back
  return left > 0 ? toDecimal(left, decimalsIn(job.amountPaid)) : null
}

/** Returns what went back by refunds, and in all. A refund counts unless it failed. */
function backOf(
  { amountRefunded = '0', amountChargedBack = '0' }: Pick<Known, 'amountRefunded' | 'amountChargedBack'>,
  refunds: Refunds,
) {
  const asked = refunds
    .filter(({ status }) => status !== 'FAILURE')
    .reduce((sum, { amount }) => sum + minor(amount), 0)
  const refunded = Math.max(minor(amountRefunded), asked)
  return { refunded, back: refunded + minor(amountChargedBack) }
}

/** Turns a typed amount into one for the API: a comma becomes a point. */
export function typedAmount(text: string): string {
  return text.trim().replace(',', '.')
}

function decimalsIn(amount: string | 0): number {
  return /\.(\d+)/.exec(String(amount))?.[1]?.length ?? 0
}

/** Returns an amount without its point. Amounts of one currency have equal decimals. */
function minor(amount: string | 0): number {
  return Number(String(amount).replace('.', ''))
}

/** Returns the day (`2026-01-31`) of a time by this machine's clock. */
export function dayOf(time: Date): string {
  const parts = [time.getFullYear(), time.getMonth() + 1, time.getDate()]
  return parts.map((part) => String(part).padStart(2, '0')).join('-')
}

/** Writes the time of a step with its tenths, by this machine's clock. */
export function clockTime(instant: string): string {
  return new Date(instant).toLocaleTimeString(undefined, {
    hourCycle: 'h23',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    fractionalSecondDigits: 1,
  })
}

type Counted = Pick<
  PaymentJob,
  'currency' | 'paymentMethod' | 'amountPaid' | 'amountRefunded' | 'amountChargedBack'
>

/** The sums of one currency: of one method, or (where `method` is null) of all methods. */
export type Total = {
  currency: string
  method: string | null
  payments: number
  paid: string
  back: string
  left: string
}

/** Adds up payments by currency and method; each currency ends with the sum of its methods. */
export function totalsOf(jobs: readonly Counted[]): Total[] {
  const paid = jobs.filter(({ amountPaid }) => minor(amountPaid) > 0)
  return [...Map.groupBy(paid, ({ currency }) => currency)].flatMap(([currency, all]) =>
    [...Map.groupBy(all, ({ paymentMethod }) => paymentMethod)]
      .map(([method, some]) => total(currency, method, some))
      .concat(total(currency, null, all)),
  )
}

function total(currency: string, method: string | null, jobs: readonly Counted[]): Total {
  const decimals = decimalsIn(jobs[0]?.amountPaid ?? '')
  const sum = (amounts: readonly (string | undefined)[]) =>
    amounts.reduce((all, amount) => all + minor(amount ?? '0'), 0)
  const paid = sum(jobs.map(({ amountPaid }) => amountPaid))
  const back = sum(
    jobs.flatMap(({ amountRefunded, amountChargedBack }) => [amountRefunded, amountChargedBack]),
  )
  const left = paid - back
  return {
    currency,
    method,
    payments: jobs.length,
    paid: toDecimal(paid, decimals),
    back: toDecimal(back, decimals),
    left: left < 0 ? `-${toDecimal(-left, decimals)}` : toDecimal(left, decimals),
  }
}
