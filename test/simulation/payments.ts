import { DAY } from '../../src/contract/timestamp.ts'
import type { Stored } from '../support/job.ts'
import type { HeldPayment, HeldMove, PlayedAccount, PspStatus } from './played-psp.ts'

/** What goes back of a payment, in minor units. */
export type Totals = { refunded: number; chargedBack: number }

/**
 * A payment of a PSP's double, with what only the simulation knows. `looks` are the hub's questions
 * about it, and what they got. `been` is every status it had, `totals` all that had ever gone back
 * of it. `changes` counts the changes of both: `shown` is how many of them the PSP has told in an
 * answer, `notified` how many the hub has taken a notification of, and `foreign` how many there
 * were after the last one that the hub's own refunds have not caused. `shownAt` (ms): when it told the
 * last change that it had not told before.
 */
export type Payment = HeldPayment & {
  at: PlayedAccount
  /** The hub's id of the account. */
  account: string
  made: number
  looks: { at: number; got: 'the truth' | 'a 404' | 'an old answer' | 'nothing' }[]
  been: Set<PspStatus>
  totals: Set<string>
  changes: number
  shown: number
  shownAt: number
  notified: number
  foreign: number
  /**
   * The status that the PSP has told last, since when (ms), and whether it has told an end that is
   * final for good.
   */
  told: PspStatus
  toldSince: number
  toldItsEnd: boolean
  /** What becomes of money that is under way, and when (ms). `word`: the hub is notified of it. */
  ending: { at: number; as: 'paid' | 'failed'; word: boolean } | null
  /** When (ms) the refunds and the captures were made, by their ids. */
  madeAt: Map<string, number>
  reserved: Reserved
}

/**
 * What happened to reserved money. `since` (ms): when it was reserved. `isTold`: the PSP has told so. `words`: how it stood when that
 * was last noted. `captured`: every sum that ever was. `releaseAt` (ms): when the PSP lets go, as the hub
 * has asked it to. `asks`: how often the hub wanted a release. `lapsed`: when (ms) the PSP let go because
 * of the time.
 */
type Reserved = {
  since: number | null
  isTold: boolean
  words: string
  captured: Set<number>
  releaseAt: number | null
  asks: number
  lapsed: number | null
}

/** Whether a payment is the first that its job has. */
export function isOwn({ account, reference }: Stored, payment: Payment): boolean {
  return payment.account === account && payment.id === reference
}

/** Refunds of a payment that the PSP has not called off. */
export function liveRefunds({ refunds }: HeldPayment): HeldMove[] {
  return refunds.filter(({ state }) => state !== 'failed')
}

/** What the shop has of a payment before anything goes back: what was captured of it, or all. */
export function takenBy({ reservation, status, amount }: HeldPayment): number {
  return reservation?.captured ?? (status === 'paid' ? amount : 0)
}

/** What is still reserved. */
export function heldOf({ reservation }: HeldPayment): number {
  return reservation ? reservation.authorized - reservation.captured - reservation.released : 0
}

/** How long (ms) the PSPs hold the money of cards, or at least say so. */
export const HELD = 7 * DAY

/** An answer may have been to a question that only precedes an instruction, some ms ago. */
const SHARED = 5000

/**
 * Whether the hub was told all that it has not caused itself: by the PSP's answers, or where those show
 * nothing, by notifications.
 */
export function isKnown({ at, shown, shownAt, notified, foreign }: Payment): boolean {
  return at.showsRefunds ? shown >= foreign && Date.now() > shownAt + SHARED : notified >= foreign
}

/** What has gone back, as the PSP counts it. */
export function totalsOf(payment: Payment): Totals {
  return {
    refunded: liveRefunds(payment)
      .filter(({ state }) => state === 'done' || !payment.at.countsWhenDone)
      .reduce((sum, refund) => sum + refund.amount, 0),
    chargedBack: payment.chargedBack,
  }
}

/** What of a payment has gone back, or is to go. */
export function takenOf(payment: Payment): number {
  return liveRefunds(payment).reduce((sum, refund) => sum + refund.amount, payment.chargedBack)
}

export function inWords({ refunded, chargedBack }: Totals): string {
  return `${refunded} refunded and ${chargedBack} charged back`
}

/** The same object, with what only the simulation knows of it. */
export function newPayment(held: HeldPayment, at: PlayedAccount, account: string): Payment {
  return Object.assign(held, {
    at,
    account,
    made: Date.now(),
    looks: [],
    been: new Set<PspStatus>(),
    totals: new Set([inWords({ refunded: 0, chargedBack: 0 })]),
    changes: 0,
    shown: 0,
    shownAt: 0,
    notified: 0,
    foreign: 0,
    told: 'open' as const,
    toldSince: Date.now(),
    toldItsEnd: false,
    ending: null,
    madeAt: new Map<string, number>(),
    reserved: {
      since: null,
      isTold: false,
      words: '',
      captured: new Set([0]),
      releaseAt: null,
      asks: 0,
      lapsed: null,
    },
  })
}

/** Notes that the PSP has told a payment as it stood after so many changes. */
export function tell(payment: Payment, { changes, status, isEnd }: Told): void {
  if (changes > payment.shown) Object.assign(payment, { shown: changes, shownAt: Date.now() })
  if (payment.told !== status) payment.toldSince = Date.now()
  payment.told = status
  payment.reserved.isTold ||= status === 'authorized'
  payment.toldItsEnd ||= isEnd
}

export type Told = { changes: number; status: PspStatus; isEnd: boolean }

/** How a payment stands, as an answer that is given now tells it. */
export function standing({ changes, status, mayComeLate, reservation }: Payment): Told {
  const isOver = ['canceled', 'expired', 'failed'].includes(status) && !mayComeLate
  // What was captured was all, whether the order was for more or not.
  return { changes, status, isEnd: isOver || (status === 'paid' && reservation !== null) }
}

/**
 * How long (ms) the money of a payment can be under way; the PSP ends it before the hub's patience
 * does.
 */
export function longestWay(payment: Payment, status: 'pending' | 'authorized' = 'pending'): number {
  return patienceWith(payment, status) - DAY
}

/** How long (ms) the hub waits for money that is under way or reserved. */
export function patienceWith({ method, at }: Payment, status: 'pending' | 'authorized'): number {
  const { authorized, methods, otherwise } = at.patience
  return DAY * (status === 'authorized' ? authorized : (methods.get(method ?? '') ?? otherwise))
}
