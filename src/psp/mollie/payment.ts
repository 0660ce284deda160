import * as v from 'valibot'
import { parseAmount, toDecimal } from '../../contract/money.ts'
import {
  type Meaning,
  type Transfer,
  type Unavailable,
  PAID,
  reasonIn,
  refusedOrder,
  unknownWord,
} from '../answer.ts'
import type { Call } from '../http-client.ts'
import type { PaymentRequest, Rail } from '../port.ts'
import { BY_STATUS, type PspReading, type ShownPayment, seenIn, transfersIn } from '../reading.ts'
import { decimalsAt, instantOf, shorten, urlPart } from '../values.ts'
import {
  CAPTURE_STATUSES,
  DESCRIPTION_LENGTH,
  METHODS,
  PATIENCE,
  REASONS,
  REFUND_STATUSES,
  UNITS,
  localeOf,
  meaningOf,
} from './tables.ts'

export function pathOf(reference: string): string {
  return `/payments/${urlPart(reference)}`
}

/**
 * Converts an id of the hub to an idempotency key, whose form is "UUID v4"
 * (https://docs.mollie.com/reference/api-idempotency). Ids that the hub derives have version 8.
 */
export function keyOf(id: string): string {
  return id.replace(/^(.{14})8/, (_, head: string) => `${head}4`)
}

export function amountOf(amount: number, currency: string) {
  return { currency, value: toDecimal(amount, decimalsAt(currency, UNITS)) }
}

/** https://docs.mollie.com/reference/create-payment */
export function announcement(payment: PaymentRequest) {
  const method = METHODS.get(payment.paymentMethod.toLowerCase())
  const isHeld = method !== undefined && payment.capture === 'manual'
  const locale = localeOf(payment.language)
  return {
    amount: amountOf(payment.amount, payment.currency),
    description: shorten(payment.description, DESCRIPTION_LENGTH),
    redirectUrl: payment.returnUrl,
    cancelUrl: payment.returnUrl,
    webhookUrl: payment.notificationUrl,
    ...(method ? { method } : {}),
    ...(isHeld ? { captureMode: 'manual' } : {}),
    ...(locale ? { locale } : {}),
    metadata: { paymentJob: payment.job },
  }
}

export const Amount = v.object({ currency: v.string(), value: v.string() })

const Url = v.pipe(v.string(), v.url())
const Links = v.object({ checkout: v.nullish(v.object({ href: Url })) })

const OfJob = v.object({ metadata: v.object({ paymentJob: v.string() }) })

/** Returns the job that the hub put in a payment's metadata. */
export function jobIn(payment: unknown): string | null {
  return v.is(OfJob, payment) ? payment.metadata.paymentJob : null
}

/** Strict only about the members that decide, so that an oddity elsewhere does not hide a payment. */
const Payment = v.object({
  id: v.pipe(v.string(), v.startsWith('tr_')),
  status: v.string(),
  amount: Amount,
  amountCaptured: v.optional(v.unknown()),
  amountRefunded: v.optional(v.unknown()),
  amountChargedBack: v.optional(v.unknown()),
  captureMode: v.optional(v.unknown()),
  authorizedAt: v.optional(v.unknown()),
  captureBefore: v.optional(v.unknown()),
  method: v.fallback(v.nullish(v.string()), null),
  expiresAt: v.optional(v.unknown()),
  _links: v.fallback(v.nullish(Links), null),
  _embedded: v.fallback(v.record(v.string(), v.unknown()), {}),
})
type Payment = v.InferOutput<typeof Payment>

const Made = v.object({ id: v.string(), status: v.string() })

function readMade(body: unknown) {
  return v.is(Made, body) ? body : null
}

export const AT_MOLLIE: PspReading = {
  ...BY_STATUS,
  psp: 'Mollie',
  patience: PATIENCE,
  read: readPayment,
  instructions: {
    refund: { states: REFUND_STATUSES, read: readMade },
    capture: { states: CAPTURE_STATUSES, read: readMade },
  },
  refuse,
}

/**
 * The calls about a payment, with all that moved: "Embed all captures created for this payment", and so on
 * (https://docs.mollie.com/reference/get-payment). `at` reads their answers.
 */
export function callsAbout(call: Call, at: PspReading): Pick<Rail, 'ask' | 'stop'> {
  const ask: Rail['ask'] = async (reference, currency) =>
    seenIn(at, await call('GET', `${pathOf(reference)}?embed=captures,refunds,chargebacks`), currency)
  return {
    ask,
    async stop(reference, currency) {
      const answer = await call('DELETE', pathOf(reference))
      // 422: Mollie can no longer stop it, so the hub asks about the payment instead.
      const isRefused = answer.is === 'answered' && answer.status === 422
      return isRefused ? ask(reference, currency) : seenIn(at, answer, currency)
    },
  }
}

function readPayment(body: unknown, currency: string): ShownPayment | Unavailable | null {
  const payment = v.safeParse(Payment, body)
  if (!payment.success) return null
  const { id, status, method = null, expiresAt, _links } = payment.output
  const word = meaningOf(status, method)
  if (!word) return unknownWord('Mollie', 'payment', status)
  return {
    reference: id,
    checkoutUrl: _links?.checkout?.href,
    expiresAt: instantOf(expiresAt),
    method,
    ...moneyOf(payment.output, word, currency),
  }
}

