import { expect, vi } from 'vitest'
import type { Report } from '../../src/job/rules/job.ts'
import { type Pos, createJob, payAs, tokenFor } from './hub.ts'
import { stored } from './job.ts'

/** A payment of a point of sale that its customer has made. */
export async function paidJob(pos: Pos): Promise<string> {
  const { payUrl, paymentJob } = await createJob(await tokenFor(pos))
  await payAs(payUrl, 'paid')
  return paymentJob
}

/** The first report of a job, once the job has recorded so many tries of it. */
export function untilTried(id: string, attempts = 1): Promise<Report> {
  return vi.waitFor(async () => {
    const [report] = (await stored(id)).reports
    expect(report?.attempts).toHaveLength(attempts)
    return report as Report
  }, 20_000)
}
