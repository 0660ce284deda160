import * as v from 'valibot'
import { randomHex } from '../platform/crypto/hash.ts'
import { decimalsOf, parseAmount, toDecimal } from '../contract/money.ts'
import { type Result, ok, refuse } from '../contract/result.ts'
import { readText } from '../platform/http/body.ts'
import { invalid, invalidField, type Refusal } from '../platform/http/refusal.ts'
import type { Handler } from '../platform/http/routes.ts'
import type { Change } from '../psp/sandbox/change.ts'
import { remaining, refunded } from '../psp/sandbox/money-back.ts'
import { type Payment, checkoutUrl, isOpen } from '../psp/sandbox/payment.ts'
import { tooMany, visitPayment } from './visit.ts'

const seconds = v.pipe(
  v.number('must be a number of seconds'),
  v.integer('must be a whole number of seconds'),
  v.minValue(0, 'must not be negative'),
  v.maxValue(86_400, 'must be at most 86400 (a day)'),
)

/**
 * What a test may say of an action. `after` is in seconds, `amount` in the currency of the payment.
 */
const Options = v.object({
  amount: v.optional(v.string('must be a text such as "5.00"')),
  after: v.optional(seconds),
  outcome: v.optional(v.picklist(['paid', 'failed'], 'must be paid or failed')),
  seconds: v.optional(seconds),
  reason: v.optional(
    v.pipe(v.string('must be a text'), v.maxLength(140, 'must have at most 140 characters')),
  ),
})
type Options = v.InferOutput<typeof Options>

type Make = (options: Options, amount: number | null) => Change

const ACTIONS: ReadonlyMap<string, Make> = new Map<string, Make>([
  ['pay', () => ({ is: 'pay' })],
  ['fail', () => ({ is: 'fail' })],
  ['cancel', () => ({ is: 'cancel' })],
  ['expire', () => ({ is: 'expire' })],
  ['underway', ({ after = null, outcome = 'paid' }) => ({ is: 'underway', to: outcome, seconds: after })],
  ['arrive', () => ({ is: 'arrive' })],
  ['authorize', () => ({ is: 'authorize' })],
  ['release', () => ({ is: 'release' })],
  ['late', ({ after = null }) => ({ is: 'late', seconds: after })],
  ['pay-late', () => ({ is: 'pay-late' })],
  ['refund', (_, amount) => ({ is: 'refund', refund: refundOf(amount) })],
  ['fail-refund', () => ({ is: 'fail-refund' })],
  ['chargeback', (_, amount) => ({ is: 'chargeback', amount })],
  ['reverse-chargeback', () => ({ is: 'reverse-chargeback' })],
  ['wrong-amount', (_, amount) => ({ is: 'wrong-amount', amount })],
  ['slow', (options) => ({ is: 'slow', seconds: options.seconds ?? 3 })],
  ['down', (options) => ({ is: 'down', seconds: options.seconds ?? 60 })],
  ['refuse', ({ reason = 'The refund is not possible' }) => ({ is: 'refuse', reason })],
])

/** A refund as if somebody had asked for it at the PSP, without the hub. */
function refundOf(amount: number | null) {
  return { id: `re_${randomHex(20)}`, amount, description: '', key: null }
}

/**
 * `POST /sandbox/payments/{reference}/{action}`: lets something happen to a payment, for the tests
 * of shops. Whoever has its reference may call it, as whoever has it may choose on its page: a
 * payment of the sandbox holds no money.
 */
