import * as v from 'valibot'
import { uuidV8 } from '../../contract/ids.ts'
import { parseAmount, toDecimal } from '../../contract/money.ts'
import { utf8 } from '../../platform/crypto/hash.ts'
import { withDeadline } from '../../platform/deadline.ts'
import {
  type AnnounceAnswer,
  type AskAnswer,
  type RefundAnswer,
  type RefusedOrder,
  ofOrderOrAccount,
  reasonIn,
  refusedOrder,
  standingOf,
  unknownWord,
  withoutPayment,
  wordIn,
} from '../answer.ts'
import {
  type Call,
  type Called,
  DEADLINE,
  apiClient,
  checked,
  isConflict,
  postUntilFree,
  unavailable,
} from '../http-client.ts'
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
import { type RefundPage, type RefundsAt, askedRefund, findRefund, shownRefund } from '../refunds.ts'
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
  STATUSES,
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
  const ask = async (reference: string, currency: string): Promise<AskAnswer> =>
    toSeen(await call('GET', pathOf(reference)), currency)

  return {
    async announce(payment, deadline) {
      const options = { body: announcement(payment), idempotencyKey: keyOf(payment.job), deadline }
      return toAnnounced(await postUntilFree(call, '/payments', options, isConflict), payment)
    },
    ask,
    jobOf: async (reference) => jobIn(await call('GET', pathOf(reference))),
    async stop(reference, currency) {
      const answer = await call('DELETE', pathOf(reference))
      // 422: it can no longer be stopped. How it stands now is the answer.
      const isRefused = answer.is === 'answered' && answer.status === 422
      return isRefused ? ask(reference, currency) : toSeen(answer, currency)
    },
    /**
     * https://docs.mollie.com/reference/create-capture. 422: it is captured already, or no longer
     * held.
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
    refund: (payment, wanted) => refund(call, payment, wanted),
    askRefund: (payment, wanted) => askRefund(call, payment, wanted),
    readNotification,
    accepted: 'OK',
    ...(organisationToken === undefined ? {} : { payouts: mollieSettlements(callAs(organisationToken)) }),
    check: async () => checked(await call('GET', '/methods'), toRefused),
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
 * "UUID v4" is the form of an idempotency key (https://docs.mollie.com/reference/api-idempotency).
 * Ids that the hub derives are of version 8.
 */
function keyOf(id: string): string {
  return id.replace(/^(.{14})8/, (_, head: string) => `${head}4`)
}

function amountOf(amount: number, currency: string) {
  return { currency, value: toDecimal(amount, decimalsAt(currency, UNITS)) }
}

/** https://docs.mollie.com/reference/create-payment */
export function announcement(payment: PaymentRequest) {
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

/** What decides is strict. The rest can be of any form: a payment is paid all the same. */
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

function toAnnounced(answer: Called, { currency, amount }: PaymentRequest): AnnounceAnswer {
  if (answer.is === 'unavailable') return answer
  if (answer.status >= 400 && answer.status !== 409) {
    return ofOrderOrAccount(answer.status, toRefused(answer.body))
  }
  const payment = v.safeParse(Payment, answer.body)
  const checkoutUrl = payment.success ? payment.output._links?.checkout?.href : undefined
  if (!payment.success || !checkoutUrl) return unavailable('Mollie answered without a payment to check out.')
  const { id, status, expiresAt } = payment.output
  if (!wordIn(STATUSES, status)) return unknownWord('Mollie', 'payment', status)
  if (amountIn(payment.output.amount, currency) !== amount) {
    return unavailable('Mollie answered with a payment of another amount or currency.')
  }
  return { is: 'announced', reference: id, checkoutUrl, expiresAt: instantOf(expiresAt) }
}

function toSeen(answer: Called, currency: string): AskAnswer {
  if (answer.is === 'unavailable') return answer
  if (answer.status === 404 || answer.status === 410) return { is: 'unknown' }
  const payment = v.safeParse(Payment, answer.body)
  if (!payment.success)
    return withoutPayment(answer.status, `Mollie answered ${answer.status} without the payment.`)
  const { status, method = null, amount, amountCaptured, expiresAt } = payment.output
  const meaning = meaningOf(status, method)
  if (!meaning) return unknownWord('Mollie', 'payment', status)
  const standing = standingOf(meaning, PATIENCE, method)
  const isPaid = standing.status === 'SUCCESS'
  const whole = amountIn(amount, currency)
  // "The total amount that is already captured": less than the whole where the rest was released.
  const paid = isPaid ? amountIn(amountCaptured ?? amount, currency) : 0
  if (whole === null || paid === null)
    return unavailable('Mollie answered with an amount that cannot be read.')
  const refunded = isPaid ? totalIn(payment.output.amountRefunded, currency) : null
  const chargedBack = isPaid ? totalIn(payment.output.amountChargedBack, currency) : null
  return {
    is: 'observed',
    ...standing,
    paid,
    expiresAt: instantOf(expiresAt),
    // A total that cannot be read changes nothing.
    ...(refunded === null ? {} : { refunded }),
    ...(chargedBack === null ? {} : { chargedBack }),
  }
}

/**
 * "Only available when the total charged back amount is not zero": a total that is not there is
 * none.
 */
function totalIn(value: unknown, currency: string): number | null {
  return value === undefined || value === null ? 0 : amountIn(value, currency)
}

/** An amount in minor units; null where it is in another currency, or cannot be read. */
function amountIn(value: unknown, currency: string): number | null {
  const amount = v.safeParse(Amount, value)
  if (!amount.success || amount.output.currency !== currency) return null
  const minor = parseAmount(amount.output.value, currency)
  return minor.ok ? minor.value : null
}

const OfJob = v.object({ metadata: v.object({ paymentJob: v.string() }) })

/** The job that the hub gave a payment as its metadata. */
function jobIn(answer: Called): string | null {
  const payment = v.safeParse(OfJob, answer.is === 'answered' ? answer.body : null)
  return payment.success ? payment.output.metadata.paymentJob : null
}

/** https://docs.mollie.com/reference/handling-errors */
const Problem = v.object({ title: v.string(), detail: v.string(), field: v.nullish(v.string()) })

function toRefused(body: unknown, what: 'payment' | 'refund' = 'payment'): RefusedOrder {
  const problem = v.safeParse(Problem, body)
  if (!problem.success) return refusedOrder('refused_other', `Mollie refused the ${what}.`)
  const { title, detail, field } = problem.output
  const where = field ? ` (${field})` : ''
  const reason = reasonIn(REASONS, field?.split('.')[0])
  return refusedOrder(reason, `Mollie refused the ${what}: ${title}: ${detail}${where}`)
}

const Refund = v.object({ id: v.string(), status: v.string() })

const REFUNDS: RefundsAt = {
  psp: 'Mollie',
  states: REFUND_STATUSES,
  read: (body) => (v.is(Refund, body) ? body : null),
  refuse: (body) => toRefused(body, 'refund'),
}

/**
 * https://docs.mollie.com/reference/create-refund. The hub's id of the refund is its idempotency
 * key and in its metadata.
 */
function refund(call: Call, { reference }: PaidPayment, wanted: RefundRequest): Promise<RefundAnswer> {
  const body = {
    amount: amountOf(wanted.amount, wanted.currency),
    description: shorten(wanted.description, DESCRIPTION_LENGTH),
    metadata: { refund: wanted.id },
  }
  return withDeadline(DEADLINE, async (deadline) => {
    const options = { body, idempotencyKey: keyOf(wanted.id), deadline }
    return askedRefund(
      REFUNDS,
      await postUntilFree(call, `${pathOf(reference)}/refunds`, options, isConflict),
    )
  })
}

/**
 * https://docs.mollie.com/reference/get-refund: the refund by Mollie's id, or found by the hub's id
 * where Mollie's answer to the request was lost.
 */
function askRefund(
  call: Call,
  payment: PaidPayment,
  { id, reference }: RefundRequest & { reference: string | null },
): Promise<RefundAnswer> {
  const path = `${pathOf(payment.reference)}/refunds`
  const isWanted = (one: unknown) => v.is(v.object({ metadata: v.object({ refund: v.literal(id) }) }), one)
  return withDeadline(DEADLINE, async (deadline) => {
    const get = (from: string) => call('GET', from, { deadline })
    return reference === null
      ? findRefund(REFUNDS, `${path}?limit=250`, get, (body) => pageIn(path, body), isWanted)
      : shownRefund(REFUNDS, await get(`${path}/${urlPart(reference)}`))
  })
}

const Page = v.object({
  _embedded: v.object({ refunds: v.array(v.unknown()) }),
  _links: v.optional(v.object({ next: v.nullish(v.object({ href: v.string() })) })),
})

/**
 * https://docs.mollie.com/reference/list-refunds: the newest first. `from` is the first of the next
 * page.
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
 * A form with only the payment's id, which is not signed. The job is in the address that was given
 * with the payment: https://docs.mollie.com/reference/webhooks
 */
export async function readNotification({ job, body }: Notification): Promise<NotificationReading> {
  const reference = new URLSearchParams(body).get('id')
  const payments = job && reference ? [{ job, reference, claimedStatus: null }] : []
  return { is: 'about', payments, unsigned: true }
}
