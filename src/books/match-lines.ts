import type { Finding } from '../contract/books.ts'
import { parseJobId } from '../contract/ids.ts'
import { callReadableJob } from '../job/call-job.ts'
import { type State, backOf, paidOf } from '../job/core/state.ts'
import { type JobsOfOrder, jobsOfOrders } from '../job-index/job-index.ts'
import type { PayoutLine } from '../psp/payouts.ts'
import { type Known, findingOf } from './matching.ts'

export type MatchedLine = PayoutLine & { finding: Finding | null }

/**
 * Finds the job of each line: by the hub's id, which the PSP was given with the payment, by the
 * PSP's reference (`jobOf`), else by order number, and the amount of a payment. Nothing is guessed:
 * what is not found, or is of another account, is `unknown`.
 */
export async function matchLines(
  env: Env,
  { account, currency }: { account: string; currency: string },
  lines: readonly PayoutLine[],
  jobOf: (reference: string) => Promise<string | null> = async () => null,
): Promise<MatchedLine[]> {
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
  return lines.map((line, at) => {
    const job = ids[at] ?? null
    const paid = job === null ? null : (known.get(job) ?? null)
    return { ...line, job: paid ? job : null, finding: findingOf(line, currency, paid) }
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
  if (!job.payments.some((payment) => payment.account === account)) return null
  return { currency: job.order.currency, paid: paidOf(job), ...backOf(job) }
}
