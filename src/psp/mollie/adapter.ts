import * as v from 'valibot'
import { uuidV8 } from '../../contract/ids.ts'
import { parseAmount, toDecimal } from '../../contract/money.ts'
import { utf8 } from '../../platform/crypto/hash.ts'
import { type RefundAnswer, type Unavailable, reasonIn, refusedOrder, unknownWord } from '../answer.ts'
import { type Call, type Called, apiClient } from '../http-client.ts'
import {
  type Connection,
  type Notification,
  type NotificationReading,
  type PaidPayment,
  type PaymentRequest,
  type Psp,
  type RefundRequest,
  defineAdapter,
} from '../port.ts'
import {
  type PspReading,
  type RefundPage,
  type Shown,
  announcedIn,
  askedRefund,
  checkedIn,
  findRefund,
  seenIn,
  shownRefund,
} from '../reading.ts'
import { decimalsAt, instantOf, shorten, urlPart } from '../values.ts'
import { mollieSettlements } from './settlements.ts'
import {
  Credentials,
  DESCRIPTION_LENGTH,
  LIMITS,
  METHODS,
  PATIENCE,
  REASONS,
  REFUND_STATUSES,
  UNITS,
  UNSUPPORTED,
  localeOf,
  meaningOf,
  modeOf,
} from './tables.ts'

/** Mollie's Payments API v2: https://docs.mollie.com/reference/payments-api */
const ENDPOINT = 'https://api.mollie.com/v2'

function open({ fetch, endpoint = ENDPOINT, credentials }: Connection<Credentials>): Psp {
  const callAs = (secret: string): Call =>
    apiClient({ fetch, endpoint, headers: { authorization: `Bearer ${secret}` }, secret })
  const { apiKey, organisationToken } = credentials
  const call = callAs(apiKey)
  const ask = async (reference: string, currency: string) =>
    seenIn(AT_MOLLIE, await call('GET', pathOf(reference)), currency)

  return {
    async announce(payment, deadline) {
      const options = { body: announcement(payment), idempotencyKey: keyOf(payment.job), deadline }
      return announcedIn(AT_MOLLIE, await call('POST', '/payments', options), payment)
    },
    ask,
    jobOf: async (reference) => jobIn(await call('GET', pathOf(reference))),
    async stop(reference, currency) {
      const answer = await call('DELETE', pathOf(reference))
      // 422: Mollie can no longer stop it, so the answer is how the payment stands now.
      const isRefused = answer.is === 'answered' && answer.status === 422
      return isRefused ? ask(reference, currency) : seenIn(AT_MOLLIE, answer, currency)
    },
    /**
     * Captures. 422 means captured already, or no longer held:
     * https://docs.mollie.com/reference/create-capture
     */
    async capture(reference, amount, currency) {
      const answer = await call('POST', `${pathOf(reference)}/captures`, {
        body: { amount: amountOf(amount, currency) },
        idempotencyKey: keyOf(
          uuidV8(new Uint8Array(await crypto.subtle.digest('SHA-256', utf8(`${reference}-capture`)))),
        ),
      })
      return answer.is === 'unavailable' ? answer : ask(reference, currency)
    },
    refund: async (payment, wanted) => askedRefund(AT_MOLLIE, await refund(call, payment, wanted)),
    askRefund: (payment, wanted) => askRefund(call, payment, wanted),
    readNotification,
    accepted: 'OK',
    ...(organisationToken === undefined ? {} : { payouts: mollieSettlements(callAs(organisationToken)) }),
    check: async () => checkedIn(AT_MOLLIE, await call('GET', '/methods')),
  }
}

export const mollie = defineAdapter({
  credentials: Credentials,
  methods: METHODS,
  unsupported: UNSUPPORTED,
  limits: LIMITS,
  references: /^tr_\w+$/,
  modeOf,
  open,
})

function pathOf(reference: string): string {
  return `/payments/${urlPart(reference)}`
}

/**
 * Turns an id of the hub into an idempotency key, whose form is "UUID v4"
 * (https://docs.mollie.com/reference/api-idempotency): ids that the hub derives are of version 8.
 */
function keyOf(id: string): string {
  return id.replace(/^(.{14})8/, (_, head: string) => `${head}4`)
}

function amountOf(amount: number, currency: string) {
  return { currency, value: toDecimal(amount, decimalsAt(currency, UNITS)) }
}

/** https://docs.mollie.com/reference/create-payment */
function announcement(payment: PaymentRequest) {
  const method = METHODS.get(payment.paymentMethod.toLowerCase())
  const locale = localeOf(payment.language)
  return {
    amount: amountOf(payment.amount, payment.currency),
    description: shorten(payment.description, DESCRIPTION_LENGTH),
    redirectUrl: payment.returnUrl,
    cancelUrl: payment.returnUrl,
    webhookUrl: payment.notificationUrl,
    ...(method ? { method } : {}),
    ...(locale ? { locale } : {}),
    metadata: { paymentJob: payment.job },
  }
}

const Amount = v.object({ currency: v.string(), value: v.string() })

const Url = v.pipe(v.string(), v.url())
const Links = v.object({ checkout: v.nullish(v.object({ href: Url })) })

