import { parseJobId } from '../contract/ids.ts'
import { jobNow } from '../contract/job-clock.ts'
import type { JobDetail } from '../contract/jobs.ts'
import { formatAmount } from '../contract/money.ts'
import { refuse, ok } from '../contract/result.ts'
import { isoTime, MINUTE } from '../contract/timestamp.ts'
import { callJob, readJob } from '../job/call-job.ts'
import { jobEvents, lastEventOf } from '../job/job-events.ts'
import type { Job } from '../job/rules/job.ts'
import { plannedTimes } from '../job/rules/planned-times.ts'
import { representRefund } from '../job/rules/refund-representation.ts'
import { represent } from '../job/rules/representation.ts'
import { why } from '../job/rules/why/why.ts'
import { watchJob } from '../job/watch-job.ts'
import { MOST_WATCHERS } from '../job/watch-limits.ts'
import { readConfig } from '../platform/config.ts'
import { eventStream } from '../platform/http/event-stream.ts'
import { reply } from '../platform/http/operations.ts'
import { posName } from '../registry/points-of-sale.ts'
import { authenticateOperator } from './authenticate.ts'
import { type OperatorHandler, changed } from './handler.ts'

export const noJob = refuse({
  code: 'job-not-found',
  detail: 'There is no payment job with this id, or it was deleted after its retention time.',
})

/** `GET /operator/v1/jobs/{id}`: the job as its POS sees it, with where it is and what became of its reports. */
export const showJob: OperatorHandler<'showJob'> = async ({ env, params }) => {
  const job = await readJob(env, params.id)
  return job ? reply(await representForOperator(env, job)) : noJob
}

/** `POST /operator/v1/jobs/{id}/resend`: the newest report again, from the start of its schedule. */
export const resendReport: OperatorHandler<'resendReport'> = async ({ env, params }) => {
  const id = parseJobId(params.id)
  const job = id === null ? null : await callJob(env, id, (stub) => stub.resend())
  if (!job) return noJob
  return changed(await representForOperator(env, job), {
    subject: job.id,
    before: null,
    after: statusOf(job),
  })
}

/** What the audit log tells of a job. */
export function statusOf({ status, order, paid }: Job) {
  return {
    status,
    amountPaid: formatAmount(paid, order.currency),
    currency: order.currency,
  }
}

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

/** How often (ms) it is looked whether the operator is still known: a token may be revoked meanwhile. */
const RECOGNISE_EVERY = MINUTE

/**
 * `GET /operator/v1/jobs/{id}/events`: the events of a job as its point of sale may have them, for up to eight hours. It is watched for its point of
 * sale, so that customers who watch leave room for the operator.
 */
export const watchJobEvents: OperatorHandler<'watchJob'> = async ({ request, env, params }) => {
  const job = await readJob(env, params.id)
  if (!job) return noJob
  const stop = new AbortController()
  request.signal.addEventListener('abort', () => stop.abort())
  const watch = await watchJob(env, { id: job.id, pos: job.pos }, stop.signal)
  if (watch === null) return noJob
  if (watch.is === 'too-many')
    return refuse({ code: 'too-many-watchers', limit: MOST_WATCHERS, retryAfter: 60 })
  return ok(
    eventStream(jobEvents(watch, lastEventOf(request)), {
      stop: () => stop.abort(),
      mayGoOn: whileKnown(request, env),
      isShort: !watch.isLive,
    }),
  )
}

function whileKnown(request: Request, env: Env): () => Promise<boolean> {
  let checkedAt = Date.now()
  return async () => {
    if (Date.now() < checkedAt + RECOGNISE_EVERY) return true
    checkedAt = Date.now()
    try {
      return (await authenticateOperator(request, env)).ok
    } catch {
      // Where a part of the platform is down nobody is turned away.
      return true
    }
  }
}
