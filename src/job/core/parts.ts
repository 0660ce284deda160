import type { MoneyMove } from '../../psp/answer.ts'

/*
 * Several payments may pay an order together, such as a gift card and a card. Only notifications
 * report these parts, and a move of money names the one it belongs to. All amounts are minor units.
 */

/** Money that went back from a part, unless that failed or was reversed. */
type Back = { of: string; is: 'refunded' | 'cancelled' | 'chargedBack'; amount: number }

/**
 * One payment's share of an order, and how much of it went back. `part`: the PSP's reference; empty
 * for money of an unknown payment. `cancelled`: was authorised, and is not the shop's after all.
 */
type Part = { part: string; amount: number } & Record<Back['is'], number>

/**
 * Returns the payments that paid an order, oldest first, and at the end the unknown one. A payment that
 * went back as a whole counts as no payment if the others make up what was paid.
 */
function partsIn(moves: readonly MoneyMove[], paid: number): Part[] {
  const shares = moves.flatMap(({ kind, reference, amount }) =>
    kind === 'part' && reference !== undefined ? [{ part: reference, amount }] : [],
  )
  const known = new Set(shares.map(({ part }) => part))
  // Some events name no payment. If there is only one, they belong to it.
  const [only = ''] = known.size === 1 ? known : []
  const backs = backsIn(moves).map(({ of, is, amount }) => ({
    of: known.has(of) ? of : of === '' ? only : '',
    is,
    amount,
  }))
  const parts = shares.map(({ part, amount }) => withBacks(part, amount, backs))
  const counted = parts.reduce<Part[]>((all, one) => {
    const others = sumOf(all, 'amount') - one.amount
    const isGivenBack = one.refunded + one.cancelled >= one.amount && others >= paid
    return isGivenBack ? all.map((part) => (part === one ? givenBack(part) : part)) : all
  }, parts)
  return [...counted, withBacks('', paid - counted.reduce((sum, part) => sum + goneOf(part), 0), backs)]
}

function givenBack(part: Part): Part {
  return { ...part, amount: 0, refunded: 0, cancelled: 0 }
}

function goneOf({ refunded, cancelled, chargedBack }: Part): number {
  return refunded + cancelled + chargedBack
}

function withBacks(part: string, amount: number, backs: readonly Back[]): Part {
  const own = backs.filter(({ of }) => of === part)
  const sum = (is: Back['is']) => own.reduce((all, back) => all + (back.is === is ? back.amount : 0), 0)
  const [refunded, chargedBack] = [sum('refunded'), sum('chargedBack')]
  // Several events may report one cancellation, which takes no more than is there.
  const cancelled = Math.min(sum('cancelled'), Math.max(amount - refunded - chargedBack, 0))
  return { part, amount, refunded, cancelled, chargedBack }
}

/** Sums each refund and each dispute by itself, so that a repeated event takes nothing off another. */
function backsIn(moves: readonly MoneyMove[]): Back[] {
  const net = (is: Back['is'], all: MoneyMove[], failed: MoneyMove['kind'], keyOf: KeyOf): Back[] =>
    [...Map.groupBy(all, keyOf).values()].map((about) => {
      const taken = sumOf(about, 'amount') - 2 * sumOf(ofKind(about, failed), 'amount')
      return { of: about.find(({ of }) => of !== undefined)?.of ?? '', is, amount: Math.max(taken, 0) }
    })
  const refunds = ofKind(moves, 'refund', 'refund-failed').filter((move) => !isCancelled(move))
  const disputes = ofKind(moves, 'chargeback', 'chargeback-reversed')
  return [
    ...net('refunded', refunds, 'refund-failed', refundOf),
    ...moves.filter(isCancelled).map(({ of = '', amount }) => ({ of, is: 'cancelled', amount }) as const),
    ...net('chargedBack', disputes, 'chargeback-reversed', disputeOf),
  ]
}

function isCancelled({ cancelled }: MoneyMove): boolean {
  return cancelled === true
}

type KeyOf = (move: MoneyMove) => string | undefined

function refundOf({ reference, refund }: MoneyMove): string | undefined {
  return reference ?? refund
}

/** Returns the PSP's reference of a dispute. Release 1.0 stored it only within the move's id. */
export function disputeOf({ reference, id }: MoneyMove): string | undefined {
  return reference ?? /:([^:]+)$/.exec(id)?.[1]
}

function ofKind(moves: readonly MoneyMove[], ...kinds: MoneyMove['kind'][]): MoneyMove[] {
  return moves.filter(({ kind }) => kinds.includes(kind))
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
  const references = new Set<string | undefined>(counted.map(({ part }) => part))
  return ofKind(moves, 'part')
    .filter(({ reference }) => !references.has(reference))
    .map(({ amount }) => amount)
}

/** Returns how much the PSP has signed as authorised, less what went back; null if it signs no parts. */
export function signedIn(moves: readonly MoneyMove[]): number | null {
  if (ofKind(moves, 'part').length === 0) return null
  const parts = partsIn(moves, 0).filter(({ part }) => part !== '')
  return sumOf(parts, 'amount') - sumOf(parts, 'refunded') - sumOf(parts, 'cancelled')
}

/** Returns how much the PSP has signed as authorised and did not cancel, whatever went back since. */
export function takenIn(moves: readonly MoneyMove[]): number {
  return Math.max(sumOf(ofKind(moves, 'part'), 'amount') - letGoIn(moves), 0)
}

/** Returns the reference of the largest part, which may be all of it. */
export function largestPart(moves: readonly MoneyMove[], paid: number): string | undefined {
  const parts = partsIn(moves, paid).filter(({ part }) => part !== '')
  return parts.toSorted((one, other) => other.amount - one.amount)[0]?.part
}

function isFailedCapture({ kind }: MoneyMove): boolean {
  return kind === 'capture-failed'
}

function amountOf(moves: readonly MoneyMove[]): number {
  return sumOf(moves, 'amount')
}

/** Returns how much reserved money was let go, by notifications. */
export function letGoIn(moves: readonly MoneyMove[]): number {
  return amountOf(moves.filter(isCancelled))
}

/**
 * Returns whether a PSP let reserved money go only because its time was up, not because it was cancelled
 * there. Release 1.1 stored that only within the move's id.
 */
export function isExpiry(moves: readonly MoneyMove[]): boolean {
  return moves.filter(isCancelled).every(({ expired, id }) => expired === true || id.startsWith('EXPIRE:'))
}

/**
 * Returns how much of a payment was not captured after all, by a PSP that captures by itself. Only another
 * capture of the same part, reported after the failure, makes up for it.
 */
export function failedCapturesIn(moves: readonly MoneyMove[]): number {
  const isLater = ({ kind, reference, of }: MoneyMove, place: number) => {
    const failed = moves.slice(0, place).filter((one) => isFailedCapture(one) && one.of === of)
    return kind === 'capture' && failed.length > 0 && failed.every((one) => one.reference !== reference)
  }
  return Math.max(amountOf(moves.filter(isFailedCapture)) - amountOf(moves.filter(isLater)), 0)
}
