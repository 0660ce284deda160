import { readConfig } from '../platform/config.ts'
import { jobNow } from '../contract/job-clock.ts'
import type { Job } from '../job/rules/job.ts'
import { formatAmount } from '../contract/money.ts'
import { plannedTimes } from '../job/rules/planned-times.ts'
import { representRefund } from '../job/rules/refund-representation.ts'
import { represent } from '../job/rules/representation.ts'
import { why } from '../job/rules/why/why.ts'
import { posName } from '../registry/pos-name.ts'
import type { JobDetail } from '../contract/jobs.ts'
import { isoTime } from '../contract/timestamp.ts'

/** The job as its POS sees it, with where it is, what became of its reports, what is planned, and why it stands so. */
export async function representForOperator(env: Env, job: Job): Promise<JobDetail> {
  const name = await posName(env.DB, job.pos)
  return {
    ...represent(job),
    pos: job.pos,
    posName: name ?? job.pos,
    account: job.account,
    announcement: job.announcement.is,
    reference: job.announcement.is === 'announced' ? job.announcement.reference : null,
    stage: job.stage?.is ?? null,
    late: job.late ?? false,
    otherPayments: (job.otherPayments ?? []).map(({ account, reference, paid }) => ({
      account,
      reference,
      amountPaid: formatAmount(paid, job.order.currency),
    })),
    refunds: (job.moneyBack?.refunds ?? []).map((refund) => representRefund(job, refund)),
    reports: job.reports.map(({ revision, state, dueAt, attempts }) => ({
      revision,
      state,
      due: state === 'waiting' ? isoTime(dueAt) : null,
      attempts: attempts.map((attempt) => ({ ...attempt, at: isoTime(attempt.at) })),
    })),
    passedOver: [...(job.passedOver ?? [])],
    skipped: (job.asked?.skipped ?? []).map(({ account, since }) => ({ account, since: isoTime(since) })),
    timers: timersOf(job, readConfig(env).retention),
    why: why(job, jobNow(job.clock, Date.now())),
  }
}

function timersOf(job: Job, retention: number): JobDetail['timers'] {
  const { expires, nextPull, nextAnnouncement, nextReport, purge } = plannedTimes(job, retention)
  return {
    expires: isoTime(expires),
    nextPull: isoTime(nextPull),
    nextAnnouncement: isoTime(nextAnnouncement),
    nextReport: isoTime(nextReport),
    purge: isoTime(purge),
  }
}
