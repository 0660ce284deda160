import { isFinal } from '../domain/job.ts'
import { parseJobId } from '../domain/job-id.ts'
import type { PullReason } from '../domain/pull.ts'
import { payUrl } from '../domain/representation.ts'
import { ok } from '../domain/result.ts'
import { seeOther } from '../http/respond.ts'
import type { Handler } from '../http/routes.ts'
import { syncWithPsp } from '../payment-job/sync-with-psp.ts'
import { unknownPage, waitingPage } from './notice.tsx'
import { returnLocation } from './return-location.ts'

/** How often the page that waits for an outcome comes back, and the seconds between. */
const LOOKS = 4
const LOOK_AFTER = 2

/**
 * `GET /return/{id}`: the customer comes back from the PSP. The status is pulled and recorded. While the PSP still has
 * none, a page waits some seconds and looks again (`?look=2` …); then the shop is next, in any case. With `?cancelled=1`
 * the PSP sends a customer who gave up: a payment that is still open is stopped.
 */
export const comeBack: Handler<{ id: string }> = async (request, { env, params }) => {
  const id = parseJobId(params.id)
  const { searchParams } = new URL(request.url)
  const look = lookOf(searchParams)
  const reason = reasonOf(searchParams, look)
  const synced = id === null ? null : await syncWithPsp(env, id, { reason })
  if (!synced) return ok(await unknownPage(request))
  const { job } = synced
  if (job.announcement.is === 'due') return seeOther(payUrl(job))
  const location = await returnLocation(env, job)
  if (isFinal(job.status) || reason === 'give-up' || look >= LOOKS) return seeOther(location)
  const again = `/return/${job.id}?look=${look + 1}`
  return ok(await waitingPage(request, job, { again, after: LOOK_AFTER, location }))
}

const lookOf = (parameters: URLSearchParams): number => {
  const look = Number(parameters.get('look') ?? 1)
  return Number.isInteger(look) && look >= 1 ? look : 1
}

/** The first look is the customer's return; those of the page that waits are the hub's own status pulls. */
const reasonOf = (parameters: URLSearchParams, look: number): PullReason =>
  parameters.has('cancelled') ? 'give-up' : look === 1 ? 'return' : 'wait'
