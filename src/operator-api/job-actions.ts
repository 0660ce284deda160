import { parseJobId } from '../contract/ids.ts'
import { formatAmount } from '../contract/money.ts'
import type { OperatorOperations } from '../contract/operator-operations.ts'
import { writePosition } from '../contract/queries.ts'
import { refuse } from '../contract/result.ts'
import {
  announceJob as announceOne,
  askJob,
  callJob,
  callReadableJob,
  cancelJob as cancelOne,
  goingOn,
  readJob,
} from '../job/call-job.ts'
import type { Personal } from '../job/core/facts.ts'
import { type State, isPending, statusOf } from '../job/core/state.ts'
import { instruct, shownCapture, shownRefund } from '../job/instruct-job.ts'
import { cancelRefused } from '../job/refusals.ts'
import type { OperationRequest } from '../platform/http/operations.ts'
import { currentRequestId } from '../platform/request-context.ts'
import { findAccount } from '../psp/connect.ts'
import { jobsWaitingAt } from '../job-index/not-well.ts'
import { noAccount } from './accounts.ts'
import { auditStatus, noJob, representForOperator } from './jobs.ts'
import { type OperatorHandler, changed } from './serve.ts'
import { unappliedOf } from '../job/core/money.ts'

const MOVED = { refund: 'refunded', capture: 'captured' }

/** Refunds or captures, and shows it. The audit log keeps its amount and its status. */
async function move<Shown extends { amount: string; status: string }>(
  kind: 'refund' | 'capture',
  { env, params, body: { id, ...sent } }: OperationRequest<OperatorOperations[`${typeof kind}Job`]>,
  show: Parameters<typeof instruct<Shown>>[3],
) {
  const before = await readJob(env, params.id)
  const moved = before && (await instruct(env, before, { kind, id, sent }, show))
  if (!moved) return noJob
  if (!moved.ok) return moved
  const { job, shown } = moved.value
  const values = { [kind]: id, [MOVED[kind]]: shown.amount, [`${kind}Status`]: shown.status }
  return changed(shown, differenceOf(before, job, values))
}

export const refundJob: OperatorHandler<'refundJob'> = (asked) => move('refund', asked, shownRefund)

export const captureJob: OperatorHandler<'captureJob'> = (asked) => move('capture', asked, shownCapture)

export const releaseJob: OperatorHandler<'releaseJob'> = async ({ env, params }) => {
  const before = await readJob(env, params.id)
  const release = { kind: 'release', id: crypto.randomUUID(), sent: {} } as const
  const released = before && (await instruct(env, before, release, (job) => job))
  if (!released) return noJob
  if (!released.ok) return released
  const { job, done } = released.value
  if (done?.state === 'failed') return refuse({ code: 'release-refused', detail: done.error ?? 'It failed.' })
  return changedJob(env, before, job)
}

export const cancelJob: OperatorHandler<'cancelJob'> = async ({ env, params }) => {
  const before = await readJob(env, params.id)
  const cancelled = before && (await cancelOne(env, before.id, 'operator'))
  if (!cancelled) return noJob
  return cancelled.ok ? changedJob(env, before, cancelled.value) : refuse(cancelRefused(cancelled.error))
}

export const clearMoney: OperatorHandler<'clearMoney'> = async ({ env, params, body }) => {
  const before = await readJob(env, params.id)
  if (!before) return noJob
  const amount = unappliedOf(before)
  if (amount === 0)
    return refuse({ code: 'nothing-to-clear', detail: 'All the money of this payment pays its order.' })
  const job = await callJob<State | null>(env, before.id, async (stub) => stub.tell({ do: 'clear-money' }))
  if (!job) return noJob
  return changed(await representForOperator(env, job), {
    subject: job.id,
    after: { ...auditStatus(job), cleared: formatAmount(amount, job.order.currency), note: body.note },
  })
}

export const pullJob: OperatorHandler<'pullJob'> = async ({ env, params }) => {
  const before = await readJob(env, params.id)
  const synced = before && (await askJob(env, before.id, 'operator'))
  if (!synced) return noJob
  return synced.isAnswered
    ? changedJob(env, before, synced.job)
    : refuse({ code: 'psp-unavailable', detail: `${NO_ANSWER} Try again.`, retryAfter: 10 })
}

const NO_ANSWER = 'The payment service provider does not answer.'

export const announceJob: OperatorHandler<'announceJob'> = async ({ env, params }) => {
  const before = await readJob(env, params.id)
  if (before && !isPending(before))
    return refuse({ code: 'announce-too-late', detail: `The payment job is ${statusOf(before)}.` })
  const job = before && (await announceOne(env, before.id, 'operator'))
  if (!job) return noJob
  return job.standing.is === 'unannounced'
    ? refuse({ code: 'psp-unavailable', detail: job.error ?? NO_ANSWER, retryAfter: 10 })
    : changedJob(env, before, job)
}

/** The most jobs on a page. The hub announces them at the same time, and each may take eight seconds. */
const MOST_AT_ONCE = 50

export const announceJobs: OperatorHandler<'announceJobs'> = async ({ env, params, query }) => {
  const found = await jobsWaitingAt(env, params.id, query.after ?? null, MOST_AT_ONCE)
  // Payments may still wait at a removed account: the present routes take them over.
  if (found.length === 0 && !(await findAccount(env, params.id))) return noAccount(params.id)
  const request = currentRequestId()
  const jobs = await goingOn(
    Promise.all(
      found.map(({ id }) => callReadableJob(env, id, (stub) => stub.announce('operator', request))),
    ),
  )
  const read = jobs.filter((job) => job !== null && job !== 'unreadable')
  const values = {
    announced: read.filter(({ payments }) => payments.length > 0).length,
    waiting: read.filter(({ standing }) => standing.is === 'unannounced').length,
  }
  const last = found.length === MOST_AT_ONCE ? found.at(-1) : undefined
  return changed(
    { ...values, next: last ? writePosition(last) : null },
    { subject: params.id, after: values },
  )
}

export const eraseJob: OperatorHandler<'eraseJob'> = async ({ env, params }) => {
  const id = parseJobId(params.id)
  const erased = id === null ? null : await callJob<boolean | null>(env, id, async (stub) => stub.erase())
  if (id === null || erased === null) return noJob
  return changed({ paymentJob: id, erased }, { subject: id, after: { erased } })
}

export const showPersonal: OperatorHandler<'showPersonal'> = async ({ env, params }) => {
  const job = await readJob(env, params.id)
  if (!job) return noJob
  const personal = await callJob<Personal | null>(env, job.id, async (stub) => stub.personal())
  return changed({ paymentJob: job.id, ipAddress: personal?.ipAddress ?? null }, { subject: job.id })
}

async function changedJob(env: Env, before: State, job: State) {
  return changed(await representForOperator(env, job), differenceOf(before, job))
}

/** Returns what the audit log keeps of a change of a job; `values` are in addition to its status. */
function differenceOf(before: State, job: State, values: Readonly<Record<string, string>> = {}) {
  return { subject: job.id, before: auditStatus(before), after: { ...auditStatus(job), ...values } }
}
