import { writeFailingPosition } from '../contract/failing-reports.ts'
import { refuse } from '../contract/result.ts'
import { isoTime, MINUTE } from '../contract/timestamp.ts'
import { failingJobs } from '../job-index/not-well.ts'
import { callJob } from '../job/call-job.ts'
import { mayResend } from '../job/core/bounds.ts'
import { nextReportAt } from '../job/core/duties.ts'
import { representReports } from '../job/core/show.ts'
import type { State } from '../job/core/state.ts'
import { resentTooOften } from '../job/refusals.ts'
import { reply } from '../platform/http/operations.ts'
import type { PosHandler } from './handler.ts'
import { noJob, ownJob } from './read-payment-jobs.ts'

const PAGE = 50

function reportsOf(job: State) {
  return { reports: representReports(job, nextReportAt(job, Date.now() + job.clock.offset)) }
}

export const listReports: PosHandler<'listReports'> = async ({ env, params }, profile) => {
  const job = await ownJob(env, params.id, profile)
  return job ? reply(reportsOf(job)) : noJob
}

export const resendReport: PosHandler<'resendReport'> = async ({ env, params }, profile) => {
  const job = await ownJob(env, params.id, profile)
  if (!job) return noJob
  if (!mayResend(job)) return refuse(resentTooOften)
  const told = await callJob<State | null>(env, job.id, async (stub) =>
    stub.tell({ do: 'send-report-again' }),
  )
  return told ? reply(reportsOf(told)) : noJob
}

export const listFailingReports: PosHandler<'listFailingReports'> = async ({ env, query }, { pos }) => {
  const failingBefore = Date.now() - MINUTE
  const found = await failingJobs(env, {
    of: [pos],
    failingBefore,
    after: query.after ?? null,
    limit: PAGE + 1,
  })
  const page = found.slice(0, PAGE)
  const last = found.length > PAGE ? page.at(-1) : undefined
  return reply({
    reports: page.map(({ id, orderNumber, status, failingSince, givenUpAt }) => ({
      paymentJob: id,
      orderNumber,
      status,
      failingSince: isoTime(failingSince),
      givenUp: isoTime(givenUpAt),
    })),
    next: last ? writeFailingPosition(last) : null,
  })
}
