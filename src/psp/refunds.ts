import {
  type RefundAnswer,
  type RefusedOrder,
  type Unavailable,
  ofOrderOrAccount,
  unknownWord,
  wordIn,
} from './answer.ts'
import { type Called, isConflict, unavailable } from './http-client.ts'

/** A refund in a PSP's answer. `why` says in brackets why it failed. */
export type ShownRefund = { id: string | null; status: string; why?: string }

/**
 * How a PSP shows refunds. `read` finds a refund in a body, null where there is none. `isUnderWay`
 * tells that another request under the same idempotency key came first.
 */
export type RefundsAt = {
  psp: string
  states: Readonly<Record<string, 'pending' | 'done' | 'failed'>>
  read: (body: unknown) => ShownRefund | null
  refuse: (body: unknown) => RefusedOrder | Unavailable
  isUnderWay?: (answer: Called) => boolean
}

/** What a refund's status word means. */
export function stateOfRefund(
  { psp, states }: Pick<RefundsAt, 'psp' | 'states'>,
  { id, status, why = '' }: ShownRefund,
): RefundAnswer {
  const state = wordIn(states, status)
  if (state === undefined) return unknownWord(psp, 'refund', status)
  return state === 'failed'
    ? { is: 'failed', message: `${psp} says that the refund is ${status}${why}.` }
    : { is: 'taken', reference: id, state }
}

/** Reads the answer to the request for a refund. A 4xx says that the PSP made none. */
export function askedRefund(at: RefundsAt, answer: Called): RefundAnswer {
  if (answer.is === 'unavailable') return answer
  const { isUnderWay = isConflict } = at
  if (isUnderWay(answer)) return unavailable(`${at.psp} has the same refund under way.`)
  return answer.status >= 400
    ? ofOrderOrAccount(answer.status, at.refuse(answer.body))
    : refundIn(at, answer.body)
}

/** Reads the answer to a question about one refund. */
export function shownRefund(at: RefundsAt, answer: Called): RefundAnswer {
  if (answer.is === 'unavailable') return answer
  if (answer.status === 404 || answer.status === 410) return { is: 'unknown' }
  return answer.status === 200
    ? refundIn(at, answer.body)
    : unavailable(`${at.psp} answered ${answer.status} without the refund.`)
}

function refundIn(at: RefundsAt, body: unknown): RefundAnswer {
  const shown = at.read(body)
  return shown ? stateOfRefund(at, shown) : unavailable(`${at.psp} answered without the refund.`)
}

/** How many pages of a list are looked through. */
const PAGES = 5

/**
 * A page of refunds. `next` is the path of the one after it; undefined where nobody can tell it.
 */
export type RefundPage = { refunds: readonly unknown[]; next: string | null | undefined }

/** Finds the refund that the hub asked for under an id, in the PSP's list of them. */
export async function findRefund(
  at: RefundsAt,
  path: string,
  get: (path: string) => Promise<Called>,
  pageIn: (body: unknown) => RefundPage | null,
  isWanted: (refund: unknown) => boolean,
): Promise<RefundAnswer> {
  let next: string | undefined = path
  for (let page = 0; page < PAGES && next !== undefined; page++) {
    const answer = await get(next)
    if (answer.is === 'unavailable') return answer
    const list = answer.status === 200 ? pageIn(answer.body) : null
    if (!list) return unavailable(`${at.psp} answered ${answer.status} without refunds.`)
    const found = list.refunds.find(isWanted)
    if (found !== undefined) return refundIn(at, found)
    if (list.next === null) return { is: 'unknown' }
    next = list.next
  }
  return unavailable(`${at.psp} has too many refunds of the payment.`)
}