/**
 * Reads a payment's money. It is `authorized` "for as long as new captures can be created"
 * (https://docs.mollie.com/docs/status-change); afterwards the captured part is paid, and the rest was
 * released. Mollie shows a partly captured payment as `paid`, with `amountCaptured`:
 * https://docs.mollie.com/reference/get-payment
 */
function moneyOf(payment: Payment, word: Meaning, currency: string) {
  const amount = amountIn(payment.amount, currency)
  const paid = paidOf(payment, word, currency)
  if (amount === null || paid === null) return { meaning: word, amount, paid }
  const isOver = word.is === 'ended' || paid >= amount
  const meaning = paid > 0 && isOver ? PAID : word
  const authorizedAt = instantOf(payment.authorizedAt)
  const isManual = payment.captureMode === 'manual'
  const isCaptured = paid > 0 && (isManual || paid < amount)
  const isReserved = word.is === 'authorized' || (word.is === 'ended' && authorizedAt !== null)
  const isHeld = isReserved || isCaptured
  const isTaken = paid > 0 || meaning.is === 'paid'
  const captures = transfersOf('capture', payment, currency)
  // Mollie may leave out after the end that it held the money: "omitted if the payment is not authorized (yet)".
  const isListed = isHeld || (isManual && word.is === 'ended') || captures?.some(({ own }) => own)
  return {
    meaning,
    amount,
    paid,
    transfers: {
      capture: isListed ? captures : undefined,
      refund: isTaken ? transfersOf('refund', payment, currency) : undefined,
      dispute: isTaken ? disputesOf(payment, currency) : undefined,
    },
    refunded: isTaken ? totalIn(payment.amountRefunded, currency) : null,
    chargedBack: isTaken ? totalIn(payment.amountChargedBack, currency) : null,
    ...(isHeld
      ? {
          authorized: amount,
          released: meaning.is === 'authorized' ? 0 : Math.max(amount - paid, 0),
          authorizedAt,
          captureBefore: instantOf(payment.captureBefore),
        }
      : {}),
  }
}

const Item = v.object({
  id: v.string(),
  status: v.optional(v.string(), ''),
  metadata: v.fallback(v.object({ refund: v.optional(v.string()), capture: v.optional(v.string()) }), {}),
  reversedAt: v.nullish(v.unknown()),
})

/**
 * Reads an embedded list, if it can be read wholly:
 * https://docs.mollie.com/reference/list-refunds, https://docs.mollie.com/reference/list-chargebacks
 */
function itemsIn(list: unknown, currency: string) {
  const minor = v.transform((amount) => amountIn(amount, currency))
  const InCurrency = v.object({ ...Item.entries, amount: v.pipe(v.unknown(), minor, v.number()) })
  const items = v.safeParse(v.array(InCurrency), list)
  return items.success ? items.output : undefined
}

function transfersOf(kind: 'capture' | 'refund', { _embedded }: Payment, currency: string) {
  const items = itemsIn(_embedded[`${kind}s`], currency)?.map(({ id, metadata, amount, status }) => {
    return { id, own: metadata[kind], amount, status }
  })
  return transfersIn(AT_MOLLIE, kind, items)
}

/** Lists chargebacks. Mollie gives back a reversed one. */
function disputesOf({ _embedded }: Payment, currency: string): Transfer[] | undefined {
  return itemsIn(_embedded.chargebacks, currency)?.map(({ id, amount, reversedAt }) => ({
    id,
    amount,
    state: reversedAt ? 'returned' : 'done',
  }))
}

/** Returns what counts as paid: everything captured, or the whole amount if Mollie captures by itself. */
function paidOf({ amount, amountCaptured }: Payment, { is }: Meaning, currency: string): number | null {
  if (is === 'open' || is === 'underway') return 0
  return is === 'paid' ? amountIn(amountCaptured ?? amount, currency) : totalIn(amountCaptured, currency)
}

/** Reads a total. A missing one is 0: "Only available when the total charged back amount is not zero". */
function totalIn(value: unknown, currency: string): number | null {
  return value === undefined || value === null ? 0 : amountIn(value, currency)
}

/** Returns an amount in minor units; null in another currency, or if unreadable. */
export function amountIn(value: unknown, currency: string): number | null {
  const amount = v.safeParse(Amount, value)
  if (!amount.success || amount.output.currency !== currency) return null
  const minor = parseAmount(amount.output.value, currency)
  return minor.ok ? minor.value : null
}

/** https://docs.mollie.com/reference/handling-errors */
const Problem = v.object({ title: v.string(), detail: v.string(), field: v.nullish(v.string()) })

function refuse(body: unknown, what: string) {
  const problem = v.safeParse(Problem, body)
  if (!problem.success) return refusedOrder('refused_other', `Mollie refused the ${what}.`)
  const { title, detail, field } = problem.output
  const where = field ? ` (${field})` : ''
  const reason = reasonIn(REASONS, field?.split('.')[0])
  return refusedOrder(reason, `Mollie refused the ${what}: ${title}: ${detail}${where}`)
}
