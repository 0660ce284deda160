import { parseJobId } from '../contract/ids.ts'
import type { JobDetail } from '../contract/job-detail.ts'
import { formatAmount } from '../contract/money.ts'
import { refuse } from '../contract/result.ts'
import { isoTime, MINUTE } from '../contract/timestamp.ts'
import { callJob, readEntries, readJob, readJobAt } from '../job/call-job.ts'
import { mayResend } from '../job/core/bounds.ts'
import { duties } from '../job/core/duties.ts'
import { accountOf, announcementOf } from '../job/core/row.ts'
import {
  capturesOf,
  represent,
  representCapture,
  representRefund,
  representReports,
} from '../job/core/show.ts'
import { type State, askedAt, stageOf, statusOf } from '../job/core/state.ts'
import { plannedTimes } from '../job/core/why.ts'
import { chainOf } from '../job/journal-chain.ts'
import { resentTooOften } from '../job/refusals.ts'
import type { Plan } from '../job/payment-job.ts'
import { streamJob } from '../job/watch-job.ts'
import { readConfig } from '../platform/config.ts'
import { reply } from '../platform/http/operations.ts'
import { posName } from '../registry/points-of-sale.ts'
import { authenticateOperator } from './authenticate.ts'
import { type OperatorHandler, changed } from './serve.ts'
import { whyInWords } from './why-words.ts'
import { transfersOf } from '../job/core/all-transfers.ts'
import { mostOf, paidOf, unappliedOf } from '../job/core/money.ts'
import { ofKind } from '../job/core/payment.ts'

export const noJob = refuse({
  code: 'job-not-found',
  detail: 'There is no payment job with this id, or it was deleted after its retention time.',
})

const noJobThen = refuse({
  code: 'job-not-found',
  detail: 'There is no payment job with this id, or it was created after this time.',
})

export const showJob: OperatorHandler<'showJob'> = async ({ env, params, query: { at } }) => {
  const job = at === undefined ? await readJob(env, params.id) : await readJobAt(env, params.id, at)
  if (!job) return at === undefined ? noJob : noJobThen
  return reply(await representForOperator(env, job, at))
}

export const showJournal: OperatorHandler<'showJournal'> = async ({ env, params }) => {
  const entries = await readEntries(env, params.id)
  const [first] = entries
  return first ? reply({ paymentJob: params.id.toLowerCase(), entries: await chainOf(entries) }) : noJob
}

export const resendReport: OperatorHandler<'resendReport'> = async ({ env, params }) => {
  const id = parseJobId(params.id)
  const job =
    id === null
      ? null
      : await callJob<State | null>(env, id, async (stub) => stub.tell({ do: 'send-report-again' }))
  if (!job) return noJob
  if (!mayResend(job)) return refuse(resentTooOften)
  return changed(await representForOperator(env, job), {
    subject: job.id,
    after: { ...auditStatus(job), revision: job.revision },
  })
}

export function auditStatus(job: State) {
  const { currency } = job.order
  return { status: statusOf(job), amountPaid: formatAmount(paidOf(job), currency), currency }
}

/**
 * Shows a job as its point of sale sees it, with its account, its reports, its plan, and the reasons
 * for its state: now, or at an earlier time `at` (ms).
 */
export async function representForOperator(env: Env, job: State, at = Infinity): Promise<JobDetail> {
  const present = Date.now() + job.clock.offset
  const now = Math.min(at, present)
  const [name, plan] = await Promise.all([
    posName(env.DB, job.pos),
    now === present
      ? callJob<Plan>(env, job.id, async (stub) => stub.plan())
      : { askedAt: askedAt(job), duties: duties(job, now, readConfig(env).retention) },
  ])
  const planned = plannedTimes(job, plan.duties, now)
  return {
    ...represent(job),
    pos: job.pos,
    mode: job.isLive ? 'live' : 'test',
    posName: name ?? job.pos,
    account: accountOf(job),
    announcement: announcementOf(job),
    reference: job.payments[0]?.reference ?? null,
    stage: stageOf(job) ?? null,
    late: job.late,
    unapplied: formatAmount(unappliedOf(job), job.order.currency),
    otherPayments: job.payments.slice(1).map(({ account, reference, paid }) => ({
      account,
      reference,
      amountPaid: formatAmount(paid, job.order.currency),
    })),
    transfers: transfersOf(job).map((one) =>
      Object.assign(one, {
        amount: formatAmount(one.amount, job.order.currency),
        asked: isoTime(one.asked),
        changed: isoTime(one.changed),
      }),
    ),
    captures: capturesOf(job).map((capture) => representCapture(job, capture)),
    capturable: formatAmount(mostOf(job, 'capture'), job.order.currency),
    refunds: ofKind(job, 'refund').map((refund) => representRefund(job, refund)),
    refundable: formatAmount(mostOf(job, 'refund'), job.order.currency),
    reports: representReports(job, planned.nextReport),
    passedOver: [...new Set(triedInVain(job).map(({ account }) => account))],
    skipped: job.attempts.flatMap(({ account, outcome }) =>
      outcome.is === 'not-asked' ? [{ account, since: isoTime(outcome.since) }] : [],
    ),
    askedAt: isoTime(plan.askedAt || null),
    nextAskAt: isoTime(planned.nextPull),
    timers: {
      expires: isoTime(planned.expires),
      nextPull: isoTime(planned.nextPull),
      nextAnnouncement: isoTime(planned.nextAnnouncement),
      nextReport: isoTime(planned.nextReport),
      purge: isoTime(planned.purge),
    },
    why: whyInWords(job, now),
  }
}

function triedInVain(job: State): State['attempts'] {
  const account = accountOf(job)
  return job.attempts.filter((one) => one.outcome.is === 'no-answer' && one.account !== account)
}

/** A stream checks this often (ms) whether its operator's token was revoked. */
const RECOGNISE_EVERY = MINUTE

/** Watches as the job's point of sale does: customers who watch cannot take its places. */
export const watchJob: OperatorHandler<'watchJob'> = async ({ request, env, params }) => {
  const job = await readJob(env, params.id)
  if (!job) return noJob
  return (await streamJob(request, env, { id: job.id, pos: job.pos }, whileKnown(request, env))) ?? noJob
}

function whileKnown(request: Request, env: Env): () => Promise<boolean> {
  let checkedAt = Date.now()
  return async () => {
    if (Date.now() < checkedAt + RECOGNISE_EVERY) return true
    checkedAt = Date.now()
    try {
      return (await authenticateOperator(request, env)).ok
    } catch {
      // An outage of the platform turns nobody away.
      return true
    }
  }
}
