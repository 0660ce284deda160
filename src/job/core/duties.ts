import { DAY, HOUR, MINUTE } from '../../contract/timestamp.ts'
import { committed, refundsAt } from './money-back.ts'
import { isIndexed } from './row.ts'
import {
  ANNOUNCE,
  ASK_AFTER_END,
  ASK_AT_AGE,
  pauseAtEnd,
  ASK_PROMPTED,
  LONGEST_LOOK,
  LONGEST_REFUND,
  LONGEST_SILENCE,
  LONGEST_STAGE,
  LOOK,
  MOST_PROMPTED,
  REPORT,
  ROW_REST,
  jittered,
  pauseInSilence,
} from './schedule.ts'
import { type Payment, type Refund, type State, findPayment, isPending, realAt, untilOf } from './state.ts'

/**
 * A piece of work that the hub still has to do for a job, from `at` on (ms, by the job's clock):
 *
 * | duty         | there while                                       | ends                  |
 * | ------------ | ------------------------------------------------- | --------------------- |
 * | announce     | no account has taken the order                    | at expiry             |
 * | ask          | the payment can change, or something prompts it   | with the answer       |
 * | stop         | nobody should pay any more, but somebody could    | the PSP's word; 90 d  |
 * | check-refund | a refund is not settled, or may still fail        | after 90 days         |
 * | look         | another account may hold a payment                | after 30 days         |
 * | report       | the newest revision is not delivered              | delivered or given up |
 * | row          | the index has another row than the job should have | written              |
 * | move-clock   | a test job's shop lets time pass                  | when that has passed  |
 * | erase        | the customer's IP address is there                | after 30 days         |
 * | purge        | the job has ended, and there is no other duty     | deleted               |
 */
export type Duty = { at: number } & (
  | { do: 'announce' | 'row' | 'move-clock' | 'erase' | 'purge' }
  | { do: 'ask'; payment: Payment }
  | { do: 'stop'; payment: Payment | null }
  | { do: 'check-refund'; refund: Refund }
  | { do: 'look'; account: string }
  | { do: 'report'; revision: number }
)

/** Returns all duties, the earliest first. A job stays `retention` (ms) after its last change. */
export function duties(state: State, now: number, retention: number): Duty[] {
  const open = [
    ...announce(state),
    ...state.payments.flatMap((payment) => aboutPayment(state, payment)),
    ...state.refunds.flatMap((refund) => checkRefund(state, refund)),
    ...look(state),
    ...reportOf(state),
    ...rowDuty(state),
  ]
  const all = [...open, ...purge(state, open, retention)]
  return [...all, ...moveClock(state, all, now)].toSorted((one, other) => one.at - other.at)
}

function announce(state: State): Duty[] {
  const { standing, rounds, attempts, id } = state
  if (standing.is !== 'unannounced') return []
  const pause = jittered(ANNOUNCE[rounds.count - 1] ?? HOUR, id, rounds.count)
  // A job can be announced until its end. The last round by schedule comes a minute before that.
  const last = standing.until - MINUTE
  const asked = attempts.at(-1)?.at ?? 0
  const at = Math.max(Math.min(asked + pause, last), rounds.notBefore)
  const isOver = asked > last - IS_ASKED || at >= standing.until
  return isOver ? [{ do: 'stop', payment: null, at: standing.until }] : [{ do: 'announce', at }]
}

function aboutPayment(state: State, payment: Payment): Duty[] {
  const isOwn = payment === state.payments[0]
  const times = [promptedAt(payment), isOwn ? planned(state, payment) : elsewhereAt(state, payment)]
  const at = Math.min(...times.filter((time) => time !== null))
  if (at === Infinity) return []
  const isUnwanted = !isOwn || at >= untilOf(state) || isCancelled(state) || isPaidElsewhere(state, payment)
  return [{ do: isUnwanted ? 'stop' : 'ask', payment, at: Math.max(at, payment.asks.notBefore) }]
}

/** Returns whether somebody cancelled the job while the payment is still open at the PSP. */
function isCancelled({ cancel, standing }: State): boolean {
  return cancel !== null && standing.is === 'open'
}