/** Strict only about the members that decide, so that an oddity elsewhere hides no payment. */
const Payment = v.object({
  id: v.pipe(v.string(), v.startsWith('tr_')),
  status: v.string(),
  amount: Amount,
  amountCaptured: v.optional(v.unknown()),
  amountRefunded: v.optional(v.unknown()),
  amountChargedBack: v.optional(v.unknown()),
  method: v.fallback(v.nullish(v.string()), null),
  expiresAt: v.optional(v.unknown()),
  _links: v.fallback(v.nullish(Links), null),
})

const Refund = v.object({ id: v.string(), status: v.string() })

const AT_MOLLIE: PspReading = {
  psp: 'Mollie',
  patience: PATIENCE,
  refundStates: REFUND_STATUSES,
  read,
  readRefund: (body) => (v.is(Refund, body) ? body : null),
  refuse,
}

function read(body: unknown, currency: string): Shown | Unavailable | null {
  const payment = v.safeParse(Payment, body)
  if (!payment.success) return null
  const { id, status, method = null, amount, amountCaptured, expiresAt, _links } = payment.output
  const meaning = meaningOf(status, method)
  if (!meaning) return unknownWord('Mollie', 'payment', status)
  const isPaid = meaning.is === 'paid'
  return {
    reference: id,
    checkoutUrl: _links?.checkout?.href,
    expiresAt: instantOf(expiresAt),
    meaning,
    method,
    amount: amountIn(amount, currency),
    // "The total amount that is already captured": less than the whole if the rest was released.
    paid: isPaid ? amountIn(amountCaptured ?? amount, currency) : 0,
    ...(isPaid
      ? {
          refunded: totalIn(payment.output.amountRefunded, currency),
          chargedBack: totalIn(payment.output.amountChargedBack, currency),
        }
      : {}),
  }
}

/** "Only available when the total charged back amount is not zero": a missing total is 0. */
function totalIn(value: unknown, currency: string): number | null {
  return value === undefined || value === null ? 0 : amountIn(value, currency)
}

/** Returns an amount in minor units; null in another currency, or if unreadable. */
function amountIn(value: unknown, currency: string): number | null {
  const amount = v.safeParse(Amount, value)
  if (!amount.success || amount.output.currency !== currency) return null
  const minor = parseAmount(amount.output.value, currency)
  return minor.ok ? minor.value : null
}

const OfJob = v.object({ metadata: v.object({ paymentJob: v.string() }) })

/** Returns the job that the hub gave a payment as its metadata. */
function jobIn(answer: Called): string | null {
  const payment = v.safeParse(OfJob, answer.is === 'answered' ? answer.body : null)
  return payment.success ? payment.output.metadata.paymentJob : null
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

/**
 * Asks for a refund: https://docs.mollie.com/reference/create-refund. The hub's id of the refund is
 * its idempotency key, and stands in its metadata.
 */
function refund(call: Call, { reference }: PaidPayment, wanted: RefundRequest): Promise<Called> {
  const body = {
    amount: amountOf(wanted.amount, wanted.currency),
    description: shorten(wanted.description, DESCRIPTION_LENGTH),
    metadata: { refund: wanted.id },
  }
  return call('POST', `${pathOf(reference)}/refunds`, { body, idempotencyKey: keyOf(wanted.id) })
}

/**
 * Asks for a refund by Mollie's id, or finds it by the hub's id if Mollie's answer was lost:
 * https://docs.mollie.com/reference/get-refund
 */
async function askRefund(
  call: Call,
  payment: PaidPayment,
  { id, reference }: RefundRequest & { reference: string | null },
): Promise<RefundAnswer> {
  const path = `${pathOf(payment.reference)}/refunds`
  if (reference !== null) return shownRefund(AT_MOLLIE, await call('GET', `${path}/${urlPart(reference)}`))
  return findRefund(AT_MOLLIE, call, `${path}?limit=250`, (body) => pageIn(path, body), id)
}

const Page = v.object({
  _embedded: v.object({ refunds: v.array(v.unknown()) }),
  _links: v.optional(v.object({ next: v.nullish(v.object({ href: v.string() })) })),
})

/**
 * Reads a page of refunds, newest first. `from` names the first of the next page:
 * https://docs.mollie.com/reference/list-refunds
 */
function pageIn(path: string, body: unknown): RefundPage | null {
  if (!v.is(Page, body)) return null
  const { _embedded, _links } = body
  const href = _links?.next?.href
  const from = href && URL.parse(href)?.searchParams.get('from')
  const next = from ? `${path}?limit=250&from=${urlPart(from)}` : undefined
  return { refunds: _embedded.refunds, next: href ? next : null }
}

/**
 * Reads a notification: a form with only the payment's id, which Mollie does not sign. The job is
 * in the address that the hub gave with the payment: https://docs.mollie.com/reference/webhooks
 */
export async function readNotification({ job, body }: Notification): Promise<NotificationReading> {
  const reference = new URLSearchParams(body).get('id')
  const payments = job && reference ? [{ job, reference, claimedStatus: null }] : []
  return { is: 'about', payments, unsigned: true }
}
