import { decimalsOf, formatAmount, isCurrency } from '../contract/money.ts'
import { FIGURES, figuresWith } from '../contract/money-figures.ts'
import type { ListedPaymentJob, PaymentJob, Step } from '../contract/payment-job.ts'
import { TERMINAL_WORDS, type TerminalWord, terminalWordIn } from '../contract/terminal-words.ts'
import type { Refund } from '../contract/instruction.ts'
import { readTypedAmount } from '../contract/typed-amount.ts'
import { Way } from './device.ts'
import { type Saying, figure, minorOf, money, say, tag } from './speech.ts'

/**
 * The till's words for a payment's status, and its mood. `back` is the refunded or charged back part
 * (minor units) of a payment that is still partly paid.
 */
export type Standing = {
  word: Saying
  hint: Saying
  mood: 'good' | 'bad' | 'doubt' | 'open'
  back?: number
}

/** Red is for failures. A cancelled payment is not one. */
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

type AtTerminal = NonNullable<PaymentJob['terminal']>

const STATES: Readonly<Record<AtTerminal['state'], Standing>> = {
  starting: { word: 'asking', hint: 'handNothingYet', mood: 'open' },
  'waiting-for-card': { word: 'waitingForCard', hint: 'handNothingYet', mood: 'open' },
  'card-read': { word: 'cardRead', hint: 'handNothingYet', mood: 'open' },
  authorising: { word: 'askingBank', hint: 'handNothingYet', mood: 'open' },
  unknown: { word: 'doNotTake', hint: 'lookAtTerminal', mood: 'doubt' },
  ended: STANDINGS.PENDING,
}

/** Why nothing was paid at a terminal, by the code at the start of the error. */
const REASONS: Readonly<Partial<Record<TerminalWord, Saying>>> = {
  terminal_busy: 'terminalBusy',
  terminal_off: 'terminalOff',
  terminal_unreachable: 'terminalUnreachable',
  declined: 'declined',
  refused_method: 'notSetUp',
  refused_account: 'notSetUp',
}

/** Returns true if the till has words of its own for the error: then a cashier need not read the hub's English. */
export function saysWhy({ error, terminal }: Pick<Known, 'error' | 'terminal'>): boolean {
  const word = terminalWordIn(error)
  return terminal?.state === 'unknown' || word === 'paid_in_part' || (word && REASONS[word]) !== undefined
}

/** Returns true if another terminal may work. */
export function isTerminalAtFault(job: Pick<Known, 'error'>): boolean {
  return TERMINAL_WORDS[terminalWordIn(job.error) ?? 'declined'] === 'cashier'
}

/** The parts of a payment that a till reads. The hub's list lacks some. */
type Known = Pick<ListedPaymentJob, 'status' | 'currency'> & {
  amountPaid: string | 0
  payments?: { steps: readonly Pick<Step, 'stage'>[] }
} & Partial<
    Pick<
      PaymentJob,
      'amountRefunded' | 'amountChargedBack' | 'amountTip' | 'amountReleased' | 'terminal' | 'error'
    >
  >

type Refunds = readonly Pick<Refund, 'amount' | 'status'>[]

/** Returns the amount of the order, in the API's form. */
export function askedOf({ payments, amountDue }: Pick<PaymentJob, 'payments' | 'amountDue'>): string {
  return payments.steps[0]?.amountDue ?? amountDue
}

/**
 * Returns the amount that a till shows first (minor units), which is what came in once the payment has ended, and the
 * others that differ from it: what was ordered or paid, the tip, and what was released.
 */
export function amountsOf(known: Known, asked: string) {
  const { status, currency, amountPaid, amountTip = '0', amountReleased = '0' } = known
  const [ordered, paid] = [minorOf(asked, currency), minorOf(amountPaid, currency)]
  const main = status !== 'PENDING' && paid > 0 ? paid : ordered
  const others: [Saying, number][] = [
    ['amount', ordered === main ? 0 : ordered],
    ['paid', paid === main ? 0 : paid],
    ['tip', minorOf(amountTip, currency)],
    ['released', minorOf(amountReleased, currency)],
  ]
  return { main, others: others.filter(([, minor]) => minor > 0) }
}

/** Names a card's brand and how it was read in the till's language, as far as the PSP's word is known. */
export function cardWords({ brand = '', lastFour, entryMode = '' }: NonNullable<PaymentJob['card']>) {
  const number = lastFour === undefined ? '' : `•••• ${lastFour}`
  const name = brand.replaceAll('_', ' ').replaceAll(/\b\p{Ll}/gu, (letter) => letter.toUpperCase())
  const [, read] = ENTRY_MODES.find(([form]) => form.test(entryMode)) ?? []
  return { card: `${name} ${number}`.trim(), read: read ? say(read) : entryMode.replaceAll('_', ' ') }
}

/** The first form that fits counts: a card can have its stripe's data read without contact. */
const ENTRY_MODES: readonly (readonly [RegExp, Saying])[] = [
  [/contactless|nfc|tap/i, 'contactless'],
  [/chip|icc|emv|insert/i, 'chip'],
  [/mag|swipe|stripe/i, 'swiped'],
]

