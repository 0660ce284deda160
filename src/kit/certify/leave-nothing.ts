import { pause } from '../../client/pause.ts'
import { DAY } from '../scenarios.ts'
import type { World } from './order.ts'

/** How long (ms) the hub may take to end everything. */
const PATIENCE = 30_000
const LOOK_EVERY = 200

/**
 * Ends the payments that a certificate made, gives back money that pays no order, and accepts the reports
 * that the shop did not accept. Otherwise the hub would call the shop failing later.
 */
export async function leaveNothing(world: World): Promise<void> {
  const signal = AbortSignal.timeout(PATIENCE)
  const ended = new Set<string>()
  const left = () => {
    const ofShop = world.way?.creates.flatMap(({ job }) => job?.paymentJob ?? []) ?? []
    return [...new Set([...world.made, ...ofShop])].filter((id) => !ended.has(id))
  }
  // A shop's create that is under way at Ctrl-C may still make a payment.
  for (let ids = left(); ids.length > 0; ids = left()) {
    for (const id of ids) ended.add(id)
    // The hub may be gone, or the payment another shop's.
    await Promise.all(ids.map((id) => end(id, world, signal).catch(() => {})))
  }
}

async function end(id: string, { api, reports, made }: World, signal: AbortSignal): Promise<void> {
  reports.route(id, async () => 200)
  const { status } = await api.getPaymentJob(id, { signal })
  // Every payment in test mode ends within that time.
  if (status === 'PENDING') await api.advance(id, { seconds: 60 * DAY }, { signal })
  const job = await api.getPaymentJob(id, { signal })
  const back = Number(job.amountRefunded ?? 0) + Number(job.amountChargedBack ?? 0)
  // The second payment of an order that a shop made twice pays nothing either. A key may lack the right to refund.
  if (Number(job.amountPaid) > back && (job.status !== 'SUCCESS' || !made.has(id)))
    await api.refund(id, {}, { signal }).catch(() => {})
  for (; !signal.aborted; await pause(LOOK_EVERY, signal)) {
    const report = (await api.reports(id, { signal })).at(-1)
    if (report === undefined || report.state === 'delivered') return
    // A try that is under way may still fail.
    const isUnderWay = report.due !== null && Date.parse(report.due) <= Date.now()
    if (!isUnderWay) await api.resendReport(id, { signal })
  }
}
