import * as v from 'valibot'
import {
  type AnnounceAnswer,
  type AskAnswer,
  type Meaning,
  type PatienceTable,
  type RefundAnswer,
  type RefusedOrder,
  type Unavailable,
  standingOf,
  unknownWord,
  wordIn,
} from './answer.ts'
import { withDeadline } from '../platform/deadline.ts'
import { type Answered, type Call, type Called, DEADLINE, unavailable } from './http-client.ts'
import type { Checked, PaymentRequest } from './port.ts'

/**
 * A payment in a PSP's answer. `amount` is the whole, `paid` what counts as paid, in minor units of
 * the job's currency; null in another currency, or if unreadable. An unreadable total of what went
 * back changes nothing. `method`: the one that the customer chose, null if unknown.
 */
export type Shown = {
  reference: string
  checkoutUrl: string | null | undefined
  expiresAt: number | null
  meaning: Meaning
  method: string | null
  amount: number | null
  paid: number | null
  refunded?: number | null | undefined
  chargedBack?: number | null | undefined
}

/** A refund in a PSP's answer. `why`: the reason of a failure, in brackets. */
export type ShownRefund = { id: string | null; status: string; why?: string }

export type Refusable = 'payment' | 'refund' | 'account'

/**
 * The way to read a PSP's answers. `read` and `readRefund` return null for a body without a payment
 * or refund. By default `isFailure` is a 4xx, `isUnknown` a 404 or 410, and `isKeyRefused` a 401 or
 * 403.
 */
export type PspReading = {
  psp: string
  patience: PatienceTable
  refundStates: Readonly<Record<string, 'pending' | 'done' | 'failed'>>
  read: (body: unknown, currency: string) => Shown | Unavailable | null
  readRefund: (body: unknown) => ShownRefund | null
  refuse: (body: unknown, what: Refusable) => RefusedOrder | Unavailable
  isFailure?: (answer: Answered) => boolean
  isUnknown?: (answer: Answered) => boolean
  isKeyRefused?: (answer: Answered) => boolean
}

function isBad({ status }: Answered): boolean {
  return status >= 400
}

function isMissing({ status }: Answered): boolean {
  return status === 404 || status === 410
}

function isUnauthorized({ status }: Answered): boolean {
  return status === 401 || status === 403
}

/**
 * Reads a refusal. A refused key concerns the account, whatever the order: another account of the
 * route may take the order, or the order waits.
 */
export function refusedBy(at: PspReading, answer: Answered, what: Refusable): RefusedOrder | Unavailable {
  const { isKeyRefused = isUnauthorized } = at
  const refused = at.refuse(answer.body, what)
  return refused.is === 'refused' && isKeyRefused(answer)
    ? { is: 'unavailable', message: refused.message, accountRefused: true }
    : refused
}

/** Reads the answer to an announcement. */
export function announcedIn(
  at: PspReading,
  answer: Called,
  { amount, currency }: PaymentRequest,
): AnnounceAnswer {
  if (answer.is === 'unavailable') return answer
  const { isFailure = isBad } = at
  if (isFailure(answer)) return refusedBy(at, answer, 'payment')
  const shown = at.read(answer.body, currency)
  if (shown && 'is' in shown) return shown
  if (!shown?.checkoutUrl) return unavailable(`${at.psp} answered without a page to pay at.`)
  if (shown.amount !== amount)
    return unavailable(`${at.psp} answered with a payment of another amount or currency.`)
  const { reference, checkoutUrl, expiresAt } = shown
  return { is: 'announced', reference, checkoutUrl, expiresAt }
}

