import type { Finding } from '../contract/books.ts'
import { parseJobId } from '../contract/ids.ts'
import { callReadableJob } from '../job/call-job.ts'
import type { State } from '../job/core/state.ts'
import { type JobsOfOrder, jobsOfOrders } from '../job-index/job-index.ts'
import { adapterOf } from '../psp/adapters.ts'
import type { PayoutLine } from '../psp/payouts/payouts.ts'
import { accountsNamed } from '../registry/accounts.ts'
import { findingOf } from './matching.ts'
import { explain, recordAt } from './record.ts'
import { type LinesOf, bookedLines } from './store.ts'

export type MatchedLine = PayoutLine & { finding: Finding | null }

/**
 * Finds the job of each line: by the hub's id, which the PSP got with the payment, by the PSP's
 * reference (`jobOf`), or by the order number. Guesses nothing: a line is `unknown` if its job is not
 * found or belongs to another account. `part` has the lines.
 */
export async function matchLines(
  env: Env,
  part: LinesOf,
  sent: readonly PayoutLine[],
  jobOf: (reference: string) => Promise<string | null> = async () => null,
): Promise<MatchedLine[]> {
  const { account, currency } = part
  const lines = sent.map((line) => ({ ...line, kind: kindOf(line) }))
  const orderNumbers = lines.flatMap(({ job, orderNumber }) =>
    parseJobId(job ?? '') ? [] : (orderNumber ?? []),
  )
  const found = await jobsOfOrders(env, { account, currency }, [...new Set(orderNumbers)])
  const ofOrder = Map.groupBy(found, ({ orderNumber }) => orderNumber)
  const ids = await Promise.all(
    lines.map(async (line) => {
      const { job, reference } = line
      const own = parseJobId(job ?? '')
      if (own !== null) return own
      const listed = ofOrder.get(line.orderNumber ?? '') ?? []
      if (reference === null) return onlyJob(listed, line)
      const same = listed.find((one) => one.jobs === 1 && one.reference === reference)
      return same?.id ?? parseJobId((await jobOf(reference)) ?? '') ?? onlyJob(listed, line)
    }),
  )
  const unique = [...new Set(ids.filter((id) => id !== null))]
  const jobs = await Promise.all(unique.map(async (id) => [id, await readableJob(env, id)] as const))
  const known = new Map(jobs.map(([id, job]) => [id, job && recordAt(job, account)]))
  const booked = await bookedLines(env.DB, part, unique)
  const settlesParts = (await accountsNamed(env.DB, [account])).some(
    ({ psp }) => adapterOf(psp)?.settlesParts,
  )
  const matched = lines.map((line, at) => {
    const id = ids[at] ?? ''
    return Object.assign(line, { job: known.get(id) ? id : null })
  })
  const owners = new Map(
    [...known].flatMap(([id, record]) =>
      (record?.items ?? []).flatMap((one) => one.ids?.map((name) => [name, id] as const) ?? []),
    ),
  )
  // The transfer of another job explains no line of this one.
  const own = matched.filter(({ job, transfer = '' }) => (owners.get(transfer) ?? job) === job)
  const explained = new Map(
    [...Map.groupBy(own, ({ job }) => job)].flatMap(([job, group]) => {
      const record = known.get(job ?? '')
      const amounts = record ? explain(record, booked.get(job) ?? [], group, settlesParts) : []
      return group.map((line, at) => [line, amounts[at] ?? 0] as const)
    }),
  )
  return matched.map((line) => {
    const record = known.get(line.job ?? '') ?? null
    return Object.assign(line, { finding: findingOf(line, currency, record, explained.get(line) ?? 0) })
  })
}

/** Money that comes back is a reversal, whatever a PSP calls it: its files name the refund or the chargeback. */
function kindOf({ kind, gross }: PayoutLine): PayoutLine['kind'] {
  return (kind === 'refund' || kind === 'chargeback') && gross > 0 ? 'reversal' : kind
}

/**
 * Returns the job that a line belongs to, if there is exactly one candidate. Prefers paid jobs, and
 * for a payment those with its amount.
 */
function onlyJob(found: readonly JobsOfOrder[], { kind, gross }: PayoutLine): string | null {
  const paid = found.filter(({ isPaid }) => isPaid)
  const all = paid.length > 0 ? paid : found
  const same = kind === 'payment' ? all.filter(({ amount }) => amount === gross) : []
  const [one, ...others] = same.length > 0 ? same : all
  return one?.jobs === 1 && others.length === 0 ? one.id : null
}

/** Reads a job; null for an unknown id, or if this release cannot read it. */
export async function readableJob(env: Env, id: string): Promise<State | null> {
  const job = await callReadableJob<State | null>(env, id, async (stub) => stub.read())
  return job === 'unreadable' ? null : job
}
