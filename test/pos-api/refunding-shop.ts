import { afterEach, beforeEach, expect, vi } from 'vitest'
import { type JobJson, create, readJob, send, tokenFor } from '../support/hub.ts'
import { ringNext } from '../support/job.ts'
import { makeLivePos, outside } from '../support/live-pos.ts'

export type RefundJson = { refund: string; amount: string; status: string; error: string | null }

export async function expectProblem(response: Response, status: number, problem: object): Promise<void> {
  expect(response.status).toBe(status)
  expect(await response.json()).toMatchObject(problem)
}

/** A live point of sale at Mollie, anew for each test, that is paid and gives back. */
export function refundingShop() {
  const shop = {
    world: undefined as unknown as ReturnType<typeof outside>,
    token: '',
  }
  beforeEach(async () => {
    shop.world = outside()
    shop.token = await tokenFor(await makeLivePos())
  })
  afterEach(() => {
    shop.world.stop()
    vi.useRealTimers()
    vi.restoreAllMocks()
  })

  const openJob = async (): Promise<JobJson> => (await create(shop.token)).json<JobJson>()
  const paidJob = async (): Promise<string> => {
    const { paymentJob } = await openJob()
    shop.world.fake.bring(paymentJob, 'paid')
    await send(`/return/${paymentJob}`)
    return paymentJob
  }

  const ask = (
    id: string,
    body: object | null = {},
    headers: Record<string, string> = {},
    bearer = shop.token,
  ): Promise<Response> =>
    send(`/v2/paymentjobs/${id}/refunds`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${bearer}`,
        ...(body === null ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === null ? {} : { body: JSON.stringify(body) }),
    })
  const refund = async (...args: Parameters<typeof ask>): Promise<RefundJson> => {
    const response = await ask(...args)
    expect(response.status).toBe(201)
    return response.json()
  }
  const refundsOf = async (id: string): Promise<RefundJson[]> => {
    const response = await send(`/v2/paymentjobs/${id}/refunds`, {
      headers: { authorization: `Bearer ${shop.token}` },
    })
    expect(response.status).toBe(200)
    return (await response.json<{ refunds: RefundJson[] }>()).refunds
  }
  /** Rings alarm after alarm until no refund of the job is PENDING. */
  const untilSettled = async (id: string): Promise<void> => {
    for (let rings = 0; (await refundsOf(id)).some(({ status }) => status === 'PENDING'); rings++) {
      if (rings === 20) throw new Error('a refund stays PENDING')
      await ringNext(id)
    }
  }
  const atMollie = (id: string) => shop.world.fake.payments.find(({ job }) => job === id)?.refunds ?? []
  /** Money goes back that the hub was not asked for. */
  const refundedThere = (id: string, value: string): void => {
    atMollie(id).push({
      id: 're_elsewhere',
      status: 'refunded',
      amount: { currency: 'EUR', value },
      description: '',
      metadata: null,
      key: null,
      fingerprint: '',
    })
  }
  const untilRefunded = (id: string, amountRefunded: string) =>
    vi.waitFor(async () => expect(await readJob(shop.token, id)).toMatchObject({ amountRefunded }))
  return {
    shop,
    openJob,
    paidJob,
    ask,
    refund,
    refundsOf,
    untilSettled,
    atMollie,
    refundedThere,
    untilRefunded,
  }
}
