import type { Announced, Refused, Unavailable } from './answer.ts'

/** Why a PSP refuses an order, as far as a shop can act on it: docs/pos/orders.md says what it can do. */
export type RefusalReason = 'refused_amount' | 'refused_method' | 'refused_account' | 'refused_other'

/** A PSP's considered no to an order. */
export type RefusedOrder = Refused & { reason: RefusalReason }

/** What an account answers to an announcement. */
export type AnnounceAnswer = Announced | RefusedOrder | Unavailable

/** The reasons behind a PSP's error codes, and behind the fields that its errors name. */
export type Reasons = ReadonlyMap<string, RefusalReason>

export function refusedOrder(reason: RefusalReason, message: string): RefusedOrder {
  return {
    is: 'refused',
    reason,
    message,
  }
}

/** The reason of the first of an error's words (its code, its field) that the PSP's table has. */
export function reasonIn(reasons: Reasons, ...words: readonly (string | null | undefined)[]): RefusalReason {
  return (
    words.map((word) => reasons.get(word ?? '')).find((reason) => reason !== undefined) ?? 'refused_other'
  )
}

/**
 * A 401 or 403 refuses the account, whatever the order: another account of the route may take it, and the order waits where
 * there is none. An operator has to look at the account.
 */
export function ofOrderOrAccount(status: number, refused: RefusedOrder): RefusedOrder | Unavailable {
  return status === 401 || status === 403 ? accountRefused(refused) : refused
}

/** An answer that tells nothing of the payment. A 401 or 403 says that the account is refused. */
export function withoutPayment(status: number, message: string): Unavailable {
  return status === 401 || status === 403 ? accountRefused({ message }) : { is: 'unavailable', message }
}

export function accountRefused({ message }: Pick<Refused, 'message'>): Unavailable {
  return {
    is: 'unavailable',
    message,
    accountRefused: true,
  }
}
