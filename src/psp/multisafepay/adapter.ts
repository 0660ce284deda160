import type { Mode } from '../../registry/account.ts'
import type { Observed, PullAnswer } from '../answer.ts'
import { type Called, apiClient, unavailable } from '../http-client.ts'
import { standingOf } from '../meaning.ts'
import { type Checked, type Connection, type Psp, defineAdapter } from '../port.ts'
import { toAnnounced, toHeld } from './announced.ts'
import { announcement, refusalOf } from './announcement.ts'
import { hasSucceeded, isUnknown, isUsed, toRefused, withoutOrder } from './answer.ts'
import { Credentials } from './credentials.ts'
import { moneyBackOf } from './money-back.ts'
import { readNotification } from './notification.ts'
import {
  type Order,
  isSlow,
  isUntouched,
  meaningOf,
  methodOf,
  orderIn,
  paidInPart,
  pathOf,
  unknownWordIn,
} from './order.ts'
import { pullRefund, refund } from './refunds.ts'
import { PATIENCE } from './statuses.ts'
import { METHODS } from './tables.ts'

/** MultiSafepay's JSON API v1: https://docs.multisafepay.com/reference/introduction */
const ENDPOINTS: Record<Mode, string> = {
  test: 'https://testapi.multisafepay.com/v1/json',
  live: 'https://api.multisafepay.com/v1/json',
}

function open({ fetch, mode, endpoint = ENDPOINTS[mode], credentials }: Connection<Credentials>): Psp {
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
      // An order that somebody has begun to pay, or is to transfer money for, is left alone. One without a transaction may
      // still have a page.
      if (order ? order.currency !== currency || !isUntouched(order) : !isUnknown(seen))
        return toPulled(seen, reference, currency)
      const stopped = await call('PATCH', pathOf(reference), { body: CANCELLATION })
      if (stopped.is === 'unavailable') return stopped
      const after = await call('GET', pathOf(reference))
      const isStopped = hasSucceeded(stopped)
      if (isUnknown(after) && isStopped) return CANCELLED
      const standing = toPulled(after, reference, currency)
      return isStopped ? closedWhereCancelled(standing, orderIn(after, reference)) : standing
    },
    refund: (payment, wanted) => refund(call, payment, wanted),
    pullRefund: (payment, wanted) => pullRefund(call, payment, wanted),
    readNotification: (notification) => readNotification(notification, credentials),
    accepted: 'OK',
    check: async () => toChecked(await call('GET', '/gateways')),
  }
}

export const multisafepay = defineAdapter({ credentials: Credentials, methods: METHODS, open })

function toPulled(answer: Called, reference: string, currency: string): PullAnswer {
  if (answer.is === 'unavailable') return answer
  if (isUnknown(answer)) return { is: 'unknown' }
  const order = orderIn(answer, reference)
  const meaning = order?.currency === currency ? meaningOf(order) : null
  if (!order || meaning === null) {
    const word = unknownWordIn(answer.body)
    return word === null
      ? withoutOrder(answer)
      : unavailable(`MultiSafepay says that the order is "${word}", which the hub does not know.`)
  }
  const standing = standingOf(meaning, PATIENCE, methodOf(order))
  if (standing.status === 'SUCCESS') {
    return { is: 'observed', ...standing, paid: order.amount, expiresAt: null, ...moneyBackOf(order) }
  }
  const paid = standing.status === 'PENDING' ? paidInPart(order) : 0
  return { is: 'observed', ...standing, paid, expiresAt: null }
}

/** Nobody can pay an order whose session the hub has ended, unless the customer was told where to send the money. */
function closedWhereCancelled(answer: PullAnswer, order: Order | null): PullAnswer {
  return answer.is === 'observed' && answer.status === 'CANCELLED' && order && !isSlow(order)
    ? { ...answer, closed: true }
    : answer
}

/** https://docs.multisafepay.com/reference/updateorder: "To cancel the order and its underlying session". */
const CANCELLATION = { status: 'cancelled', exclude_order: true }
const CANCELLED: Observed = {
  is: 'observed',
  status: 'CANCELLED',
  closed: true,
  paid: 0,
  expiresAt: null,
}

function toChecked(answer: Called): Checked {
  if (answer.is === 'unavailable') return answer
  return hasSucceeded(answer) ? { is: 'working' } : toRefused(answer.body)
}