/** Returns whether another payment paid the order, while somebody could still pay this one. */
function isPaidElsewhere({ standing, order }: State, { over, paid }: Payment): boolean {
  return standing.is === 'paid' && !over && paid < order.amount
}

/** Returns when (ms) to ask because of a notification or moved money; null for no such question. */
function promptedAt({ asks: { prompted, lastAt }, reference }: Payment): number | null {
  if (prompted === null || prompted.tries >= MOST_PROMPTED) return null
  const pause = ASK_PROMPTED[prompted.tries] ?? 24 * HOUR
  const from = prompted.tries === 0 ? prompted.since : lastAt
  return from + jittered(pause, reference, prompted.tries)
}

/** Returns when (ms) to ask by schedule; null for never. */
function planned(state: State, payment: Payment): number | null {
  const { lastAt, unanswered, countedAt, atEnd } = payment.asks
  const { standing } = state
  // Another payment paid the order, so the hub stops this one.
  if (standing.is === 'paid') return isPaidElsewhere(state, payment) ? stopAgain(standing.at, lastAt) : null
  if (standing.is === 'ended') return payment.over ? null : plannedAfter(standing.at, payment)
  if (lastAt < standing.until) return Math.min(beforeEnd(state, lastAt), standing.until)
  return unanswered?.how === 'refused'
    ? againAt(payment, unanswered.count)
    : countedAt + jittered(pauseAtEnd(atEnd), state.id, atEnd)
}

/** Returns when (ms) to ask about a payment that somebody could still pay after the job's end. */
function plannedAfter(end: number, payment: Payment): number | null {
  const { lastAt, unanswered } = payment.asks
  const next = ASK_AFTER_END.map((after) => end + after).find((at) => at > lastAt) ?? null
  // `unknown` is an answer.
  if (lastAt <= end || unanswered === null || unanswered.how === 'unknown') return next
  const again = againAt(payment, unanswered.count)
  return again < end + LONGEST_SILENCE ? again : next
}

/**
 * Returns when (ms) to stop an unwanted payment: at once, then hourly for a day, then daily while
 * its money may be under way; null after that. Some PSPs never say that a payment is over for good.
 */
function stopAgain(since: number, last: number): number | null {
  if (last < since) return since
  const again = last + (last < since + DAY ? HOUR : DAY)
  return again < since + LONGEST_STAGE ? again : null
}

function againAt({ asks, reference }: Payment, unanswered: number): number {
  return asks.lastAt + jittered(pauseInSilence(unanswered), reference, unanswered)
}

function beforeEnd(state: State, last: number): number {
  const { cancel } = state
  return cancel && isCancelled(state) ? Math.max(cancel.at, last + HOUR) : nextByAge(state, last)
}

/** A question that comes this much (ms) early counts as on time: clocks are a little off. */
const IS_ASKED = 30_000

function nextByAge({ id, created }: State, last: number): number {
  const born = Math.floor(created / 1000)
  const next = ASK_AT_AGE.map((age) => born + age).find((at) => at > last + IS_ASKED)
  return next ?? last + jittered(24 * HOUR, id, last)
}

/** Returns when (ms) to ask about an additional payment, while its money may be under way. */
function elsewhereAt({ created }: State, { asks, over, reference }: Payment): number | null {
  if (over || asks.lastAt > created / 1000 + LONGEST_STAGE) return null
  return asks.lastAt + jittered(24 * HOUR, reference)
}

/** Returns a look at each account that may have taken the order without saying so. */
function look({ attempts, payments, standing, created, id }: State): Duty[] {
  if (standing.is === 'unannounced') return []
  const accounts = new Set(attempts.map(({ account }) => account))
  return [...accounts].flatMap((account) => {
    const tries = attempts.filter((attempt) => attempt.account === account)
    const last = tries.findLast(({ outcome }) => outcome.is !== 'not-asked')
    const isUnsure =
      last?.outcome.is === 'no-answer' &&
      tries.some(({ outcome }) => outcome.is === 'no-answer' && !outcome.accountRefused)
    if (!last || !isUnsure || payments.some((payment) => payment.account === account)) return []
    const looks = tries.filter(({ at }) => at > created / 1000 + IS_ASKED).length
    const at = last.at + jittered(LOOK[looks] ?? 24 * HOUR, id, account, looks)
    return at > created / 1000 + LONGEST_LOOK ? [] : [{ do: 'look', account, at } as const]
  })
}

