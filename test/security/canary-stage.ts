import { expect, vi } from 'vitest'
import { type JobJson, order } from '../support/hub/hub.ts'
import { stored } from '../support/jobs/job.ts'
import { watchHub, watchOutside } from './watched-world.ts'

function canary(name: string): string {
  return `canary-${name}-${crypto.randomUUID()}`
}

/** Known secrets, so that the tests can search for them. */
export const CANARIES = {
  pspKey: `live_${crypto.randomUUID().replaceAll('-', '')}`,
  noForm: canary('no-form'),
  noJson: canary('no-json'),
  returnQuery: canary('return'),
  reportQuery: canary('report'),
  ipAddress: '3fff:ca4:1e5:bad:cafe:77:88:1',
}

const watchedOrder = {
  ...order,
  ip_address: CANARIES.ipAddress,
  return_url: `https://shop.nl/thanks?secret=${CANARIES.returnQuery}`,
  report_url: `https://shop.nl/report?secret=${CANARIES.reportQuery}`,
}

/** The hub, its shops and its PSP, with a record of all that they send, and of the jobs. */
export function openStage() {
  const { ask, refusals, answers } = watchHub()
  const world = watchOutside(CANARIES.pspKey)
  const jobs: string[] = []

  /** Orders a job with the canaries. Its id is undefined if the hub created none. */
  const create = async (token: string): Promise<Partial<JobJson> & { paymentJob: string }> => {
    const response = await ask('/v2/paymentjobs', {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(watchedOrder),
    })
    const job = await response.json<JobJson>()
    if (response.status === 201) jobs.push(job.paymentJob)
    return job
  }

  const read = (token: string, id: string) =>
    ask(`/v2/paymentjobs/${id}`, { headers: { authorization: `Bearer ${token}` } })

  /** Waits until the hub has tried to report the job. */
  const untilTried = (id: string) =>
    vi.waitFor(async () => expect((await stored(id)).report?.history).not.toEqual([]), 15_000)

  return { ask, refusals, answers, world, jobs, create, read, untilTried }
}

export type Stage = ReturnType<typeof openStage>
