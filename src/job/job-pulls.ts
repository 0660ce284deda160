import type { Job } from './rules/job.ts'
import { jobNow } from '../contract/job-clock.ts'
import { type PullResult, isAnswered, isWorthPulling, recordPullResult } from './rules/pull.ts'
import { lookSooner } from './rules/other-payments.ts'
import { countMoves, recordTold } from './rules/record-money-back.ts'
import { pullSooner, recordReturn } from './rules/transition.ts'
import { noteAnswer } from './rules/unanswered.ts'
import { log } from '../platform/log.ts'
import type { OutsideCalls } from './outside-calls.ts'
import type { JobRecord } from './job-record.ts'
import { pullTurns } from './pull-turns.ts'
import type { PullCall, PullTurn } from './sync-with-psp.ts'

/** The pulls of one job: each asks the PSP, or is recorded with the answer that another one got. */
export function jobPulls({ read, change }: Pick<JobRecord, 'read' | 'change'>, calls: OutsideCalls) {
  const turns = pullTurns(calls)
  const record = (
    { reason, by }: Pick<PullCall, 'reason' | 'by'>,
    result: PullResult,
    tried = false,
  ): Job | null =>
    change(
      (job, now) =>
        noteAnswer(recordPullResult(job, reason, result, now, by), result.reserved ?? result.answer, now),
      tried,
    )
  const done = (job: Job | null, answered: boolean): PullTurn | null =>
    job && { is: 'done', job, isAnswered: answered }

  /** What a notification told is saved before anything else can fail. */
  const remember = (job: Job, { told }: PullCall): Job => {
    if (!told) return job
    if (told.moves?.some(({ currency }) => currency !== undefined && currency !== job.order.currency)) {
      log.warn('payment.other-currency', { job: job.id, pos: job.pos, account: job.account })
    }
    return change((current, now) => countMoves(recordTold(current, told), now)) ?? job
  }

  /** A notification of another account may be of a payment that the job has there besides its own. */
  const lookElsewhere = (job: Job, { about }: PullCall): Job =>
    (about && change((current, now) => lookSooner(current, about.account, now))) ?? job

  /** A customer who comes back to what is paid is a step of the job, for which nobody asks the PSP. */
  const welcome = (job: Job, { reason }: PullCall): Job =>
    ((reason === 'return' || reason === 'give-up') && job.status === 'SUCCESS' && change(recordReturn)) || job

  return {
    isUnderWay: turns.isUnderWay,
    forget: turns.forget,
    async begin(call: PullCall): Promise<PullTurn | null> {
      const found = read()
      if (!found) return null
      if (!isAbout(found, call)) return done(lookElsewhere(found, call), true)
      const job = remember(found, call)
      if (!isWorthPulling(job, call.reason)) return done(welcome(job, call), true)
      const turn = await turns.take(call.id, call.reason)
      switch (turn.is) {
        case 'pull':
          return { is: 'pull', job: read() ?? job }
        case 'reuse':
          return done(record(call, turn.result), isAnswered(turn.result))
        case 'later':
          return done(
            change((current) => pullSooner(current, jobNow(current.clock, turn.at))),
            call.reason === 'notification',
          )
      }
    },
    end(call: PullCall, result: PullResult): Job | null {
      const wasPaid = read()?.status === 'SUCCESS'
      turns.finish(call.id, result, !wasPaid)
      return record(call, result, call.reports)
    },
  }
}

/** Whether a call is about the payment that a job has. One that names no payment is about any. */
export function isAbout(job: Job, { about }: PullCall): boolean {
  return (
    about === undefined ||
    (job.account === about.account &&
      job.announcement.is === 'announced' &&
      (about.reference === null || about.reference === job.announcement.reference))
  )
}
