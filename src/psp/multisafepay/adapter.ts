import { DAY } from '../../contract/timestamp.ts'
import * as v from 'valibot'
import type { Mode } from '../../contract/values.ts'
import { type AnnounceAnswer, type AskAnswer, refusedOrder } from '../answer.ts'
import { type CallResult, apiClient, unavailable } from '../http-client.ts'
import { type Connection, type PaymentRequest, type Psp, defineAdapter } from '../port.ts'
import { refusedBy, seenIn } from '../reading.ts'
import { atPlace, captures, refunds, releases } from './instructions.ts'
import { readNotification } from './notification.ts'
import { announcement, isOfRequest, refusalOf } from './order-request.ts'
import {
  type ShownOrder,
  hasSucceeded,
  isFailure,
  isUnknown,
  isUsed,
  jobIn,
  orderIn,
  pathOf,
  refuse,
  success,
} from './order.ts'
import { askAt, readingOf } from './reading.ts'
import { isSlow, isUntouched, meaningOf } from './standing.ts'
import { Credentials, METHODS, RESERVES, UNSUPPORTED } from './tables.ts'
import { CANCELLED, TERMINALS, checkTerminalKey, terminals } from './terminal.ts'

/** The ids of orders that begin with a job's id: those for terminals, and those of captured parts. */
const REFERENCES = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}_[\w-]+$/i

/** MultiSafepay's JSON API v1: https://docs.multisafepay.com/reference/introduction */
const ENDPOINTS: Record<Mode, string> = {
  test: 'https://testapi.multisafepay.com/v1/json',
  live: 'https://api.multisafepay.com/v1/json',
}

function open({ fetch, mode, endpoint = ENDPOINTS[mode], credentials }: Connection<Credentials>): Psp {
  const { apiKey, terminalKey = apiKey } = credentials
  const callAs = (secret: string) => {
    const account = { headers: { api_key: secret }, secret }
    return apiClient({ fetch, endpoint, authorise: () => account })
  }
  const call = callAs(apiKey)
  const callTerminals = callAs(terminalKey)
  const hasTerminals = credentials.terminalKey !== undefined && mode === 'live'

  return {
    /** MultiSafepay has no idempotency keys, but refuses an order id that is in use. */
    async announce(payment, deadline) {
      const refusal = refusalOf(payment)
      if (refusal) return refusal
      const created = await call('POST', '/orders', { body: announcement(payment), deadline })
      if (!isUsed(created)) return toAnnounced(created, payment)
      // An earlier announcement made the order, but its answer was lost. The order may be paid.
      const held = await call('GET', pathOf(payment.job), { deadline })
      return isUnknown(held) ? refuse(created.body, 'payment') : toHeld(held, payment)
    },
    ask: (reference, currency) => askAt(call, reference, currency),
    jobOf: async (reference) => (REFERENCES.test(reference) ? jobIn(reference) : null),
    async stop(reference, currency) {
      const seen = await call('GET', pathOf(reference))
      const order = seen.is === 'answered' ? orderIn(seen.body, reference) : null
      // Leaves an order alone if the customer has begun to pay it, or has been told where to send the
      // money. An order without a transaction may still have a page.
      if (order ? order.currency !== currency || !isUntouched(order) : !isUnknown(seen))
        return seenIn(readingOf(reference), seen, currency)
      const stopped = await call('PATCH', pathOf(reference), { body: CANCELLATION })
      if (stopped.is === 'unavailable') return stopped
      const after = await call('GET', pathOf(reference))
      const isStopped = hasSucceeded(stopped)
      if (isUnknown(after) && isStopped) return CANCELLED
      const standing = seenIn(readingOf(reference), after, currency)
      const left = after.is === 'answered' ? orderIn(after.body, reference) : null
      return isStopped ? closedWhereCancelled(standing, left) : standing
    },
    ...(hasTerminals ? { terminals: terminals(callTerminals, call) } : {}),
    capture: atPlace(captures(call), captures(callTerminals)),
    release: atPlace(releases(call), releases(callTerminals)),
    refund: atPlace(refunds(call), refunds(callTerminals)),
    keyLife: { capture: DAY, release: DAY },
    readNotification: (notification) => readNotification(notification, credentials),
    accepted: 'OK',
    async check() {
      const answer = await call('GET', '/gateways')
      if (answer.is === 'unavailable') return answer
      if (!hasSucceeded(answer)) return refuse(answer.body, 'account')
      return hasTerminals ? checkTerminalKey(callTerminals) : { is: 'working' }
    },
  }
}

export const multisafepay = defineAdapter({
  name: 'MultiSafepay',
  credentials: Credentials,
  methods: METHODS,
  unsupported: UNSUPPORTED,
  reserves: RESERVES,
  references: REFERENCES,
  terminals: TERMINALS,
  open,
})

/**
 * Closes an order whose session the hub has ended: the customer can no longer pay it, unless told where
 * to send the money.
 */
function closedWhereCancelled(answer: AskAnswer, order: ShownOrder | null): AskAnswer {
  return answer.is === 'observed' && answer.status === 'CANCELLED' && order && !isSlow(order)
    ? { ...answer, closed: true }
    : answer
}

/** https://docs.multisafepay.com/reference/updateorder: "To cancel the order and its underlying session". */
const CANCELLATION = { status: 'cancelled', exclude_order: true }

const Created = v.object({ order_id: v.string(), payment_url: v.pipe(v.string(), v.url()) })

function toAnnounced(answer: CallResult, { job }: PaymentRequest): AnnounceAnswer {
  if (answer.is === 'unavailable') return answer
  if (isFailure(answer)) return refusedBy(readingOf(job), answer, 'payment')
  const order = v.safeParse(success(Created), answer.body)
  const created = order.success && order.output.data.order_id === job ? order.output.data : null
  return created
    ? announced(job, created.payment_url)
    : unavailable('MultiSafepay answered without a page to pay at.')
}

/**
 * Returns an existing order as announced. An order that can no longer be paid has no page, so the
 * customer goes to the return address instead.
 */
function toHeld(answer: CallResult, payment: PaymentRequest): AnnounceAnswer {
  if (answer.is === 'unavailable') return answer
  const order = orderIn(answer.body, payment.job)
  if (order && !isOfRequest(order, payment)) {
    return refusedOrder('refused_other', 'MultiSafepay holds another order under this id.')
  }
  const checkoutUrl = order?.payment_url ?? (order?.status === 'initialized' ? undefined : payment.returnUrl)
  return order && meaningOf(order) && checkoutUrl
    ? announced(payment.job, checkoutUrl)
    : unavailable('MultiSafepay holds the order, but does not show its page.')
}

/** MultiSafepay does not say when the page closes. */
function announced(reference: string, checkoutUrl: string): AnnounceAnswer {
  return { is: 'announced', reference, way: 'page', checkoutUrl, expiresAt: null }
}