export const act: Handler<{ id: string; action: string }> = async (request, { env, params }) => {
  const make = ACTIONS.get(params.action)
  if (!make) {
    const detail = `There is no such action. It must be one of ${[...ACTIONS.keys()].join(', ')}.`
    return refuse({ code: 'sandbox-action-unknown', detail })
  }
  const options = await readOptions(request)
  if (!options.ok) return options
  const found = await visitPayment(request, env, params.id, async (stub) => {
    const payment = await stub.read()
    return payment && { stub, payment }
  })
  if (found === 'too-many') return tooMany
  if (!found) return noPayment
  const { stub, payment } = found
  const amount = amountIn(options.value, payment)
  if (!amount.ok) return amount
  const changed = await stub.change(make(options.value, amount.value))
  if (changed === null) return noPayment
  return changed.ok
    ? ok(Response.json(represent(changed.value)))
    : refuse({
        code: 'sandbox-action-impossible',
        detail: `${changed.error}. This one is ${statusOf(payment)}.`,
      })
}

const noPayment = refuse({
  code: 'sandbox-payment-not-found',
  detail: 'There is no such payment in the sandbox.',
})

function statusOf({ status, stage }: Payment): string {
  return stage ?? status
}

const OPTIONS_LIMIT = 4096

const isNoList = v.check<unknown, string>((value) => !Array.isArray(value), 'must be a JSON object')
const Body = v.pipe(v.string(), v.parseJson(), isNoList, Options)

/** An action needs no body. */
async function readOptions(request: Request): Promise<Result<Options, Refusal>> {
  const text = await readText(request, OPTIONS_LIMIT)
  if (!text.ok) return text
  const parsed = v.safeParse(Body, text.value.trim() || '{}')
  if (parsed.success) return ok(parsed.output)
  return parsed.issues.some((issue) => issue.type === 'parse_json')
    ? refuse({ code: 'body-malformed', detail: 'The body is not valid JSON.', field: 'body' })
    : invalid(parsed.issues)
}

function amountIn({ amount }: Options, payment: Payment): Result<number | null, Refusal> {
  if (amount === undefined) return ok(null)
  const parsed = parseAmount(amount, payment.amount.currency)
  if (!parsed.ok) return invalidField('amount', parsed.error)
  return parsed.value === 0 ? invalidField('amount', 'must be more than zero') : ok(parsed.value)
}

function when(instant: number): string {
  return new Date(instant).toISOString().replace(/\.\d+Z$/, '+00:00')
}

/** The payment as Mollie's API shows it: https://docs.mollie.com/reference/get-payment */
export function represent(payment: Payment) {
  const { id } = payment
  const status = payment.stage ?? payment.status
  const open = isOpen(payment)
  const settledAt = payment.settledAt === null ? {} : { [`${status}At`]: when(payment.settledAt) }
  return {
    resource: 'payment',
    id,
    mode: 'test',
    createdAt: when(payment.createdAt),
    amount: payment.amount,
    description: payment.description,
    method: payment.method,
    metadata: JSON.parse(payment.metadata) as unknown,
    status,
    ...(open ? { isCancelable: true, expiresAt: when(payment.expiresAt) } : settledAt),
    locale: payment.locale,
    profileId: 'pfl_sandbox',
    sequenceType: 'oneoff',
    redirectUrl: payment.redirectUrl,
    cancelUrl: payment.cancelUrl,
    webhookUrl: payment.webhookUrl,
    ...(status === 'paid' ? moneyOf(payment) : {}),
    _links: open ? { checkout: { href: checkoutUrl(payment), type: 'text/html' } } : {},
  }
}

/** Mollie leaves a total out until there is one. */
function moneyOf(payment: Payment) {
  return {
    settlementAmount: payment.amount,
    amountRemaining: amountOf(payment, remaining(payment)),
    ...(payment.captured === undefined ? {} : { amountCaptured: amountOf(payment, payment.captured) }),
    ...(payment.refunds ? { amountRefunded: amountOf(payment, refunded(payment)) } : {}),
    ...(payment.chargedBack ? { amountChargedBack: amountOf(payment, payment.chargedBack) } : {}),
  }
}

/** Minor units as Mollie writes them. */
function amountOf({ amount: { currency } }: Payment, minor: number) {
  return {
    currency,
    value: toDecimal(minor, decimalsOf(currency)),
  }
}
