import type { Reason, Seen } from './look.ts'
import type { PullAnswer } from './psp-answer.ts'

/** How long (ms) after an answer the PSP is not asked again about the same payment. */
export const PULLS_APART = 2000

/** The pull that is under way, since when (ms), and the newest answer and when (ms) it came. */
export type Pulls = {
  underWay: { reason: Reason; since: number } | null
  newest: { seen: Seen; at: number } | null
}

/**
 * What a look does: `pull` asks the PSP; `wait` waits for the pull that is under way, and then decides anew; `reuse` takes
 * the newest answer; `later` leaves the pull to the alarm at a time (ms).
 */
export type Turn = { is: 'pull' } | { is: 'wait' } | { is: 'reuse'; seen: Seen } | { is: 'later'; at: number }

/**
 * At most one pull of a job is under way, and none follows within two seconds of an answer. So whoever has the address of
 * a job cannot make the hub ask its PSP more often than that.
 */
export const turnOf = ({ underWay, newest }: Pulls, reason: Reason, now: number): Turn => {
  if (underWay && now < underWay.since + patienceFor(underWay.reason)) return { is: 'wait' }
  if (!newest || now >= newest.at + PULLS_APART) return { is: 'pull' }
  const { answer, stopped } = newest.seen
  if (answer.is === 'unavailable' || isPaid(answer)) return { is: 'reuse', seen: newest.seen }
  // The newest answer may be older than what the PSP wants to tell: the alarm asks again as soon as it may.
  if (reason === 'notification') return { is: 'later', at: newest.at + PULLS_APART }
  // A claim is signed by the PSP, so nobody else can cause this; and only a pull that follows it can confirm it.
  if (reason === 'claim') return { is: 'pull' }
  return STOPS.has(reason) && isOpen(answer) && !stopped ? { is: 'pull' } : { is: 'reuse', seen: newest.seen }
}

const isPaid = (answer: PullAnswer): boolean => answer.is === 'observed' && answer.status === 'SUCCESS'
const isOpen = (answer: PullAnswer): boolean => answer.is === 'observed' && answer.status === 'PENDING'

const STOPS: ReadonlySet<Reason> = new Set(['give-up', 'expiry'])

/** How long (ms) a pull may be under way before it counts as lost. One request takes 8 s at most; a stop may need four. */
export const patienceFor = (reason: Reason): number => (STOPS.has(reason) ? 35_000 : 10_000)
