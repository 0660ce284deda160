import { beforeEach, describe, expect, it, vi } from 'vitest'
import { DAY, HOUR, MINUTE } from '../../src/contract/timestamp.ts'
import { type JobJson, askWith, create, readJob, send, tokenFor } from '../support/hub/hub.ts'
import { objectOf, referenceOf, ringFor, stored } from '../support/jobs/job.ts'
import { makeLivePos, outside } from '../support/shops/live-pos.ts'
import { notify as notifyAll, posAt, pspWorld } from '../support/psp-world.ts'

let world: ReturnType<typeof outside>
let token: string
beforeEach(async () => {
  world = outside()
  token = await tokenFor(await makeLivePos())
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
})

async function paidJob(): Promise<string> {
  const { paymentJob } = await (await create(token)).json<JobJson>()
  world.fake.bring(paymentJob, 'paid')
  await send(`/return/${paymentJob}`)
  return paymentJob
}
function refund(id: string): Promise<Response> {
  return askWith(token, 'POST', `/v2/paymentjobs/${id}/refunds`)
}
async function refundOf(id: string) {
  return (await stored(id)).instructions[0]
}
/** The PSP takes refunds, but does not answer about payments. */
function silentAboutPayments(request: Request): Promise<Response> | Response {
  return request.method === 'POST' ? world.fake.handle(request) : new Response(null, { status: 503 })
}

describe('the totals of a payment whose refund the PSP has settled', () => {
  it.each([
    ['refunded', 'done', 1250],
    ['failed', 'failed', 0],
  ] as const)('%s: the hub asks for them until the PSP shows them', async (status, state, refunded) => {
    const id = await paidJob()
    if (status === 'refunded') world.fault = silentAboutPayments
    expect((await refund(id)).status).toBe(201)
    if (status === 'failed') await vi.waitFor(async () => expect((await stored(id)).refunded).toBe(1250))
    world.fault = silentAboutPayments
    world.fake.endRefunds(id, status)
    await ringFor(id, HOUR)
    world.fault = null
    await ringFor(id, 8 * HOUR)
    expect((await refundOf(id))?.state).toBe(state)
    expect((await stored(id)).refunded).toBe(refunded)
    const { amountRefunded = '0.00' } = await readJob(token, id)
    expect(amountRefunded).toBe((refunded / 100).toFixed(2))
  })
})

it('a refund that Adyen accepted is requested once, however often the hub checks it', async () => {
  const adyen = pspWorld('adyen')
  token = await tokenFor(await posAt(adyen))
  const { paymentJob: id } = await (await create(token)).json<JobJson>()
  adyen.fake.bring(id, 'paid')
  await notifyAll(adyen, id)
  expect((await refund(id)).status).toBe(201)
  await ringFor(id, 12 * HOUR)
  expect(await refundOf(id)).toMatchObject({ state: 'pending' })
  expect(adyen.asked.filter((ask) => ask.endsWith('/refunds'))).toHaveLength(1)
})

describe('a notification of a payment that was paid long ago', () => {
  it('makes the hub ask until the PSP answers', async () => {
    const id = await paidJob()
    const { account } = await stored(id)
    const reference = await referenceOf(id)
    const notify = async (days: number) => {
      vi.setSystemTime(Date.now() + days * DAY)
      const body = new URLSearchParams({ id: reference })
      return (await send(`/notifications/${account}/${id}`, { method: 'POST', body })).status
    }
    expect(await notify(1)).toBe(200)
    expect(await notify(9)).toBe(200)
    world.fake.chargeBack(id, 1250)
    // So soon after the last answer the alarm asks later, and the PSP gets a 200.
    expect(await notify(0)).toBe(200)
    world.fault = silentAboutPayments
    await ringFor(id, MINUTE)
    world.fault = null
    await ringFor(id, 2 * DAY)
    expect((await stored(id)).chargedBack).toBe(1250)
  })
})

it('an answer to a question from before a refund, which arrives after it, takes nothing back', async () => {
  const id = await paidJob()
  vi.setSystemTime(Date.now() + HOUR)
  const { promise: arrives, resolve: letArrive } = Promise.withResolvers<void>()
  let held = 0
  world.fault = async (request) => {
    const answer = await world.fake.handle(request)
    if (request.method === 'GET' && held++ === 0) await arrives
    return answer
  }
  const looked = objectOf(id).ask({ why: 'operator' })
  await vi.waitFor(() => expect(held).toBeGreaterThan(0))
  vi.setSystemTime(Date.now() + 1000)
  expect((await refund(id)).status).toBe(201)
  letArrive()
  await looked
  await ringFor(id, MINUTE)
  const job = await readJob(token, id)
  expect(job).toMatchObject({ status: 'SUCCESS', amountRefunded: '12.50' })
  expect(job.payments.steps.map(({ action }) => action)).toEqual(['Start', 'Return', 'Statuspull', 'Refund'])
  expect((await refund(id)).status).toBe(409)
})
