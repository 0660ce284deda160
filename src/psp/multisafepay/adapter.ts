import * as v from 'valibot'
import type { Mode } from '../../domain/account.ts'
import type { Observed, PullAnswer } from '../../domain/psp-answer.ts'
import { type Called, apiClient, unavailable } from '../http-client.ts'
import { type Checked, type Connection, type PaymentRequest, type Psp, defineAdapter } from '../port.ts'
import { type AnnounceAnswer, refusedOrder } from '../refusal.ts'
import { announcement, refusalOf } from './announcement.ts'
import {
  hasSucceeded,
  isFailure,
  isUnknown,
  isUsed,
  success,
  toOrderOrAccountRefused,
  toRefused,
  withoutOrder,
} from './answer.ts'
import { Credentials } from './credentials.ts'
import { readNotification } from './notification.ts'
import { Order, isUntouched, paidInPart, statusOf } from './order.ts'
import { METHODS } from './tables.ts'

/** MultiSafepay's JSON API v1: https://docs.multisafepay.com/reference/introduction */
const ENDPOINTS: Record<Mode, string> = {
  test: 'https://testapi.multisafepay.com/v1/json',
  live: 'https://api.multisafepay.com/v1/json',
}

const open = ({ fetch, mode, endpoint = ENDPOINTS[mode], credentials }: Connection<Credentials>): Psp => {
  const { apiKey } = credentials
  const headers = { api_key: apiKey }
  const call = apiClient({ fetch, endpoint, headers, secret: apiKey })
  const pull = async (reference: string, currency: string): Promise<PullAnswer> =>
    toPulled(await call('GET', pathOf(reference)), reference, currency)

  return {
    /** MultiSafepay has no idempotency key: it refuses an order id that is used already. */
    async announce(payment, deadline) {
      const refusal = refusalOf(payment)
      if (refusal) return refusal
      const created = await call('POST', '/orders', { body: announcement(payment), deadline })
      if (!isUsed(created)) return toAnnounced(created, payment)
      // It was announced before, and the answer was lost: the order is there, and somebody may have paid it.
      const held = await call('GET', pathOf(payment.job), { deadline })
      return isUnknown(held) ? toRefused(created.body) : toHeld(held, payment)
    },
    pull,
    async stop(reference, currency) {
      const seen = await call('GET', pathOf(reference))
      const order = orderIn(seen, reference)
      // An order that somebody has begun to pay is left alone. One without a transaction may still have a page.
      if (order ? order.currency !== currency || !isUntouched(order) : !isUnknown(seen))
        return toPulled(seen, reference, currency)
      const stopped = await call('PATCH', pathOf(reference), { body: CANCELLATION })
      if (stopped.is === 'unavailable') return stopped
      const after = await pull(reference, currency)
      return after.is === 'unknown' && hasSucceeded(stopped) ? CANCELLED : after
    },
    readNotification: (notification) => readNotification(notification, credentials),
    accepted: 'OK',
    check: async () => toChecked(await call('GET', '/gateways')),
  }
}

export const multisafepay = defineAdapter({ credentials: Credentials, methods: METHODS, open })

const pathOf = (reference: string): string => `/orders/${encodeURIComponent(reference)}`

const Created = v.object({ order_id: v.string(), payment_url: v.pipe(v.string(), v.url()) })

const toAnnounced = (answer: Called, payment: PaymentRequest): AnnounceAnswer => {
  if (answer.is === 'unavailable') return answer
  const order = v.safeParse(success(Created), answer.body)
  if (order.success && order.output.data.order_id === payment.job) {
    return announced(payment, order.output.data.payment_url)
  }
  return isFailure(answer)
    ? toOrderOrAccountRefused(answer)
    : unavailable('MultiSafepay answered without a page to pay at.')
}

/** An order that can no longer be paid has no page of its own: the customer goes back, and learns how it stands. */
const toHeld = (answer: Called, payment: PaymentRequest): AnnounceAnswer => {
  if (answer.is === 'unavailable') return answer
  const order = orderIn(answer, payment.job)
  if (order && !isOfRequest(order, payment)) {
    return refusedOrder('refused_other', 'MultiSafepay holds another order under this id.')
  }
  const checkoutUrl = order?.payment_url ?? (order?.status === 'initialized' ? undefined : payment.returnUrl)
  return order && checkoutUrl
    ? announced(payment, checkoutUrl)
    : unavailable('MultiSafepay holds the order, but does not say where it is paid.')
}

/**
 * An order that was announced before is this one only when it asks for the same: `var1` holds the fingerprint that the hub
 * sent with it. Another order is never taken for it, for somebody may have paid that.
 */
const isOfRequest = (order: Order, { currency, amount, fingerprint }: PaymentRequest): boolean =>
  order.currency === currency && order.amount === amount && order.var1 === fingerprint

/** MultiSafepay does not tell when the page closes. */
const announced = (payment: PaymentRequest, checkoutUrl: string): AnnounceAnswer => ({
  is: 'announced',
  reference: payment.job,
  checkoutUrl,
  expiresAt: null,
})

const toPulled = (answer: Called, reference: string, currency: string): PullAnswer => {
  if (answer.is === 'unavailable') return answer
  if (isUnknown(answer)) return { is: 'unknown' }
  const order = orderIn(answer, reference)
  const status = order?.currency === currency ? statusOf(order) : null
  if (!order || status === null) return withoutOrder(answer)
  const paid = status === 'SUCCESS' ? order.amount : status === 'PENDING' ? paidInPart(order) : 0
  return { is: 'observed', status, paid, expiresAt: null }
}

const orderIn = (answer: Called, reference: string): Order | null => {
  const order = v.safeParse(success(Order), answer.is === 'answered' ? answer.body : null)
  if (!order.success) return null
  return order.output.data.order_id === reference ? order.output.data : null
}

/** https://docs.multisafepay.com/reference/updateorder: "To cancel the order and its underlying session". */
const CANCELLATION = { status: 'cancelled', exclude_order: true }
const CANCELLED: Observed = { is: 'observed', status: 'CANCELLED', paid: 0, expiresAt: null }

const toChecked = (answer: Called): Checked => {
  if (answer.is === 'unavailable') return answer
  return hasSucceeded(answer) ? { is: 'working' } : toRefused(answer.body)
}