/**
 * Returns the duty to check a refund. Even a done refund may fail for months, so the hub asks on,
 * more and more rarely; and at once if the PSP's total fell.
 */
function checkRefund(state: State, refund: Refund): Duty[] {
  if (refund.state === 'failed') return []
  const payment = findPayment(state, refund)
  const isSettled = refund.state === 'done' && !(payment && isContradicting(payment, state.refunds))
  const age = refund.lastCheckAt - refund.at
  const pause = isSettled ? Math.max(24 * HOUR, age / 2) : (LOOK[refund.checks] ?? 24 * HOUR)
  const fellAt = payment?.fellAt ?? 0
  const isNews = fellAt > refund.lastCheckAt
  const at = isNews ? fellAt : refund.lastCheckAt + jittered(pause, refund.id, refund.checks)
  return at > refund.at + LONGEST_REFUND ? [] : [{ do: 'check-refund', refund, at }]
}

/** Returns whether the PSP's total lacks a refund that was done before the hub asked for the total. */
function isContradicting(payment: Payment, refunds: readonly Refund[]): boolean {
  const done = refundsAt(refunds, payment).filter(
    ({ state, answeredAt }) => state === 'done' && answeredAt < payment.asks.answeredAt,
  )
  return payment.refunded < committed(done)
}

/** Returns when (ms) the hub tries the newest report next, `now` if overdue; null for never. */
export function nextReportAt(state: State, now: number): number | null {
  const [duty] = reportOf(state)
  return duty ? Math.max(duty.at, now) : null
}

function reportOf({ report, id }: State): Duty[] {
  if (report?.state !== 'due') return []
  const pause = jittered(REPORT[report.tries] ?? 0, id, report.revision, report.tries)
  const last = report.history.at(-1)
  const from = report.tries > 0 && last ? last.began + last.ms : report.since
  return [{ do: 'report', revision: report.revision, at: Math.max(from + pause, report.notBefore) }]
}

function rowDuty(state: State): Duty[] {
  const { index, entry, isLive, attempts, revision } = state
  if (isIndexed(state)) return []
  const isWell = attempts.every(({ outcome }) => outcome.is === 'took')
  const rests = isLive && index.written === 0 && revision === 1 && isWell && isPending(state)
  return [{ do: 'row', at: Math.floor((rests ? state.created : entry.at) / 1000) + (rests ? ROW_REST : 0) }]
}

/**
 * Returns the duty to erase the customer's IP address, `keptFor` (ms, real time) after the job's
 * creation. Not in `duties`, because it must not delay a purge, which deletes the address too.
 */
export function eraseDuty(state: State, keptFor: number): Duty[] {
  const at = Math.floor(state.created / 1000) + keptFor + state.clock.offset
  return state.order.ipAddress === '' ? [] : [{ do: 'erase', at }]
}

/** Returns the purge of an ended job that has no other duty. The retention time is real time. */
function purge(state: State, open: readonly Duty[], retention: number): Duty[] {
  if (isPending(state) || open.length > 0) return []
  const changed = realAt(state, Math.floor(state.updated / 1000))
  return [{ do: 'purge', at: changed + retention + state.clock.offset }]
}

/** Returns the duty to move a test job's clock on, once nothing but a row is due before that. */
function moveClock({ clock }: State, open: readonly Duty[], now: number): Duty[] {
  const isAhead =
    clock.wanted > clock.offset && !open.some(({ at, ...duty }) => at <= now && duty.do !== 'row')
  return isAhead ? [{ do: 'move-clock', at: now }] : []
}
