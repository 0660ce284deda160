import * as v from 'valibot'
import { HOUR } from '../contract/timestamp.ts'
import { Stage, Status } from '../contract/values.ts'
import { formatAmount } from '../contract/money.ts'
import { money } from '../contract/payment-job.ts'
import { represent } from './core/show.ts'
import { type State, isPending, stageOf } from './core/state.ts'
import { refundsOnTheirWay } from './core/money.ts'

export const MOST_WATCHERS = 250
/** The most customers among them. Customers need no token, so shops keep some room. */
export const MOST_CUSTOMERS = 200
/** The most customers from one network, so that no visitor locks out the others. */
export const MOST_OF_A_NETWORK = 10
/** How long (ms) one stream may watch a job. */
export const LONGEST_WATCH = 8 * HOUR

const MESSAGE_VERSION = 1

/** The members of a job that the hub's Workers read. A job has more. */
const ShownJob = v.looseObject({
  status: Status,
  ...money,
  payments: v.looseObject({ steps: v.array(v.looseObject({ creationDate: v.string() })) }),
})

/**
 * A job as its object sends it to a Worker that watches it. Each snapshot is complete, so a missed
 * one does no harm. `job`: what the API's retrieve shows. `refunding`: the amount on its way back
 * to the customer, if any.
 */
export const JobSnapshot = v.object({
  version: v.literal(MESSAGE_VERSION),
  pos: v.string(),
  isFinal: v.boolean(),
  stage: v.exactOptional(Stage),
  refunding: v.exactOptional(v.string()),
  // Checked but not rebuilt: a schema would change the order of the members.
  job: v.custom<v.InferOutput<typeof ShownJob>>((value) => v.is(ShownJob, value)),
})
export type JobSnapshot = v.InferOutput<typeof JobSnapshot>

export function snapshotOf(job: State): JobSnapshot {
  const refunding = refundsOnTheirWay(job)
  const stage = stageOf(job)
  return {
    version: MESSAGE_VERSION,
    pos: job.pos,
    isFinal: !isPending(job),
    ...(stage ? { stage } : {}),
    ...(refunding > 0 ? { refunding: formatAmount(refunding, job.order.currency) } : {}),
    job: represent(job),
  }
}

export function messageOf(job: State): string {
  return JSON.stringify(snapshotOf(job))
}

/** Reads a snapshot; null if another release wrote it in a version unknown here. */
export function readMessage(message: unknown): JobSnapshot | null {
  const read = v.safeParse(v.pipe(v.string(), v.parseJson(), JobSnapshot), message)
  return read.success ? read.output : null
}
