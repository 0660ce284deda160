import type { PullAnswer } from '../../psp/answer.ts'
import { type PullReason, type PullResult, isOpen } from './pull.ts'

/** How long (ms) after an answer the PSP is not asked again about the same payment. */
export const PULLS_APART = 2000

/** How long (ms) a notification waits for a pull that is under way: a PSP wants a quick answer. */
const NOTIFICATION_PATIENCE = 5000

/**
 * The pull that is under way, since when (ms), and the newest result and when (ms) it came. `isNews` is set while no notification
 * has come of that result, which was the first to say that the payment is paid.
 */
export type Pulls = {
  underWay: { reason: PullReason; since: number } | null
  newest: { result: PullResult; at: number; isNews: boolean } | null
}

/**
 * What comes of a wish to pull: `pull` asks the PSP; `wait` waits for the pull that is under way, until a time (ms) at most,
 * and then decides again; `reuse` takes the newest result; `later` leaves the pull to the alarm at a time (ms).
 */
export type Turn =
  | { is: 'pull' }
  | { is: 'wait'; until: number }
  | { is: 'reuse'; result: PullResult }
  | { is: 'later'; at: number }

/**
 * At most one pull of a job is under way, and none follows within two seconds of an answer. So whoever has the address of
 * a job cannot make the hub ask its PSP more often than that.
 */
export function turnOf({ underWay, newest }: Pulls, reason: PullReason, now: number): Turn {
  if (underWay && now < underWay.since + patienceFor(underWay.reason)) {
    const until = underWay.since + patienceFor(underWay.reason)
    if (reason !== 'notification') return { is: 'wait', until }
    const patient = Math.min(until, underWay.since + NOTIFICATION_PATIENCE)
    return now < patient ? { is: 'wait', until: patient } : { is: 'later', at: now + PULLS_APART }
  }
  if (!newest || now >= newest.at + PULLS_APART) return { is: 'pull' }
  const { answer, stopped } = newest.result
  if (answer.is === 'unavailable') return { is: 'reuse', result: newest.result }
  // The hub itself has just changed how the payment stands.
  if (reason === 'refund') return { is: 'pull' }
  // Return and notification of one payment come together. A second notification may be of something else: money that goes back.
  if (isPaid(answer) && (reason !== 'notification' || newest.isNews))
    return { is: 'reuse', result: newest.result }
  // The PSP may notify of something that is newer than this answer: the alarm asks again as soon as it may.
  if (reason === 'notification') return { is: 'later', at: newest.at + PULLS_APART }
  // Only the PSP can send a signed claim, so nobody else can cause this pull; and a pull has to confirm it.
  if (reason === 'claim') return { is: 'pull' }
  return STOPS.has(reason) && isOpen(answer) && !stopped
    ? { is: 'pull' }
    : { is: 'reuse', result: newest.result }
}

function isPaid(answer: PullAnswer): boolean {
  return answer.is === 'observed' && answer.status === 'SUCCESS'
}

const STOPS: ReadonlySet<PullReason> = new Set(['give-up', 'expiry', 'cancel'])

/** How long (ms) a pull may be under way before it counts as lost. One request takes 8 s at most; a stop may need four. */
export function patienceFor(reason: PullReason): number {
  return STOPS.has(reason) ? 35_000 : 10_000
}
