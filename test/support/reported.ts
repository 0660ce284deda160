import { vi } from 'vitest'
import type { Report } from '../../src/job/core/state.ts'
import { type Pos, createJob, payAs, tokenFor } from './hub.ts'
import { stored } from './job.ts'

/** A payment of a point of sale that its customer has made, of an order of its own. */
export async function paidJob(pos: Pos): Promise<string> {
  const { payUrl, paymentJob } = await createJob(await tokenFor(pos), { order_number: crypto.randomUUID() })
  await payAs(payUrl, 'paid')
  return paymentJob
}

/** The report of a job, once so many tries are in its journal. */
export function untilTried(id: string, tries = 1): Promise<Report> {
  return vi.waitFor(async () => {
    const { report } = await stored(id)
    if (report?.history.length !== tries) throw new Error(`not tried ${tries} times: ${report?.state}`)
    return report
  }, 20_000)
}
