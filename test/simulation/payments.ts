import { DAY } from '../../src/contract/timestamp.ts'
import type { Stored } from '../support/jobs/job.ts'
import type { HeldPayment, HeldMove, PlayedAccount, PspStatus } from './played-psp.ts'

/** The money of a payment that went back (minor units). */
export type Totals = { refunded: number; chargedBack: number }

/**
 * A payment of a PSP's double, with what only the simulation knows. `looks`: the hub's questions, and what it
 * learned. `statuses` and `totals`: all that it ever had. `changes` counts the changes of both: the PSP's
 * answers have shown `shown` of them, the hub has accepted notifications of `notified`, and the hub did not
 * cause number `foreign`, nor any after it. `shownAt` (ms): when an answer first showed the newest one.
 */
export type Payment = HeldPayment & {
  at: PlayedAccount
  /** The hub's id of the account. */
  account: string
  made: number
  looks: { at: number; got: 'the truth' | 'a 404' | 'an old answer' | 'nothing' }[]
  statuses: Set<PspStatus>
  totals: Set<string>
  changes: number
  shown: number
  shownAt: number
  notified: number
  foreign: number
  /** The status that the PSP last reported, since when (ms), and whether it has reported a final end. */
  reported: PspStatus
  reportedSince: number
  reportedEnd: boolean
  /** The outcome of money that is under way, and when (ms). `notifies`: the PSP notifies the hub of it. */
  ending: { at: number; as: 'paid' | 'failed'; notifies: boolean } | null
  /** When (ms) the refunds and captures were made, by their ids. */
  madeAt: Map<string, number>
  reserved: Reserved
}

/**
 * The history of reserved money. `since`, `lapsed` (ms): when it was reserved, and when the PSP released it
 * by its own clock. `wasReported`: the PSP has reported it. `noted`: the reservation as last noted (JSON).
 * `captured`: every sum captured so far. `releaseAt` (ms): when the PSP carries out the hub's release.
 * `releases`: how often the hub asked for one.
 */
type Reserved = {
  since: number | null
  wasReported: boolean
  noted: string
  captured: Set<number>
  releaseAt: number | null
  releases: number
  lapsed: number | null
}

/** Returns whether a payment is the first of its job. */
export function isFirstOf({ account, reference }: Stored, payment: Payment): boolean {
  return payment.account === account && payment.id === reference
}

/** Returns the refunds of a payment that have not failed. */
export function liveRefunds({ refunds }: HeldPayment): HeldMove[] {
  return refunds.filter(({ state }) => state !== 'failed')
}

/** Returns what the shop got before anything went back: what was captured, or all. */
export function receivedBy({ reservation, status, amount }: HeldPayment): number {
  return reservation?.captured ?? (status === 'paid' ? amount : 0)
}

/** Returns what is still reserved. */
export function heldOf({ reservation }: HeldPayment): number {
  return reservation ? reservation.authorized - reservation.captured - reservation.released : 0
}

/** How long (ms) a PSP says that it reserves a card's money. */
export const HELD = 7 * DAY

/** How old (ms) an answer may be on which the hub bases an instruction. */
const SHARED = 5000

/**
 * Returns whether the hub knows all changes that it did not cause: from the PSP's answers or, if they show no
 * refunds, from notifications.
 */
export function isKnown({ at, shown, shownAt, notified, foreign }: Payment): boolean {
  return at.showsRefunds ? shown >= foreign && Date.now() > shownAt + SHARED : notified >= foreign
}

/** Returns what went back, as the PSP counts it. */
export function totalsOf(payment: Payment): Totals {
  return {
    refunded: liveRefunds(payment)
      .filter(({ state }) => state === 'done' || !payment.at.countsWhenDone)
      .reduce((sum, refund) => sum + refund.amount, 0),
    chargedBack: payment.chargedBack,
  }
}

/** Returns what went back, or is about to. */
export function goneBackOf(payment: Payment): number {
  return liveRefunds(payment).reduce((sum, refund) => sum + refund.amount, payment.chargedBack)
}

export function inWords({ refunded, chargedBack }: Totals): string {
  return `${refunded} refunded and ${chargedBack} charged back`
}

/** Adds what only the simulation knows to the double's own object. */
export function newPayment(held: HeldPayment, at: PlayedAccount, account: string): Payment {
  return Object.assign(held, {
    at,
    account,
    made: Date.now(),
    looks: [],
    statuses: new Set<PspStatus>(),
    totals: new Set([inWords({ refunded: 0, chargedBack: 0 })]),
    changes: 0,
    shown: 0,
    shownAt: 0,
    notified: 0,
    foreign: 0,
    reported: 'open' as const,
    reportedSince: Date.now(),
    reportedEnd: false,
    ending: null,
    madeAt: new Map<string, number>(),
    reserved: {
      since: null,
      wasReported: false,
      noted: '',
      captured: new Set([0]),
      releaseAt: null,
      releases: 0,
      lapsed: null,
    },
  })
}

/** Notes that the PSP reported a payment. */
export function noteReport(payment: Payment, { changes, status, isEnd }: PaymentReport): void {
  if (changes > payment.shown) Object.assign(payment, { shown: changes, shownAt: Date.now() })
  if (payment.reported !== status) payment.reportedSince = Date.now()
  payment.reported = status
  payment.reserved.wasReported ||= status === 'authorized'
  payment.reportedEnd ||= isEnd
}

export type PaymentReport = { changes: number; status: PspStatus; isEnd: boolean }

/** Returns what an answer now reports of a payment. */
export function reportOf({ changes, status, mayComeLate, reservation }: Payment): PaymentReport {
  const isOver = ['canceled', 'expired', 'failed'].includes(status) && !mayComeLate
  // Nothing follows the captures, even if the order was for more.
  return { changes, status, isEnd: isOver || (status === 'paid' && reservation !== null) }
}

/** Returns how long (ms) money can be under way: the PSP ends it a day before the hub loses patience. */
export function longestWay(payment: Payment, status: 'pending' | 'authorized' = 'pending'): number {
  return patienceWith(payment, status) - DAY
}

/** Returns how long (ms) the hub waits for money that is under way or reserved. */
export function patienceWith({ method, at }: Payment, status: 'pending' | 'authorized'): number {
  const { authorized, methods, otherwise } = at.patience
  return DAY * (status === 'authorized' ? authorized : (methods.get(method ?? '') ?? otherwise))
}
