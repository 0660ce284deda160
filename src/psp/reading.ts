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
 * the job's currency; null where they are in another currency, or cannot be read. A total of what
 * went back that cannot be read changes nothing. `method` is the one that the customer chose, null
 * where that is unknown.
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

/** A refund in a PSP's answer. `why` says in brackets why it failed. */
export type ShownRefund = { id: string | null; status: string; why?: string }

/** What a PSP refuses. */
export type Refusable = 'payment' | 'refund' | 'account'

/**
 * How the answers of a PSP are read. `read` and `readRefund` give null where a body has no payment
 * or refund. `isFailure` is a 4xx, `isUnknown` a 404 or 410, and `isKeyRefused` a 401 or 403, where
 * the PSP does not say otherwise.
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
 * What a PSP refuses. A key that is refused is about the account, whatever the order: another
 * account of the route may take it, and the order waits where there is none.
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

/** Reads the answer to a question how a payment stands. */
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

/** The hub itself ended the payment, which is why it has expired at the PSP. */
export function stoppedByHub(seen: AskAnswer): AskAnswer {
  return seen.is === 'observed' && seen.status === 'EXPIRED' ? { ...seen, status: 'CANCELLED' } : seen
}

/** Reads the answer to a call that only asks whether an account's credentials work. */
export function checkedIn(at: PspReading, answer: Called): Checked {
  if (answer.is === 'unavailable') return answer
  return answer.status === 200 ? { is: 'working' } : at.refuse(answer.body, 'account')
}

/** What a refund's status word means. */
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

/** Reads the answer to the request for a refund. A failure says that the PSP made none. */
export function askedRefund(at: PspReading, answer: Called): RefundAnswer {
  if (answer.is === 'unavailable') return answer
  const { isFailure = isBad } = at
  return isFailure(answer) ? refusedBy(at, answer, 'refund') : refundIn(at, answer.body)
}

/** Reads the answer to a question about one refund. */
export function shownRefund(at: PspReading, answer: Called): RefundAnswer {
  if (answer.is === 'unavailable') return answer
  if (isMissing(answer)) return { is: 'unknown' }
  return answer.status === 200
    ? refundIn(at, answer.body)
    : unavailable(`${at.psp} answered ${answer.status} without the refund.`)
}

/** How many pages of a list are looked through. */
const PAGES = 5

/**
 * A page of refunds. `next` is the path of the one after it; undefined where nobody can tell it.
 */
export type RefundPage = { refunds: readonly unknown[]; next: string | null | undefined }

/** Finds a refund in the PSP's list of them, by the hub's id, which the hub gave it as metadata. */
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