export function seenIn(at: PspReading, answer: Called, currency: string): AskAnswer {
  if (answer.is === 'unavailable') return answer
  const { isUnknown = isMissing, isKeyRefused = isUnauthorized } = at
  if (isUnknown(answer)) return { is: 'unknown' }
  const shown = at.read(answer.body, currency)
  if (!shown) {
    const without = unavailable(`${at.psp} answered ${answer.status} without the payment.`)
    return isKeyRefused(answer) ? { ...without, accountRefused: true } : without
  }
  if ('is' in shown) return shown
  const { meaning, method, amount, paid, expiresAt, refunded, chargedBack } = shown
  if (amount === null || paid === null)
    return unavailable(`${at.psp} answered with an amount that cannot be read.`)
  return {
    is: 'observed',
    ...standingOf(meaning, at.patience, method),
    paid,
    expiresAt,
    ...(typeof refunded === 'number' ? { refunded } : {}),
    ...(typeof chargedBack === 'number' ? { chargedBack } : {}),
  }
}

/** Turns EXPIRED into CANCELLED, because the hub itself ended the payment. */
export function stoppedByHub(seen: AskAnswer): AskAnswer {
  return seen.is === 'observed' && seen.status === 'EXPIRED' ? { ...seen, status: 'CANCELLED' } : seen
}

/** Reads the answer to a call that only asks whether an account's credentials work. */
export function checkedIn(at: PspReading, answer: Called): Checked {
  if (answer.is === 'unavailable') return answer
  return answer.status === 200 ? { is: 'working' } : at.refuse(answer.body, 'account')
}

/** Turns a refund's status word into an answer. */
export function stateOfRefund(
  { psp, refundStates }: PspReading,
  { id, status, why = '' }: ShownRefund,
): RefundAnswer {
  const state = wordIn(refundStates, status)
  if (state === undefined) return unknownWord(psp, 'refund', status)
  return state === 'failed'
    ? { is: 'failed', message: `${psp} says that the refund is ${status}${why}.` }
    : { is: 'taken', reference: id, state }
}

function refundIn(at: PspReading, body: unknown): RefundAnswer {
  const shown = at.readRefund(body)
  return shown ? stateOfRefund(at, shown) : unavailable(`${at.psp} answered without the refund.`)
}

/** Reads the answer to the request for a refund. On a failure the PSP made none. */
export function askedRefund(at: PspReading, answer: Called): RefundAnswer {
  if (answer.is === 'unavailable') return answer
  const { isFailure = isBad } = at
  return isFailure(answer) ? refusedBy(at, answer, 'refund') : refundIn(at, answer.body)
}

export function shownRefund(at: PspReading, answer: Called): RefundAnswer {
  if (answer.is === 'unavailable') return answer
  if (isMissing(answer)) return { is: 'unknown' }
  return answer.status === 200
    ? refundIn(at, answer.body)
    : unavailable(`${at.psp} answered ${answer.status} without the refund.`)
}

/** How many pages of a list the hub reads. */
const PAGES = 5

/** A page of refunds. `next`: the path of the next; null after the last, undefined if unknown. */
export type RefundPage = { refunds: readonly unknown[]; next: string | null | undefined }

/** Finds a refund in the PSP's list by the hub's id, which stands in its metadata. */
export function findRefund(
  at: PspReading,
  call: Call,
  path: string,
  pageIn: (body: unknown) => RefundPage | null,
  id: string,
): Promise<RefundAnswer> {
  const OfHub = v.object({ metadata: v.object({ refund: v.literal(id) }) })
  return withDeadline(DEADLINE, async (deadline) => {
    let next: string | undefined = path
    for (let page = 0; page < PAGES && next !== undefined; page++) {
      const answer = await call('GET', next, { deadline })
      if (answer.is === 'unavailable') return answer
      const list = answer.status === 200 ? pageIn(answer.body) : null
      if (!list) return unavailable(`${at.psp} answered ${answer.status} without refunds.`)
      const found = list.refunds.find((one) => v.is(OfHub, one))
      if (found !== undefined) return refundIn(at, found)
      if (list.next === null) return { is: 'unknown' }
      next = list.next
    }
    return unavailable(`${at.psp} has too many refunds of the payment.`)
  })
}
