import { type JobJson } from '../support/hub.ts'
import { minorOf, written } from './amounts.ts'
import { promise } from './violation.ts'
import type { World } from './world.ts'

/** A refund as the hub's API shows it. */
export type RefundJson = {
  refund: string
  amount: string
  status: 'PENDING' | 'SUCCESS' | 'FAILURE'
  error: string | null
}

/**
 * A refund that the shop wants. `amount` is null for the whole rest; `ids` are those it was ever
 * answered with.
 */
export type WantedRefund = { job: string; key: string | null; amount: number | null; ids: Set<string> }

function postTo(world: World, path: string, body: object | null, key: string | null): Promise<Response> {
  return world.askAsShop(path, {
    method: 'POST',
    headers: {
      ...(body === null ? {} : { 'content-type': 'application/json' }),
      ...(key === null ? {} : { 'idempotency-key': key }),
    },
    ...(body === null ? {} : { body: JSON.stringify(body) }),
  })
}

async function askFor(world: World, wanted: WantedRefund, amount: number | null): Promise<void> {
  const { job, key, ids } = wanted
  const body = amount === null ? null : { amount: written(amount, world.currency) }
  const response = await postTo(world, `/v2/paymentjobs/${job}/refunds`, body, key)
  const { status } = response
  if (status >= 500) return
  if (amount !== wanted.amount && ids.size > 0) {
    promise(status === 422, `a key with another refund was answered with ${status}, not 422`)
    return
  }
  promise([201, 409, 422].includes(status), `a refund was answered with ${status}`)
  if (status !== 201) {
    // Without a key each request wants another refund, for which nothing may be left.
    promise(
      key === null || ids.size === 0 || status === 422,
      `refund ${[...ids].join()} of ${job} was acknowledged, and then answered with ${status}`,
    )
    return
  }
  const told = await response.json<RefundJson>()
  const is = minorOf(told.amount, world.currency)
  ids.add(told.refund)
  world.refunds.set(told.refund, { job, amount: is })
  promise(
    key === null || ids.size === 1,
    `one Idempotency-Key made refunds ${[...ids].join(' and ')} of ${job}`,
  )
  promise(amount === null || amount === is, `a refund of ${amount} is of ${told.amount}`)
  promise(told.status !== 'FAILURE', `refund ${told.refund} was taken and failed at once`)
}

/** The shop wants money to go back, in one request or in several at once. */
export async function askForRefund(
  world: World,
  job: string,
  { amount, keyed, times }: { amount: number | null; keyed: boolean; times: number },
): Promise<void> {
  const wanted: WantedRefund = { job, key: keyed ? crypto.randomUUID() : null, amount, ids: new Set() }
  world.wanted.push(wanted)
  await world.start(Promise.all(Array.from({ length: times }, () => askFor(world, wanted, amount))))
}

/**
 * Without a key it would be another refund. With another amount it is a mistake, once the first has
 * been taken.
 */
export async function repeatRefund(world: World, wanted: WantedRefund, changed: boolean): Promise<void> {
  if (wanted.key === null) return
  await world.start(askFor(world, wanted, changed && wanted.ids.size > 0 ? 7 : wanted.amount))
}

/** The refunds of a job as the hub lists them. Null when it cannot. */
export async function listRefunds(world: World, job: string): Promise<RefundJson[] | null> {
  const response = await world.askAsShop(`/v2/paymentjobs/${job}/refunds`)
  if (response.status >= 500) return null
  promise(response.status === 200, `the refunds of ${job} were answered with ${response.status}`)
  return (await response.json<{ refunds: RefundJson[] }>()).refunds
}

async function cancel(world: World, id: string): Promise<void> {
  world.traces.mayBeCancelled.add(id)
  const response = await postTo(world, `/v2/paymentjobs/${id}/cancel`, null, null)
  const { status } = response
  if (status >= 500) return
  promise(status === 200 || status === 409, `a cancel was answered with ${status}`)
  if (status === 409) return
  const job = await response.json<JobJson>()
  world.traces.saw(job)
  promise(job.status === 'CANCELLED', `the cancel of ${id} was taken, but it is ${job.status}`)
}

/** The shop wants a job to be stopped, once or twice at once. */
export function cancelJob(world: World, id: string, together: boolean): Promise<void> {
  return world.start(Promise.all(Array.from({ length: together ? 2 : 1 }, () => cancel(world, id))))
}
