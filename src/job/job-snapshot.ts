import * as v from 'valibot'
import { HOUR } from '../contract/timestamp.ts'
import { Status } from '../contract/values.ts'
import { formatAmount } from '../contract/money.ts'
import { refundsOnTheirWay } from './core/money-back.ts'
import { represent } from './core/show.ts'
import { type State, isPending } from './core/state.ts'

/** Watchers that a job has at most. */
export const MOST_WATCHERS = 250
/** Those that are customers, whom nobody authenticates: the rest is free for the shop. */
export const MOST_CUSTOMERS = 200
/** Those of them from one network, so that no visitor keeps the others out. */
export const MOST_OF_A_NETWORK = 10
/** How long (ms) a job is watched over one stream. */
export const LONGEST_WATCH = 8 * HOUR

const MESSAGE_VERSION = 1

/** What those who watch a job read of it; it has more members. */
const ShownJob = v.looseObject({
  status: Status,
  amountDue: v.string(),
  amountPaid: v.string(),
  amountRefunded: v.exactOptional(v.string()),
  amountChargedBack: v.exactOptional(v.string()),
  payments: v.looseObject({ steps: v.array(v.looseObject({ creationDate: v.string() })) }),
})

/**
 * How a job stands, as its object tells it to a Worker that watches it: the whole truth each time,
 * so that one which is missed does no harm. `job` is what a read of the API shows. `refunding` is
 * what is on its way back to the customer, where it is more than nothing.
 */
export const JobSnapshot = v.object({
  version: v.literal(MESSAGE_VERSION),
  pos: v.string(),
  isFinal: v.boolean(),
  stage: v.exactOptional(v.picklist(['underway', 'authorized'])),
  refunding: v.exactOptional(v.string()),
  // Not rebuilt by the schema, which would change the order of its members.
  job: v.custom<v.InferOutput<typeof ShownJob>>((value) => v.is(ShownJob, value)),
})
export type JobSnapshot = v.InferOutput<typeof JobSnapshot>

export function snapshotOf(job: State): JobSnapshot {
  const refunding = refundsOnTheirWay(job)
  const { standing } = job
  return {
    version: MESSAGE_VERSION,
    pos: job.pos,
    isFinal: !isPending(job),
    ...(standing.is === 'underway' || standing.is === 'authorized' ? { stage: standing.is } : {}),
    ...(refunding > 0 ? { refunding: formatAmount(refunding, job.order.currency) } : {}),
    job: represent(job),
  }
}

/** The message that tells a snapshot. */
export function messageOf(job: State): string {
  return JSON.stringify(snapshotOf(job))
}

/** Reads a message; null for one of a release that this one does not know. */
export function readMessage(message: unknown): JobSnapshot | null {
  const read = v.safeParse(v.pipe(v.string(), v.parseJson(), JobSnapshot), message)
  return read.success ? read.output : null
}
