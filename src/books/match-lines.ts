import type { Finding } from '../contract/books.ts'
import { parseJobId } from '../contract/ids.ts'
import { callReadableJob } from '../job/call-job.ts'
import type { Movement, State } from '../job/core/state.ts'
import { type JobsOfOrder, jobsOfOrders } from '../job-index/job-index.ts'
import type { PayoutLine } from '../psp/payouts.ts'
import { type Known, findingOf } from './matching.ts'
import { type LinesOf, bookedSums } from './store.ts'

export type MatchedLine = PayoutLine & { finding: Finding | null }

/**
 * Finds the job of each line: by the hub's id, which the PSP was given with the payment, by the
 * PSP's reference (`jobOf`), else by order number, and the amount of a payment. Nothing is guessed:
 * a line whose job is not found, or is of another account, is `unknown`. `part` has the lines.
 */
export async function matchLines(
  env: Env,
  part: LinesOf,
  lines: readonly PayoutLine[],
  jobOf: (reference: string) => Promise<string | null> = async () => null,
): Promise<MatchedLine[]> {
  const { account, currency } = part
  const told = await Promise.all(
    lines.map(
      async ({ job, reference }) =>
        parseJobId(job ?? '') ?? parseJobId((reference === null ? null : await jobOf(reference)) ?? ''),
    ),
  )
  const untold = lines.flatMap(({ orderNumber }, at) => (told[at] ? [] : (orderNumber ?? [])))
  const found = await jobsOfOrders(env, { account, currency }, [...new Set(untold)])
  const ofOrder = Map.groupBy(found, ({ orderNumber }) => orderNumber)
  const ids = lines.map((line, at) => told[at] ?? onlyJob(ofOrder.get(line.orderNumber ?? '') ?? [], line))
  const unique = [...new Set(ids.filter((id) => id !== null))]
  const known = new Map(
    await Promise.all(unique.map(async (id) => [id, await readKnown(env, id, account)] as const)),
  )
  const sums = await bookedSums(env.DB, part, unique)
  return lines.map((line, at) => {
    const id = ids[at] ?? null
    const record = id === null ? null : (known.get(id) ?? null)
    const job = record && id
    const key = `${job} ${line.kind}`
    const together = (sums.get(key) ?? 0) + line.gross
    sums.set(key, together)
    return { ...line, job, finding: findingOf(line, currency, record, together) }
  })
}

/** Returns the one job that a line may be of; a refund or chargeback may be a part of its payment. */
function onlyJob(found: readonly JobsOfOrder[], { kind, gross }: PayoutLine): string | null {
  const [one, ...others] = found.filter(({ amount }) => kind !== 'payment' || amount === gross)
  return one?.jobs === 1 && others.length === 0 ? one.id : null
}

async function readKnown(env: Env, id: string, account: string): Promise<Known | null> {
  const job = await callReadableJob<State | null>(env, id, async (stub) => stub.read())
  if (job === null || job === 'unreadable') return null
  const here = (one: { account: string }) => one.account === account
  if (!job.payments.some(here)) return null
  const moved = (kind: Movement['is']) =>
    job.movements.filter((one) => one.is === kind && here(one)).map(({ amount }) => amount)
  // The hub may learn of several refunds at once, or after the payout; its own it knows one by one.
  const asked = job.refunds.filter((one) => one.state !== 'failed' && here(one)).map(({ amount }) => -amount)
  return {
    currency: job.order.currency,
    payment: withSum(moved('payment')),
    refund: [...withSum(moved('refund')), ...withSum(asked)],
    chargeback: withSum(moved('chargeback')),
    reversal: withSum(moved('reversal')),
  }
}

function withSum(amounts: readonly number[]): number[] {
  return [...amounts, amounts.reduce((sum, amount) => sum + amount, 0)]
}
