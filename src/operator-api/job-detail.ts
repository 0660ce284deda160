import type { Job } from '../domain/job.ts'
import { formatAmount } from '../domain/money.ts'
import { representRefund } from '../domain/refund-representation.ts'
import { represent } from '../domain/representation.ts'
import type { JobDetail } from './contract/jobs.ts'

/** The job as its POS sees it, with where it is, what became of its reports, and what an operator should look at. */
export const representForOperator = (job: Job): JobDetail => ({
  ...represent(job),
  pos: job.pos,
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
    due: state === 'waiting' ? new Date(dueAt).toISOString() : null,
    attempts: attempts.map(({ at, outcome }) => ({ at: new Date(at).toISOString(), outcome })),
  })),
})
