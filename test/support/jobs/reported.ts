import { vi } from 'vitest'
import type { Report } from '../../../src/job/core/state.ts'
import { type Pos, createJob, payAs, tokenFor } from '../hub/hub.ts'
import { stored } from './job.ts'

/** Creates and pays a job with a new order. */
export async function paidJob(pos: Pos): Promise<string> {
  const { payUrl, paymentJob } = await createJob(await tokenFor(pos), { order_number: crypto.randomUUID() })
  await payAs(payUrl, 'paid')
  return paymentJob
}

/** Waits until the job's journal has this many tries, and returns the report. */
export function untilTried(id: string, tries = 1): Promise<Report> {
  return vi.waitFor(async () => {
    const { report } = await stored(id)
    if (report?.history.length !== tries) throw new Error(`not tried ${tries} times: ${report?.state}`)
    return report
  }, 20_000)
}
