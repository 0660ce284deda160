import { HOUR } from '../contract/timestamp.ts'
import { within } from '../platform/deadline.ts'
import { singleFlight } from '../platform/single-flight.ts'
import { type Answered, isOpen } from './core/decide.ts'
import type { FactOf } from './core/facts.ts'
import { APART } from './core/schedule.ts'
import type { Payment, State } from './core/state.ts'

/**
 * How long (ms) a question may take before nobody waits for it any more: a stop takes up to four
 * requests.
 */
const LONGEST = 35_000
/**
 * How long (ms) a notification waits for a question that is under way: a PSP wants a quick answer.
 */
const NOTIFICATION_PATIENCE = 5000
/**
 * A reason to ask a PSP how a payment stands. `byAnybody`: whoever has the address of a job can
 * cause it. `stops`: it wants an open payment stopped. `until`: once a payment is so, the answer
 * would tell nothing new. `recordedAs`: what the answer's facts say of the reason.
 */
type Reason = {
  byAnybody?: true
  stops?: true
  until?: 'paid' | 'paid or ended'
  recordedAs: 'back' | 'duty' | 'other'
}

const REASONS = {
  /** The customer came back. */
  back: { byAnybody: true, until: 'paid', recordedAs: 'back' },
  /** The customer came back without wanting to pay. */
  'gave-up': { byAnybody: true, stops: true, until: 'paid', recordedAs: 'back' },
  /** A page waits for the outcome. */
  wait: { byAnybody: true, until: 'paid', recordedAs: 'other' },
  /** The PSP says that something changed. */
  notified: { byAnybody: true, recordedAs: 'other' },
  /** A signed notification gives a status that the API may not show. */
  claim: { recordedAs: 'other' },
  /** Somebody wants the payment stopped. */
  cancel: { stops: true, until: 'paid or ended', recordedAs: 'other' },
  /** The hub has moved money. */
  refund: { recordedAs: 'other' },
  /** An operator wants to know. */
  look: { recordedAs: 'other' },
  /** It is time. */
  duty: { stops: true, recordedAs: 'duty' },
} as const satisfies Record<string, Reason>
export type AskReason = keyof typeof REASONS

export function reasonOf(why: AskReason): Reason {
  return REASONS[why]
}

/** Whether an answer could tell something new. */
export function isWorthAsking({ standing }: State, why: AskReason): boolean {
  const { until } = reasonOf(why)
  if (until === undefined) return true
  return standing.is !== 'paid' && !(until === 'paid or ended' && standing.is === 'ended')
}

/** The status that a signed notification gives. */
export type Claim = FactOf<'notified'>['claims']

/** Counts what happens, up to so many times in an hour. It forgets with the object's memory. */
export function hourlyLimit(most: number) {
  let times: number[] = []
  return {
    /** Whether once more is too many; counts it if not. */
    isReached(): boolean {
      const now = Date.now()
      times = times.filter((at) => at > now - HOUR)
      if (times.length >= most) return true
      times.push(now)
      return false
    },
    /** When (ms) the hour of the oldest is over. */
    freeAt: (): number => (times[0] ?? 0) + HOUR,
  }
}

/** The PSP's answers to one question, and when (ms) it was asked. */
export type Answers = { asked: number; answers: readonly Answered[] }

/**
 * Whether the question was put, or another's answer is taken. `later`: not now, and not before
 * `from` (ms, real).
 */
export type Turn = ({ is: 'asked' | 'shared' } & Answers) | { is: 'later'; from: number }

/**
 * Puts the questions about a job's payments to the PSP: one at a time about each payment, and none
 * within two seconds of an answer. Who asks meanwhile shares that answer. So nobody can make the
 * hub ask more often than that. This is the object's memory: losing it costs one more question.
 */
export function questions(
  put: (payment: Payment, why: AskReason, claim?: Claim) => Promise<Answers>,
  outside: ReturnType<typeof hourlyLimit>,
) {
  const flights = singleFlight<Answers>()
  const newest = new Map<string, Answers & { at: number; isNews: boolean }>()

  async function begin(payment: Payment, why: AskReason, claim?: Claim): Promise<Answers> {
    const answers = await put(payment, why, claim)
    const isNews = isPaid(answers) && payment.paid === 0 && why !== 'notified'
    newest.set(payment.reference, { ...answers, at: Date.now(), isNews })
    return answers
  }

  return {
    async ask(payment: Payment, why: AskReason, claim?: Claim): Promise<Turn> {
      const running = flights.running(payment.reference)
      if (running) {
        const shared = await within(why === 'notified' ? NOTIFICATION_PATIENCE : LONGEST, running)
        if (!shared) return { is: 'later', from: Date.now() + APART }
        if (why === 'duty') return { is: 'shared', ...shared }
      }
      const recent = newest.get(payment.reference)
      const turn = recent && Date.now() < recent.at + APART ? turnAfter(recent, why, payment) : 'ask'
      if (recent && why === 'notified') recent.isNews = false
      if (recent && turn === 'share') return { is: 'shared', asked: recent.asked, answers: recent.answers }
      if (recent && turn === 'later') return { is: 'later', from: recent.at + APART }
      if (reasonOf(why).byAnybody && outside.isReached()) return { is: 'later', from: outside.freeAt() }
      const begun = flights.run(payment.reference, () => begin(payment, why, claim))
      return { is: 'asked', ...(await begun) }
    },
    isIdle: flights.isIdle,
    /** Forgets the newest answers: a test job's clock was moved, so the PSP may be asked anew. */
    forget: (): void => newest.clear(),
  }
}

/** What comes of a question that follows an answer within two seconds. */
function turnAfter(
  recent: Answers & { isNews: boolean },
  why: AskReason,
  { asks }: Payment,
): 'ask' | 'share' | 'later' {
  if (why === 'duty' && asks.owed && recent.asked <= asks.owed.since) return 'ask'
  const [last] = recent.answers.slice(-1)
  if (!last || last.answer.is === 'unavailable') return 'share'
  // The hub itself has changed how the payment stands; and a PSP's signed claim is to be confirmed.
  if (why === 'refund' || why === 'claim') return 'ask'
  if (why === 'notified') return isPaid(recent) && recent.isNews ? 'share' : 'later'
  return reasonOf(why).stops && isOpen(last.answer) && !last.stopped ? 'ask' : 'share'
}

function isPaid({ answers }: Answers): boolean {
  return answers.some(({ answer }) => answer.is === 'observed' && answer.status === 'SUCCESS')
}
