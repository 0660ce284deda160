import { realAt } from '../../contract/advance.ts'
import { HOUR, MINUTE } from '../../contract/timestamp.ts'
import { heldAt, heldUntil } from './attempts.ts'
import { lastMomentOf, nextQuestion, repeatAt } from './when-to-ask.ts'
import { isIndexed } from './row.ts'
import { LONGEST_LOOK, LONGEST_OVERDUE, LOOK, REPORT, ROW_REST, jittered, planOf } from './schedule.ts'
import type { Instruction, Payment } from './payment.ts'
import { type HubWish, hubWish } from './reserved.ts'
import { type State, isPending } from './state.ts'

/**
 * A piece of work that the hub still has to do for a job, from `at` on (ms, by the job's clock):
 *
 * | duty         | there while                                       | ends                  |
 * | ------------ | ------------------------------------------------- | --------------------- |
 * | announce     | no account has taken the order                    | at expiry             |
 * | expire       | the job is PENDING                                | at its last moment    |
 * | ask          | the payment can change, or something prompts it   | with the answer       |
 * | stop         | the customer could pay, but should not any more   | the PSP's word; 90 d  |
 * | capture      | money is reserved that the order needs            | captured              |
 * | release      | money is reserved that the order does not need    | released              |
 * | instruct     | a PSP is to get a capture, release or refund again | 14 or 90 days (`endOf`) |
 * | look         | another account may hold a payment                | after 30 days         |
 * | report       | the newest revision is not delivered              | delivered or given up |
 * | row          | the index has another row than the job should have | written              |
 * | move-clock   | a test job's shop lets time pass                  | when that has passed  |
 * | erase        | the customer's IP address is there                | after 30 days         |
 * | purge        | the job has ended, and there is no other duty     | deleted               |
 */
export type Duty<Name extends keyof Details = keyof Details> = {
  [Each in Name]: { do: Each; at: number } & Details[Each]
}[Name]
type Details = Record<'expire' | 'row' | 'move-clock' | 'erase' | 'purge', unknown> &
  Record<'ask' | 'stop' | HubWish['kind'], { payment: Payment }> &
  Record<'instruct', { instruction: Instruction }> & {
    /** `isWanted`: a person waits, so the hub also asks accounts that want no request now. */
    announce: { isWanted?: true }
    /** `isHeld`: the PSP has signed that it holds the payment. */
    look: { account: string; isHeld?: true }
    report: { revision: number }
  }

/**
 * Returns all duties, the earliest first. A job is kept for `retention` (ms) after its last change. A duty
 * to a PSP that is overdue for long is given up, so that it cannot keep an ended job for ever.
 */
export function duties(state: State, now: number, retention: number): Duty[] {
  const toPsps = [
    ...announce(state, now),
    ...state.payments.flatMap((payment) => aboutPayment(state, payment)),
    ...state.payments.flatMap((payment) => wished(state, payment)),
    ...state.instructions.flatMap((instruction) => repeated(state, instruction)),
    ...look(state),
  ]
  const changed = state.entry.at / 1000
  const open = [
    ...toPsps.filter(({ at }) => isPending(state) || now < Math.max(at, changed) + LONGEST_OVERDUE),
    ...expire(state),
    ...reportOf(state),
    ...rowDuty(state),
  ]
  const all = [...open, ...purge(state, open, retention)]
  return [...all, ...moveClock(state, all, now)].toSorted((one, other) => one.at - other.at)
}

/**
 * Returns the duty to announce the order. A PSP that wants no request delays that, but not beyond
 * the last round, which comes a minute before the job's end.
 */
function announce(state: State, now: number): Duty[] {
  const { standing, rounds, attempts, id } = state
  if (standing.is !== 'unannounced' || now >= standing.until) return []
  const plan = planOf(state)
  const pause = jittered(plan.announce[rounds.count - 1] ?? HOUR, id, rounds.count)
  const last = standing.until - MINUTE
  const asked = attempts.at(-1)?.at ?? 0
  if (asked > last - plan.early) return []
  return [{ do: 'announce', at: Math.min(Math.max(asked + pause, heldUntil(state)), last) }]
}

function expire(state: State): Duty[] {
  return isPending(state) ? [{ do: 'expire', at: lastMomentOf(state) }] : []
}

function aboutPayment(state: State, payment: Payment): Duty[] {
  const next = nextQuestion(state, payment)
  return next ? [{ do: next.isUnwanted ? 'stop' : 'ask', payment, at: next.at }] : []
}

/** Returns a look at each account that may have taken the order without saying so. */
function look(state: State): Duty[] {
  const { attempts, payments, standing, created, id } = state
  if (standing.is === 'unannounced') return []
  const accounts = new Set(attempts.map(({ account }) => account))
  return [...accounts].flatMap((account) => {
    const tries = attempts.filter((attempt) => attempt.account === account)
    const last = tries.findLast(({ outcome }) => outcome.is !== 'not-asked')
    const isUnsure =
      last?.outcome.is === 'no-answer' &&
      tries.some(({ outcome }) => outcome.is === 'no-answer' && !outcome.accountRefused)
    if (!last || !isUnsure || payments.some((payment) => payment.account === account)) return []
    const looks = tries.filter(({ at }) => at > created / 1000 + planOf(state).early).length
    const planned = last.at + jittered(LOOK[looks] ?? 24 * HOUR, id, account, looks)
    const at = Math.max(planned, heldAt(state, account))
    return at > created / 1000 + LONGEST_LOOK ? [] : [{ do: 'look', account, at } as const]
  })
}

function wished(state: State, payment: Payment): Duty[] {
  const wish = hubWish(state, payment)
  return wish ? [{ do: wish.kind, payment, at: wish.at }] : []
}

function repeated(state: State, instruction: Instruction): Duty[] {
  const at = repeatAt(state, instruction)
  return at === null ? [] : [{ do: 'instruct', instruction, at }]
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
  const changed = realAt(state.clock, Math.floor(state.updated / 1000))
  return [{ do: 'purge', at: changed + retention + state.clock.offset }]
}

/** Returns the duty to move a test job's clock on, once nothing but a row is due before that. */
function moveClock({ clock }: State, open: readonly Duty[], now: number): Duty[] {
  const isAhead =
    clock.wanted > clock.offset && !open.some(({ at, ...duty }) => at <= now && duty.do !== 'row')
  return isAhead ? [{ do: 'move-clock', at: now }] : []
}
