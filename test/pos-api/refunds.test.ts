import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type JobJson, type Pos, create, makePos, order, readJob, send, tokenFor } from '../support/hub.ts'
import { stored } from '../support/job.ts'
import { makeLivePos, outside } from '../support/live-pos.ts'

let world: ReturnType<typeof outside>
let pos: Pos
let token: string
beforeEach(async () => {
  world = outside()
  pos = await makeLivePos()
  token = await tokenFor(pos)
})
afterEach(() => {
  world.stop()
  vi.restoreAllMocks()
})

const paidJob = async (): Promise<JobJson> => {
  const job = await (await create(token)).json<JobJson>()
  world.fake.bring(job.paymentJob, 'paid')
  await send(`/return/${job.paymentJob}`)
  return readJob(token, job.paymentJob)
}

const refund = (
  id: string,
  body: object | null = {},
  headers: Record<string, string> = {},
): Promise<Response> =>
  send(`/v2/paymentjobs/${id}/refunds`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === null ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === null ? {} : { body: JSON.stringify(body) }),
  })
const refundsOf = async (id: string): Promise<{ amount: string; status: string }[]> => {
  const response = await send(`/v2/paymentjobs/${id}/refunds`, {
    headers: { authorization: `Bearer ${token}` },
  })
  expect(response.status).toBe(200)
  return (await response.json<{ refunds: { amount: string; status: string }[] }>()).refunds
}
const askedFor = (id: string): number =>
  world.asked.filter((ask) => ask.startsWith('POST') && ask.endsWith('/refunds')).length

describe('a refund', () => {
  it('of a part is taken by the PSP, and is told with the job and its trace', async () => {
    const { paymentJob } = await paidJob()
    const response = await refund(paymentJob, { amount: '5.00', description: 'A shirt came back' })
    expect(response.status).toBe(201)
    expect(response.headers.get('x-signature')).toMatch(/^[0-9a-f]{128}$/)
    expect(await response.json()).toEqual({
      refund: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
      paymentJob,
      created: expect.any(String) as string,
      currency: 'EUR',
      amount: '5.00',
      description: 'A shirt came back',
      status: 'PENDING',
      error: null,
    })
    await vi.waitFor(async () =>
      expect(await readJob(token, paymentJob)).toMatchObject({
        status: 'SUCCESS',
        amountPaid: '12.50',
        amountDue: '0.00',
        amountRefunded: '5.00',
      }),
    )
    const { payments } = await readJob(token, paymentJob)
    expect(payments.steps.at(-1)).toMatchObject({
      action: 'Refund',
      status: 'SUCCESS',
      amountRefunded: '5.00',
    })
    await vi.waitFor(() => expect(world.reportsOf(paymentJob)).toEqual(['SUCCESS', 'SUCCESS']))
  })
})
