import type { Job } from '../domain/job.ts'
import { type PullResult, isWorthPulling, recordPullResult } from '../domain/pull.ts'
import { pullSooner } from '../domain/transition.ts'
import type { OutsideCalls } from './outside-calls.ts'
import { pullTurns } from './pull-turns.ts'
import type { PullCall, PullTurn } from './sync-with-psp.ts'

/** What the pulls of a job need of its object: to read the job, and to change it. */
type Holder = {
  read: () => Job | null
  change: (decide: (job: Job, now: number) => Job) => Job | null
}

/** The pulls of one job: each asks the PSP, or is recorded with the answer that another one got. */
export const jobPulls = ({ read, change }: Holder, calls: OutsideCalls) => {
  const turns = pullTurns(calls)
  const record = ({ reason }: Pick<PullCall, 'reason'>, result: PullResult): Job | null =>
    change((job, now) => recordPullResult(job, reason, result, now))
  const done = (job: Job | null, isAnswered: boolean): PullTurn | null =>
    job && { is: 'done', job, isAnswered }

  return {
    record,
    async begin(call: PullCall): Promise<PullTurn | null> {
      const job = read()
      if (!job) return null
      if (!isAbout(job, call) || !isWorthPulling(job, call.reason)) return done(job, true)
      const turn = await turns.take(call.id, call.reason)
      switch (turn.is) {
        case 'pull':
          return { is: 'pull', job: read() ?? job }
        case 'reuse':
          return done(record(call, turn.result), turn.result.answer.is !== 'unavailable')
        case 'later':
          return done(
            change((current) => pullSooner(current, turn.at)),
            true,
          )
      }
    },
    end(call: PullCall, result: PullResult): Job | null {
      turns.finish(call.id, result)
      return record(call, result)
    },
  }
}

/** Whether a call is about the payment that a job has. One that names no payment is about any. */
export const isAbout = (job: Job, { about }: PullCall): boolean =>
  about === undefined ||
  (job.account === about.account &&
    job.announcement.is === 'announced' &&
    (about.reference === null || about.reference === job.announcement.reference))
