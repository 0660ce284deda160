import type { MoneyMove } from '../../psp/answer.ts'
import { type Known, doneIn, listsOfMoves } from './transfers.ts'

/*
 * Several payments may pay an order together, such as a gift card and a card. Only notifications
 * report these parts, and a move of money names the one it belongs to. All amounts are minor units.
 */

/**
 * One payment's share of an order, and how much of it went back. `part`: the PSP's reference; empty
 * for money of an unknown payment. `cancelled`: was authorised, and is not the shop's after all.
 */
type Part = { part: string; amount: number; refunded: number; cancelled: number; chargedBack: number }

/**
 * Returns the payments that paid an order, oldest first, and at the end the unknown one. A payment that
 * went back as a whole counts as no payment if the others make up what was paid.
 */
function partsIn(moves: readonly MoneyMove[], paid: number): Part[] {
  const signed = listsOfMoves(moves)
  const shares = signed.authorise ?? []
  const known = new Set(shares.map(({ id }) => id))
  // Some events name no payment. If there is only one, they belong to it.
  const [only = ''] = known.size === 1 ? known : []
  const partOf = ({ of = '' }: Known) => (known.has(of) ? of : of === '' ? only : '')
  const partWith = (part: string, amount: number): Part => {
    const done = (list?: readonly Known[]) => doneIn(list?.filter((one) => partOf(one) === part)) ?? 0
    const [refunded, chargedBack] = [done(signed.refund), done(signed.dispute)]
    // Several events may report one cancellation, which takes no more than is there.
    const cancelled = Math.min(done(signed.release), Math.max(amount - refunded - chargedBack, 0))
    return { part, amount, refunded, cancelled, chargedBack }
  }
  const parts = shares.map(({ id, amount }) => partWith(id, amount))
  const counted = parts.reduce<Part[]>((all, one) => {
    const others = sumOf(all, 'amount') - one.amount
    const isGivenBack = one.refunded + one.cancelled >= one.amount && others >= paid
    return isGivenBack ? all.map((part) => (part === one ? givenBack(part) : part)) : all
  }, parts)
  return [...counted, partWith('', paid - counted.reduce((sum, part) => sum + goneOf(part), 0))]
}

function givenBack(part: Part): Part {
  return { ...part, amount: 0, refunded: 0, cancelled: 0 }
}

function goneOf({ refunded, cancelled, chargedBack }: Part): number {
  return refunded + cancelled + chargedBack
}

function sumOf<Name extends string>(all: readonly Record<Name, number>[], name: Name): number {
  return all.reduce((sum, one) => sum + one[name], 0)
}

/** Returns what went back from a payment, by its notifications. Disputes take no more than was paid. */
export function backIn(moves: readonly MoneyMove[], paid: number) {
  const parts = partsIn(moves, paid)
  const cancelled = sumOf(parts, 'cancelled')
  return {
    refunded: sumOf(parts, 'refunded') + cancelled,
    cancelled,
    chargedBack: Math.min(sumOf(parts, 'chargedBack'), paid),
  }
}

/**
 * Returns the payments that paid an order together, and how much each still has; none if a single one
 * paid it.
 */
export function partsOfPayment(moves: readonly MoneyMove[], paid: number): Part[] {
  const parts = partsIn(moves, paid).filter(({ part, amount }) => part !== '' && amount > 0)
  return parts.some(({ amount }) => amount >= paid) ? [] : parts
}

/** Returns the amounts that paid and went back as a whole: they count as neither paid nor refunded. */
export function givenBackIn(moves: readonly MoneyMove[], paid: number): number[] {
  const counted = partsIn(moves, paid).filter(({ amount }) => amount > 0)
  const parts = listsOfMoves(moves).authorise ?? []
  return parts.filter(({ id }) => !counted.some(({ part }) => part === id)).map(({ amount }) => amount)
}

/** Returns how much the PSP has signed as authorised, less what went back; null if it signs no parts. */
export function signedIn(moves: readonly MoneyMove[]): number | null {
  const parts = partsIn(moves, 0).filter(({ part }) => part !== '')
  if (parts.length === 0) return null
  return sumOf(parts, 'amount') - sumOf(parts, 'refunded') - sumOf(parts, 'cancelled')
}

/** Returns how much the PSP has signed as authorised and did not cancel, whatever went back since. */
export function takenIn(moves: readonly MoneyMove[]): number {
  const { authorise, release } = listsOfMoves(moves)
  return Math.max((doneIn(authorise) ?? 0) - (doneIn(release) ?? 0), 0)
}

/** Returns the reference of the largest part, which may be all of it. */
export function largestPart(moves: readonly MoneyMove[], paid: number): string | undefined {
  const parts = partsIn(moves, paid).filter(({ part }) => part !== '')
  return parts.toSorted((one, other) => other.amount - one.amount)[0]?.part
}

/**
 * Returns whether a PSP let reserved money go only because its time was up, not because it was cancelled
 * there. Release 1.1 stored that only within the move's id.
 */
export function isExpiry(moves: readonly MoneyMove[]): boolean {
  return moves.every(
    ({ cancelled, expired, id }) => !cancelled || expired === true || id.startsWith('EXPIRE:'),
  )
}

/**
 * Returns how much of a payment was not captured after all, by a PSP that captures by itself. Only another
 * capture of the same part, reported after the failure, makes up for it.
 */
export function failedCapturesIn(moves: readonly MoneyMove[]): number {
  const isFailed = ({ kind }: MoneyMove) => kind === 'capture-failed'
  const isLater = ({ kind, reference, of }: MoneyMove, place: number) => {
    const failed = moves.slice(0, place).filter((one) => isFailed(one) && one.of === of)
    return kind === 'capture' && failed.length > 0 && failed.every((one) => one.reference !== reference)
  }
  return Math.max(sumOf(moves.filter(isFailed), 'amount') - sumOf(moves.filter(isLater), 'amount'), 0)
}
