import { decimalsOf, formatAmount, isCurrency } from '../../../contract/money.ts'
import type { PaymentJob, Step } from '../../../contract/payment-job.ts'
import type { Refund } from '../../../contract/refund.ts'
import { readTypedAmount } from '../../../contract/typed-amount.ts'
import { type Saying, figure, minorOf, money, say, tag } from './speech.ts'

/**
 * The till's words for a payment's status, and whether that is good, bad or neither. `back` is the
 * money (minor units) that went back of a payment of which a part is still paid.
 */
export type Standing = { word: Saying; hint: Saying; mood: 'good' | 'bad' | 'open'; back?: number }

/** Red is for failures: who cancels does so on purpose. */
const STANDINGS: Readonly<Record<PaymentJob['status'], Standing>> = {
  PENDING: { word: 'waiting', hint: 'handNothingYet', mood: 'open' },
  SUCCESS: { word: 'paid', hint: 'handOver', mood: 'good' },
  FAILURE: { word: 'failed', hint: 'payAgain', mood: 'bad' },
  CANCELLED: { word: 'cancelled', hint: 'payAgain', mood: 'open' },
  EXPIRED: { word: 'expired', hint: 'payAgain', mood: 'open' },
}

const STAGES: Readonly<Record<string, Standing>> = {
  underway: { word: 'underway', hint: 'takesDays', mood: 'open' },
  authorized: { word: 'reserved', hint: 'notThereYet', mood: 'open' },
}

/** The parts of a payment that a till reads. */
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
  const isRefund = refunded > 0
  if (back >= minorOf(amountPaid, currency))
    return { word: isRefund ? 'refunded' : 'chargedBack', hint: 'handNothing', mood: 'bad' }
  return { word: isRefund ? 'paidRefunded' : 'paidChargedBack', hint: 'handRest', mood: 'good', back }
}

/** Says a standing in the till's language. */
export function wordOf({ word, back = 0 }: Standing, currency: string): string {
  return say(word, { amount: money(back, currency) })
}

/** Returns how much (minor units) a refund can still give back. */
export function leftOf(job: PaymentJob, refunds: Refunds): number {
  return Math.max(0, minorOf(job.amountPaid, job.currency) - backOf(job, refunds).back)
}

/** Returns what went back by refunds, and in all. A refund counts unless it failed. */
function backOf(
  { currency, amountRefunded = '0', amountChargedBack = '0' }: Known | PaymentJob,
  refunds: Refunds,
) {
  const asked = refunds
    .filter(({ status }) => status !== 'FAILURE')
    .reduce((sum, { amount }) => sum + minorOf(amount, currency), 0)
  const refunded = Math.max(minorOf(amountRefunded, currency), asked)
  return { refunded, back: refunded + minorOf(amountChargedBack, currency) }
}

type Typed = { ok: true; api: string; shown: string } | { ok: false; wrong: string }

/** Reads a typed amount: as the API takes it and as people write it, or what is wrong with it. */
export function typedAmount(text: string, currency: string): Typed {
  if (!isCurrency(currency)) return { ok: false, wrong: say('check', { fields: say('currency') }) }
  const read = readTypedAmount(text, currency)
  if (read.ok)
    return { ok: true, api: formatAmount(read.value, currency), shown: money(read.value, currency) }
  const example = figure(1250 * 10 ** decimalsOf(currency), currency)
  return { ok: false, wrong: say('amountWrong', { example }) }
}

/** Returns the day (`2026-01-31`) of a time by this machine's clock. */
export function dayOf(time: Date): string {
  const parts = [time.getFullYear(), time.getMonth() + 1, time.getDate()]
  return parts.map((part) => String(part).padStart(2, '0')).join('-')
}

/** Writes the time of a step with its tenths, by this machine's clock. */
export function clockTime(instant: string): string {
  return new Date(instant).toLocaleTimeString(tag, {
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

/** The sums (minor units) of one method, or (where `method` is null) of all methods. */
export type Total = { method: string | null; payments: number; paid: number; back: number; left: number }

/** Adds up payments by currency and method; each currency ends with the sum of its methods. */
export function totalsOf(jobs: readonly Counted[]): ReadonlyMap<string, readonly Total[]> {
  const paid = jobs.filter(({ amountPaid, currency }) => minorOf(amountPaid, currency) > 0)
  return new Map(
    Array.from(
      Map.groupBy(paid, ({ currency }) => currency),
      ([currency, all]) => [
        currency,
        [...Map.groupBy(all, ({ paymentMethod }) => paymentMethod)]
          .map(([method, some]) => total(method, some))
          .concat(total(null, all)),
      ],
    ),
  )
}

function total(method: string | null, jobs: readonly Counted[]): Total {
  const sum = (of: (job: Counted) => readonly (string | undefined)[]) =>
    jobs
      .flatMap((job) => of(job).map((amount = '0') => minorOf(amount, job.currency)))
      .reduce((a, b) => a + b, 0)
  const paid = sum(({ amountPaid }) => [amountPaid])
  const back = sum(({ amountRefunded, amountChargedBack }) => [amountRefunded, amountChargedBack])
  return { method, payments: jobs.length, paid, back, left: paid - back }
}
