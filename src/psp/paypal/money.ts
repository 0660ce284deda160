import {
  type Meaning,
  type Transfer,
  type Unavailable,
  AUTHORIZED,
  PAID,
  UNDERWAY,
  closedAs,
  endedAs,
  unknownWord,
  wordIn,
} from '../answer.ts'
import { type PspReading, type ShownPayment, transfersIn } from '../reading.ts'
import { instantOf } from '../values.ts'
import { type Item, type Parts, amountIn, shownBy } from './parts.ts'
import { AUTHORIZATION_STATUSES, CAPTURE_STATUSES, DISPUTED, REFUND_STATUSES } from './tables.ts'

type Shown = Omit<ShownPayment, 'reference' | 'checkoutUrl' | 'expiresAt' | 'method' | 'amount'>

/** Reads the money of an order; null if there is none yet. */
export function moneyIn(at: PspReading, parts: Parts, currency: string): Shown | Unavailable | null {
  const { authorization, captures } = parts
  const sums = { done: 0, pending: 0, failed: 0 }
  for (const { status, amount } of captures) {
    const state = wordIn(CAPTURE_STATUSES, status)
    if (!state) return unknownWord('PayPal', 'capture', status)
    sums[state] += amountIn(amount, currency) ?? Number.NaN
  }
  const paid = Number.isNaN(sums.done + sums.pending) ? null : sums.done
  const shown = {
    paid,
    transfers: {
      refund: listOf(at, 'refund', parts.refunds, currency),
      dispute: disputesIn(parts, currency),
    },
  }
  if (authorization) return reservedIn(at, authorization, { ...sums, shown, parts, currency })
  if (captures.length === 0) return null
  const unpaid = sums.pending > 0 ? UNDERWAY : endedAs('FAILURE')
  return { ...shown, meaning: sums.done > 0 ? PAID : unpaid }
}

type Captured = {
  done: number
  pending: number
  shown: Omit<Shown, 'meaning'>
  parts: Parts
  currency: string
}

/**
 * Reads reserved money. PayPal releases what is left after a final capture, and keeps it otherwise until a void, or
 * until the authorisation ends.
 */
function reservedIn(
  at: PspReading,
  authorization: Item,
  { done, pending, shown, parts, currency }: Captured,
): Shown | Unavailable {
  const { id, status } = authorization
  const word = wordIn<Meaning>(AUTHORIZATION_STATUSES, status)
  if (!word) return unknownWord('PayPal', 'authorization', status)
  const isReserved = word.is !== 'underway' && status !== 'DENIED'
  const amount = amountIn(authorization.amount, currency)
  if (!isReserved || amount === null)
    return { ...shown, meaning: word, ...(isReserved ? { paid: null } : {}) }
  const isFinal = ({ final_capture, ...one }: Item) =>
    final_capture === true && wordIn(CAPTURE_STATUSES, one.status) !== 'failed'
  const isOver = word.is !== 'authorized' || parts.captures.some(isFinal)
  const released = isOver ? Math.max(amount - done - pending, 0) : 0
  const isHeld = done < amount && (!isOver || pending > 0)
  const end = done > 0 ? PAID : closedAs('CANCELLED')
  return {
    ...shown,
    meaning: isHeld ? AUTHORIZED : end,
    authorized: amount,
    released,
    authorizedAt: instantOf(authorization.create_time),
    captureBefore: instantOf(authorization.expiration_time),
    transfers: {
      ...shown.transfers,
      capture: listOf(at, 'capture', parts.captures, currency),
      release: released > 0 ? [{ id, amount: released, state: 'done' }] : [],
    },
  }
}

/** Lists captures or refunds. The hub's id of one is its `invoice_id`. */
function listOf(
  at: PspReading,
  kind: 'capture' | 'refund',
  items: readonly Item[] | undefined,
  currency: string,
) {
  const shown = items?.map((item) => ({
    ...shownBy(item),
    own: item.invoice_id,
    amount: amountIn(item.amount, currency),
  }))
  return transfersIn(at, kind, shown)
}

/** Returns how much of a capture was refunded, or is being refunded. */
export function refundedOf({ id }: Item, { refunds = [] }: Parts, currency: string): number {
  const isOf = ({ links, status }: Item) =>
    wordIn(REFUND_STATUSES, status) !== 'failed' &&
    links.some(({ rel, href }) => rel === 'up' && href.endsWith(`/captures/${id}`))
  return refunds.filter(isOf).reduce((sum, one) => sum + (amountIn(one.amount, currency) ?? 0), 0)
}

/** Lists what a dispute took back: the rest of a refunded capture, if PayPal names a dispute as the reason. */
function disputesIn(parts: Parts, currency: string): Transfer[] {
  return parts.captures.flatMap((capture): Transfer[] => {
    const { id, status, status_details } = capture
    if (status !== 'REFUNDED' || !DISPUTED.has(status_details?.reason ?? '')) return []
    const amount = (amountIn(capture.amount, currency) ?? 0) - refundedOf(capture, parts, currency)
    return amount > 0 ? [{ id, amount, state: 'done' }] : []
  })
}
