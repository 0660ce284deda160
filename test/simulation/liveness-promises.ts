import { DAY, HOUR, MINUTE } from '../../src/contract/timestamp.ts'
import { OF_RESERVED, ofKind, type Instruction, isUnderWay } from '../../src/job/core/payment.ts'
import { isPending, untilOf } from '../../src/job/core/state.ts'
import { doubtUntil } from '../../src/job/core/terminal.ts'
import type { Stored } from '../support/jobs/job.ts'
import { HELD } from './payments.ts'
import type { ModelPsps } from './psp.ts'
import { promise } from './violation.ts'
import { heldBy, capturableIn } from '../../src/job/core/money.ts'

/*
 * Everything ends, and by when. All bounds count from the end of the last fault, or from a later time by which
 * the hub could begin.
 */

/** An order is paid or ended this long after its time to pay: the last questions take three days, and a tenth more. */
const ORDER_ENDS_WITHIN = 80 * HOUR
/** At a terminal the till knows when: `knownBy`. After a fault the next question comes within half a day. */
const DOUBT_ENDS_WITHIN = 14 * HOUR
/** The same if its account is gone: a PSP that refuses the hub may come back for ninety days, and alarms ring late. */
const ORDER_OF_GONE_ACCOUNT_ENDS_WITHIN = 100 * DAY
/** A capture, release or refund ends: the next question comes within a day, and a refund takes two. */
const INSTRUCTION_ENDS_WITHIN = 5 * DAY
/** The same if the PSP cannot say any more whether it has it; and if it took it, and cannot be asked any more. */
const UNTAKEN_ENDS_WITHIN = 15 * DAY
const TAKEN_ENDS_WITHIN = 93 * DAY
/** How long (ms) every PSP knows a key, less the time until the hub asks again. */
const KEY_IS_KNOWN = 5 * DAY
/**
 * The hub owes nothing any more: money may be under way for ninety days, a PSP that does not answer is asked for as
 * long again, and after the job's end once more. Alarms ring late.
 */
const DUTIES_END_WITHIN = 275 * DAY

/** Judges whether jobs end in time, whose alarms ring on time. `since` (ms): when the last fault ended. */
export function keepLively(psp: ModelPsps, since: number) {
  /** By when (ms) each doubt that a till knows of ends, by job. */
  const doubts = new Map<string, number>()
  const within = (from: number, bound: number) => Date.now() <= Math.max(from, since) + bound

  const checkInstruction = (job: Stored, one: Instruction): void => {
    const payment = psp.of(job.id).find((made) => made.id === one.reference && made.account === one.account)
    const isLost = payment !== undefined && !payment.at.showsRefunds && since > one.at + KEY_IS_KNOWN
    const isUnknown = isLost || psp.gone.has(one.account)
    // A PSP that takes a release may let the money go only when its own time is over.
    const kept = one.kind === 'release' ? (payment?.reserved.since ?? 0) + HELD : 0
    const untaken = one.state === 'pending' ? TAKEN_ENDS_WITHIN : UNTAKEN_ENDS_WITHIN
    promise(
      within(Math.max(one.at, kept), INSTRUCTION_ENDS_WITHIN) ||
        (isUnknown && Date.now() <= one.at + untaken),
      `${one.kind} ${one.id} of ${job.id} is ${one.state} since ${iso(one.at)}, and all is well since ${iso(since)}`,
    )
  }

  return (job: Stored): void => {
    const until = untilOf(job)
    const isGone = job.payments.some(({ account }) => psp.gone.has(account))
    const bound = isGone ? ORDER_OF_GONE_ACCOUNT_ENDS_WITHIN : ORDER_ENDS_WITHIN
    promise(
      !isPending(job) || within(until, bound),
      `${job.id} was to be paid until ${iso(until)}, all has been well since ${iso(since)}, and it is ${job.status}`,
    )
    const knownBy = doubtUntil(job)
    if (knownBy === null) doubts.delete(job.id)
    else {
      const told = Math.min(doubts.get(job.id) ?? knownBy, knownBy)
      doubts.set(job.id, told)
      promise(
        Date.now() <= told + MINUTE || within(0, DOUBT_ENDS_WITHIN),
        `the terminal of ${job.id} is in doubt, which was to be known by ${iso(told)}`,
      )
    }
    for (const one of job.instructions.filter(isUnderWay)) checkInstruction(job, one)
    promise(within(0, DUTIES_END_WITHIN), `${job.id}, which is ${job.status}, still has duties`)
  }
}

/**
 * Checks that a release that was answered with a 200 did something: what was reserved is released, or about to
 * be, or the hub says why not. A release is about one payment: of two reservations it leaves the other.
 */
export function checkReleased(job: Stored): void {
  const reserved = job.payments.filter((payment) => heldBy(payment) > 0)
  const isRefused = ofKind(job, ...OF_RESERVED).some(
    ({ kind, state, error }) => kind === 'release' && state === 'failed' && error,
  )
  const left = capturableIn(job)
  promise(
    left === 0 || reserved.length > 1 || isRefused,
    `a release of ${job.id} was answered with a 200, and ${left} stay reserved`,
  )
}

/** Returns whether a job has money at an account that an operator removed: the hub cannot learn what became of it. */
export function isCutOff(psp: ModelPsps, { id }: Pick<Stored, 'id'>): boolean {
  return psp.of(id).some(({ account }) => psp.gone.has(account))
}

function iso(ms: number): string {
  return Number.isFinite(ms) ? new Date(ms).toISOString() : String(ms)
}
