import { HubError, type PaymentJob } from '../../client/client.ts'
import { pause } from '../../client/pause.ts'
import { DAY } from '../scenarios.ts'
import type { World } from './order.ts'

/** How long (ms) the hub may take to end everything. */
const PATIENCE = 30_000
/** Every payment in test mode ends within so many seconds. */
const LONGEST = 60 * DAY
const LOOK_EVERY = 200

/**
 * Ends the payments that a certificate made, gives back money that pays no order, and accepts the reports
 * that the shop did not accept. Otherwise the hub would call the shop failing later.
 */
export async function leaveNothing(world: World): Promise<void> {
  const signal = AbortSignal.timeout(PATIENCE)
  const ended = new Set<string>()
  // A shop's create that is under way at Ctrl-C may still make a payment.
  for (let left = idsOf(world); left.length > 0; left = idsOf(world).filter((id) => !ended.has(id))) {
    // The hub may be gone, or the payment another shop's.
    await Promise.all(left.map((id) => end(id, world, signal).catch(() => {})))
    for (const id of left) ended.add(id)
  }
}

function idsOf({ made, way }: World): string[] {
  return [...new Set([...made, ...(way?.creates ?? []).flatMap(({ job }) => job?.paymentJob ?? [])])]
}

async function end(id: string, { api, reports, made }: World, signal: AbortSignal): Promise<void> {
  reports.route(id, async () => 200)
  const found = await api.getPaymentJob(id, { signal })
  const job = found.status === 'PENDING' ? await api.advance(id, { seconds: LONGEST }, { signal }) : found
  // The second payment of an order that a shop made twice pays nothing either.
  if (hasMoney(job) && (job.status !== 'SUCCESS' || !made.has(id)))
    await api.refund(id, {}, { signal }).catch(unlessRefused)
  for (; !signal.aborted; await pause(LOOK_EVERY, signal)) {
    const report = (await api.reports(id, { signal })).at(-1)
    if (report === undefined || report.state === 'delivered') return
    // A try that is under way may still fail.
    const isUnderWay = report.due !== null && Date.parse(report.due) <= Date.now()
    if (!isUnderWay) await api.resendReport(id, { signal })
  }
}

function hasMoney({ amountPaid, amountRefunded = '0', amountChargedBack = '0' }: PaymentJob): boolean {
  return Number(amountPaid) > Number(amountRefunded) + Number(amountChargedBack)
}

/** The key may lack the right to refund. */
function unlessRefused(error: unknown): void {
  if (!(error instanceof HubError)) throw error
}
