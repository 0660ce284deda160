import { DAY } from '../../contract/timestamp.ts'
import type { FactOf } from './facts.ts'
import { descriptionOf } from './instructions.ts'
import { capturableIn, capturableOf, heldBy, ofPayment, uncoveredOf } from './money.ts'
import { type Instruction, OF_RESERVED, type Payment, about, isUnderWay } from './payment.ts'
import { LONGEST_INSTRUCTION, LOOK, jittered } from './schedule.ts'
import { type State, isPending, untilOf } from './state.ts'

/*
 * Money that a PSP holds for a later capture: what can still be done with it, and what the hub itself
 * wants of it. Nothing stays reserved after the end of a job.
 */

/** How long (ms) a point of sale may capture again after a capture of its paid order failed after all. */
const CAPTURE_AGAIN = 7 * DAY

/** Returns until when (ms) the point of sale may capture: as the PSP says, else while the job waits. */
function deadlineOf(state: State, payment: Payment): number {
  if (payment.captureBefore > 0) return payment.captureBefore
  if (isPending(state)) return untilOf(state)
  return Math.max(0, ...ofPayment(state, payment, 'capture').map((one) => one.answeredAt)) + CAPTURE_AGAIN
}

/** An instruction that the hub itself wants to give, and from when (ms) on. */
export type HubWish = { kind: 'capture' | 'release'; amount: number; at: number }

/**
 * Returns what the hub wants with the money that a PSP holds; null for nothing. It captures at once what
 * the order needs, unless its point of sale captures manually. It releases what the order does not need:
 * money reserved after the end of the job, a second time, or beyond what is due; or not captured in time.
 */
export function hubWish(state: State, payment: Payment): HubWish | null {
  const underWay = ofPayment(state, payment, ...OF_RESERVED).filter(isUnderWay)
  if (underWay.length > 0) return releaseOfUnsure(state, payment, underWay)
  const held = capturableOf(state, payment)
  if (held === 0) return null
  const usable = Math.min(held, usableBefore(state, payment))
  const isManual = state.order.capture === 'manual'
  const kind = usable > 0 && !isManual && isInTime(state, payment) ? 'capture' : 'release'
  const from = isManual && usable > 0 ? releaseFrom(state, payment) : 0
  const at = triesAgainAt(state, payment, kind)
  const amount = kind === 'capture' ? usable : held
  return at === null || from === Infinity
    ? null
    : { kind, amount, at: Math.max(from, at, payment.asks.answeredAt) }
}

/**
 * Returns the release of money that a PSP may still hold because it has not said for a day what became
 * of a capture, once the time to capture is over; null before that.
 */
function releaseOfUnsure(state: State, payment: Payment, underWay: readonly Instruction[]): HubWish | null {
  const amount = heldBy(payment)
  const again = triesAgainAt(state, payment, 'release')
  if (amount === 0 || again === null || underWay.some(({ kind }) => kind === 'release')) return null
  const end = isPending(state) ? deadlineOf(state, payment) : 0
  const asked = Math.max(...underWay.map(({ askedAt }) => askedAt))
  return { kind: 'release', amount, at: Math.max(end, again, asked + DAY) }
}

/** Returns what an order can use of a payment, after what earlier payments hold for it. */
function usableBefore(state: State, payment: Payment): number {
  const earlier = state.payments.slice(0, state.payments.indexOf(payment))
  return Math.max(uncoveredOf(state) - capturableIn(state, earlier), 0)
}

/** Returns whether money was reserved before the job ended. If the PSP does not say when, it was not. */
function isInTime({ standing }: State, { authorizedAt }: Payment): boolean {
  return standing.is !== 'ended' || (authorizedAt > 0 && authorizedAt <= standing.at)
}

/** Returns when (ms) the hub releases what a point of sale may capture: at once if the shop gave it up. */
function releaseFrom(state: State, payment: Payment): number {
  if (state.standing.is === 'ended') return 0
  const own = ofPayment(state, payment, ...OF_RESERVED)
  if (own.some(({ kind, byHub }) => kind === 'release' && !byHub)) return 0
  // With its last capture the PSP was to release the rest, but refused that or has not carried it out.
  const last = own.find((one) => one.final && one.state === 'done')
  return Math.min(last ? last.answeredAt + DAY : Infinity, deadlineOf(state, payment))
}

/** How often the hub tries a capture or release that fails: at first within hours, then daily, for a month. */
const MOST_TRIES = 34

/** Returns when (ms) the hub tries again what failed; null when it has tried enough, or for too long. */
function triesAgainAt(state: State, payment: Payment, kind: HubWish['kind']): number | null {
  const tried = ofPayment(state, payment, kind)
  const [first, last] = [tried[0], tried.at(-1)]
  if (!first || !last) return 0
  const again = last.answeredAt + jittered(LOOK[tried.length - 1] ?? DAY, last.id)
  return tried.length >= MOST_TRIES || again > first.at + LONGEST_INSTRUCTION ? null : again
}

/** Returns the fact that the hub gives the instruction it wants; none if it no longer wants that. */
export function decideByHub(
  state: State,
  { account, reference, kind, id }: Pick<Instruction, 'account' | 'reference' | 'kind' | 'id'>,
  now: number,
): FactOf<'instructed'>[] {
  const [payment] = about(state.payments, { account, reference })
  const wish = payment && hubWish(state, payment)
  if (!wish || wish.kind !== kind || wish.at > now) return []
  const description = descriptionOf(state, kind)
  const named = { kind, id, fingerprint: '', call: '', amount: wish.amount, description, account, reference }
  // The PSP lets go of the rest, which the order does not need.
  return [{ is: 'instructed', ...named, ...(kind === 'capture' ? { final: true } : {}), byHub: true }]
}

/** Returns until when (ms) a point of sale has to capture what is reserved; null for nothing reserved. */
export function reservedUntil(state: State): number | null {
  if (state.order.capture !== 'manual' || !isPending(state)) return null
  const ends = state.payments
    .filter((payment) => capturableOf(state, payment) > 0)
    .map((payment) => deadlineOf(state, payment))
  const first = Math.min(...ends)
  return first === Infinity ? null : first
}
