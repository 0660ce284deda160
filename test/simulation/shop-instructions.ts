import type { JobJson } from '../support/hub/hub.ts'
import { minorOf, written } from './amounts.ts'
import { checkReleased } from './liveness-promises.ts'
import { readObject } from './time.ts'
import { promise } from './violation.ts'
import type { World } from './world.ts'

export type Kind = 'capture' | 'refund'

/** A capture or refund as the hub's API shows it, with its id under the name of its kind. */
type Shown = Record<Kind, string> & Omit<InstructionJson, 'id'>
export type InstructionJson = {
  id: string
  amount: string
  status: 'PENDING' | 'SUCCESS' | 'FAILURE'
  error: string | null
}

/**
 * A capture or refund that the shop requests. `amount`: null for all that is left. `final`: the capture
 * releases the rest. `ids`: all ids in the hub's answers.
 */
export type InstructionRequest = {
  kind: Kind
  job: string
  key: string | null
  amount: number | null
  final: boolean
  ids: Set<string>
}

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

async function postInstruction(
  world: World,
  wanted: InstructionRequest,
  amount: number | null,
): Promise<void> {
  const { kind, job, key, final, ids } = wanted
  const sent = {
    ...(amount === null ? {} : { amount: written(amount, world.currency) }),
    ...(final ? { final } : {}),
  }
  const body = Object.keys(sent).length > 0 ? sent : null
  const response = await postTo(world, `/v2/paymentjobs/${job}/${kind}s`, body, key)
  const { status } = response
  if (status >= 500) return
  if (amount !== wanted.amount && ids.size > 0) {
    promise(status === 422, `a key with another ${kind} was answered with ${status}, not 422`)
    return
  }
  promise([201, 409, 422].includes(status), `a ${kind} was answered with ${status}`)
  if (status !== 201) {
    // Without a key each request is a new one, for which nothing may be left.
    promise(
      key === null || ids.size === 0 || status === 422,
      `${kind} ${[...ids].join()} of ${job} was acknowledged, and then answered with ${status}`,
    )
    return
  }
  const shown = await response.json<Shown>()
  const shownAmount = minorOf(shown.amount, world.currency)
  const id = shown[kind]
  ids.add(id)
  world.acknowledged.set(id, { kind, job, amount: shownAmount })
  promise(
    key === null || ids.size === 1,
    `one Idempotency-Key made ${kind}s ${[...ids].join(' and ')} of ${job}`,
  )
  promise(amount === null || amount === shownAmount, `a ${kind} of ${amount} is of ${shown.amount}`)
  promise(shown.status !== 'FAILURE', `${kind} ${id} was taken and failed at once`)
}

/** Requests a capture or refund, `times` times at once. */
export async function requestInstruction(
  world: World,
  kind: Kind,
  job: string,
  {
    amount,
    final = false,
    keyed,
    times,
  }: { amount: number | null; final?: boolean; keyed: boolean; times: number },
): Promise<void> {
  const key = keyed ? crypto.randomUUID() : null
  const wanted: InstructionRequest = { kind, job, key, amount, final, ids: new Set() }
  world.instructionRequests.push(wanted)
  await world.start(Promise.all(Array.from({ length: times }, () => postInstruction(world, wanted, amount))))
}

/**
 * Repeats a request with its key; without one it would be new. With another amount, the hub must refuse it.
 */
export async function repeatInstruction(
  world: World,
  wanted: InstructionRequest,
  changed: boolean,
): Promise<void> {
  if (wanted.key === null) return
  await world.start(postInstruction(world, wanted, changed && wanted.ids.size > 0 ? 7 : wanted.amount))
}

/** Returns the hub's list of a job's captures or refunds; null if it cannot answer. */
export async function listInstructions(
  world: World,
  job: string,
  kind: Kind,
): Promise<InstructionJson[] | null> {
  const response = await world.askAsShop(`/v2/paymentjobs/${job}/${kind}s`)
  if (response.status >= 500) return null
  promise(response.status === 200, `the ${kind}s of ${job} were answered with ${response.status}`)
  const listed = await response.json<Record<`${Kind}s`, Shown[]>>()
  return listed[`${kind}s`].map((shown) => ({ ...shown, id: shown[kind] }))
}

async function release(world: World, id: string): Promise<void> {
  world.traces.mayBeCancelled.add(id)
  const response = await postTo(world, `/v2/paymentjobs/${id}/release`, null, null)
  const { status } = response
  if (status >= 500) return
  promise([200, 409, 422].includes(status), `a release was answered with ${status}`)
  if (status !== 200) return
  world.traces.note(await response.json<JobJson>())
  const { job } = await readObject(world, id)
  if (job) checkReleased(job)
}

/** Releases what is reserved, once or twice at the same time. */
export function releaseJob(world: World, id: string, together: boolean): Promise<void> {
  return world.start(Promise.all(Array.from({ length: together ? 2 : 1 }, () => release(world, id))))
}

async function cancel(world: World, id: string): Promise<void> {
  world.traces.mayBeCancelled.add(id)
  // An order on its way to a terminal may still begin there; the hub then stops it.
  const isOnItsWay = world.late.anyHeld() || world.platform.isAsking() || world.firstEnd() < Infinity
  const response = await postTo(world, `/v2/paymentjobs/${id}/cancel`, null, null)
  const { status } = response
  if (status >= 500) return
  promise(status === 200 || status === 409, `a cancel was answered with ${status}`)
  if (status === 409) return
  const job = await response.json<JobJson>()
  world.traces.note(job)
  // At a terminal the hub only passes the cancel on.
  const isPassedOn = job['terminal'] !== undefined && job.status === 'PENDING'
  if (job['terminal'] !== undefined) world.psp.cancelAccepted.set(id, isOnItsWay)
  promise(job.status === 'CANCELLED' || isPassedOn, `the cancel of ${id} was taken, but it is ${job.status}`)
}

/** Cancels a job, once or twice at the same time. */
export function cancelJob(world: World, id: string, together: boolean): Promise<void> {
  return world.start(Promise.all(Array.from({ length: together ? 2 : 1 }, () => cancel(world, id))))
}