/** Returns whether money came in. */
export function isPaid({ amountPaid, currency }: Pick<Known, 'amountPaid' | 'currency'>): boolean {
  return minorOf(amountPaid, currency) > 0
}

/** Returns true if money is reserved. Then the payment can no longer be paid or cancelled. */
export function isReserved({ status, payments }: Pick<Known, 'status' | 'payments'>): boolean {
  return status === 'PENDING' && payments?.steps.at(-1)?.stage === 'authorized'
}

/** Returns true if nobody knows yet how a payment ends, and it ends within minutes. */
export function isUndecided({ status, payments }: Pick<Known, 'status' | 'payments'>): boolean {
  return status === 'PENDING' && payments?.steps.at(-1)?.stage === undefined
}

/** Describes a payment. Money counts as refunded once the refund was requested, so that the cashier does not
 * hand over goods for it. */
export function standingOf(known: Known, refunds: Refunds): Standing {
  const { status, terminal, currency, amountPaid } = known
  // After the end nobody else will say whether the card was charged.
  if (terminal?.state === 'unknown' && status !== 'PENDING') return { ...STATES.unknown, hint: 'lookFirst' }
  if (status === 'PENDING') {
    const stage = known.payments?.steps.at(-1)?.stage
    // A later hub may know more states.
    return STAGES[stage ?? ''] ?? (terminal && STATES[terminal.state]) ?? STANDINGS.PENDING
  }
  const word = terminalWordIn(known.error)
  if (status === 'FAILURE' && word === 'paid_in_part')
    return { word: 'paidInPart', hint: 'takeRest', mood: 'bad' }
  if (status === 'FAILURE' && terminal && !isPaid(known))
    return { word: 'notPaid', hint: (word && REASONS[word]) ?? 'noMoney', mood: 'bad' }
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

/** Returns the refunded amount (minor units), and all that went back. A refund counts unless it failed. */
export function backOf(
  { currency, amountRefunded = '0', amountChargedBack = '0' }: Known | PaymentJob,
  refunds: Refunds,
) {
  const asked = refunds
    .filter(({ status }) => status !== 'FAILURE')
    .reduce((sum, { amount }) => sum + minorOf(amount, currency), 0)
  const refunded = Math.max(minorOf(amountRefunded, currency), asked)
  return { refunded, back: refunded + minorOf(amountChargedBack, currency) }
}

export type TypedAmount = { ok: true; api: string; shown: string } | { ok: false; wrong: string }

/** Reads a typed amount. Returns it in the API's form and as people write it, or what is wrong with it. */
export function typedAmount(text: string, currency: string): TypedAmount {
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

/** The names of the ways to pay. */
export const WAYS: Readonly<Record<Way, Saying>> = { page: 'wayPage', terminal: 'terminal', cash: 'wayCash' }

/** Money that came in on a day, from the hub's list or noted by hand. `part` is a method or a terminal. */
export type Taking = { way: Way; part: string; amountTip?: string } & Pick<
  PaymentJob,
  'currency' | 'amountPaid' | 'amountRefunded' | 'amountChargedBack'
>

/**
 * The sums (minor units) of one way to pay, of one `part` of it, or of all ways if `way` is null.
 */
export type Total = { way: Way | null; part: string | null } & Sums
type Sums = { payments: number; paid: number; back: number; left: number; tips: number }

/** Adds up money by currency, way to pay and part; each currency ends with the sum of all ways. */
export function totalsOf(taken: readonly Taking[]): ReadonlyMap<string, readonly Total[]> {
  return new Map(
    Array.from(
      Map.groupBy(taken.filter(isPaid), ({ currency }) => currency),
      ([currency, all]) => [
        currency,
        Way.options.flatMap((way) => totalsOfWay(way, all)).concat({ way: null, part: null, ...sumsOf(all) }),
      ],
    ),
  )
}

/** Adds up a way, and each part of it. Cash has none. */
function totalsOfWay(way: Way, all: readonly Taking[]): Total[] {
  const taken = all.filter((one) => one.way === way)
  if (taken.length === 0) return []
  const parts = way === 'cash' ? [] : Map.groupBy(taken, ({ part }) => part)
  const sums = Array.from(parts, ([part, some]) => ({ way, part, ...sumsOf(some) }))
  return [{ way, part: null, ...sumsOf(taken) }, ...sums]
}

function sumsOf(taken: readonly Taking[]): Sums {
  const sum = (of: (one: Taking) => readonly (string | undefined)[]) =>
    taken
      .flatMap((one) => of(one).map((amount = '0') => minorOf(amount, one.currency)))
      .reduce((a, b) => a + b, 0)
  const paid = sum(({ amountPaid }) => [amountPaid])
  const back = sum((one) => figuresWith('isBack').map((name) => one[FIGURES[name].api]))
  const tips = sum(({ amountTip }) => [amountTip])
  return { payments: taken.length, paid, back, left: paid - back, tips }
}
