import * as v from 'valibot'
import { instantOf as zonedInstantOf } from '../../platform/pages/zoned-time.ts'
import { type AskAnswer, type Unavailable, unknownWord } from '../answer.ts'
import type { Call } from '../http-client.ts'
import { type PspReading, type ShownInstruction, type ShownPayment, seenIn } from '../reading.ts'
import { instantOf } from '../values.ts'
import {
  type ShownOrder,
  Id,
  isFailure,
  isKeyRefused,
  isUnknown,
  orderIn,
  pathOf,
  refuse,
  success,
} from './order.ts'
import {
  type Ledger,
  askForParts,
  decidingWord,
  isRefundedByCart,
  isVoid,
  ledgerOf,
  meaningOf,
  methodOf,
  paidInPart,
  partsIn,
} from './standing.ts'
import { CAPTURE_STATUSES, PATIENCE, REFUND_STATUSES, RELEASE_STATUSES } from './tables.ts'
import { chargedBackAt, listOf, listsOfBack, refundedAt, withParts } from './transfers.ts'

/**
 * Returns how to read answers about an order. `parts`: the orders of its captured parts, null if the hub
 * did not ask for them.
 */
export function readingOf(reference: string, parts: readonly ShownOrder[] | null = null): PspReading {
  return {
    psp: 'MultiSafepay',
    patience: PATIENCE,
    read: (body, currency) => readOrder(orderIn(body, reference), currency, parts),
    instructions: {
      capture: { states: CAPTURE_STATUSES, read: takenAs('completed') },
      release: { states: RELEASE_STATUSES, read: takenAs('initialized') },
      refund: { states: REFUND_STATUSES, read: takenAs('initialized') },
    },
    refuse,
    isFailure,
    isUnknown,
    isKeyRefused,
  }
}

/** Asks about an order and the orders of its captured parts. */
export async function askAt(
  call: Call,
  reference: string,
  currency: string,
  reading = readingOf,
): Promise<AskAnswer> {
  const seen = await call('GET', pathOf(reference))
  const order = seen.is === 'answered' ? orderIn(seen.body, reference) : null
  return seenIn(reading(reference, await askForParts(call, order)), seen, currency)
}

/**
 * The answer to an instruction, which has no status. The id is `refund_id` or `transaction_id`:
 * openapi/components/examples/responses/refundOrder.json
 */
const Taken = v.object({ refund_id: v.nullish(Id), transaction_id: v.nullish(Id) })

function takenAs(status: string) {
  return (body: unknown): ShownInstruction | null => {
    const taken = v.safeParse(success(Taken), body)
    if (!taken.success) return null
    const { refund_id, transaction_id } = taken.output.data
    return { id: refund_id ?? transaction_id ?? null, status }
  }
}

/** MultiSafepay does not say when the page closes. */
function readOrder(
  order: ShownOrder | null,
  currency: string,
  asked: readonly ShownOrder[] | null,
): ShownPayment | Unavailable | null {
  if (order?.currency !== currency) return null
  const meaning = meaningOf(order)
  if (!meaning) return unknownWord('MultiSafepay', 'order', decidingWord(order))
  const ledger = ledgerOf(order)
  const at = readingOf(order.order_id)
  const parts = asked ?? (partsIn(order)?.length === 0 ? [] : null)
  const unreserved = meaning.is === 'ended' ? 0 : paidInPart(order)
  const paid = ledger?.captured ?? (meaning.is === 'paid' ? order.amount : unreserved)
  return {
    reference: order.order_id,
    checkoutUrl: order.payment_url,
    expiresAt: null,
    meaning,
    method: methodOf(order),
    amount: order.amount,
    paid,
    ...(ledger && !isRefundedByCart(order) ? reservationOf(order, ledger) : {}),
    ...((meaning.is === 'paid' && order.amount > 0) || isVoid(order) || (ledger?.captured ?? 0) > 0
      ? { refunded: withParts(order, parts, refundedAt), chargedBack: withParts(order, parts, chargedBackAt) }
      : {}),
    transfers: {
      ...(ledger ? { capture: listOf(at, [order], 'capture'), release: listOf(at, [order], 'release') } : {}),
      ...listsOfBack(at, order, parts),
    },
  }
}

function reservationOf(order: ShownOrder, { released, held }: Ledger): Partial<ShownPayment> {
  const totals = { authorized: order.amount, released }
  if (held === 0) return totals
  const captureBefore = timeOf(order.payment_details?.capture_expiry)
  return { ...totals, authorizedAt: timeOf(order.completed), captureBefore }
}

/**
 * Reads a time (ms) of an order. It names no zone, but is in that of Amsterdam: the notification that
 * https://docs.multisafepay.com/docs/webhook shows was signed in January at 14:08:04 UTC, for an order
 * that was created at 15:08:02.
 */
function timeOf(text: string | null | undefined): number | null {
  const local = zonedInstantOf(text?.replace(' ', 'T') ?? '', 'Europe/Amsterdam')
  return instantOf(local ?? text)
}
