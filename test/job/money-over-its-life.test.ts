import { beforeEach, describe, expect, it, vi } from 'vitest'
import { DAY, HOUR } from '../../src/contract/timestamp.ts'
import { why } from '../../src/job/core/why.ts'
import { type JobJson, create, location, order, readJob, send, giveUp } from '../support/hub/hub.ts'
import { referenceOf, ringFor, ringUntilFinal, stored } from '../support/jobs/job.ts'
import { liveShop } from '../support/shops/live-pos.ts'
import { mollieProblem } from '../support/psps/mollie-payment.ts'

const shop = liveShop()
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: Date.now() }))

async function openJob(changes: object = {}): Promise<string> {
  return (await (await create(shop.token, { ...order, ...changes })).json<JobJson>()).paymentJob
}
function requestCount(verb: string): number {
  return shop.world.asked.filter((ask) => ask.startsWith(verb)).length
}
async function stagesOf(id: string) {
  return (await readJob(shop.token, id)).payments.steps.map((step) => ('stage' in step ? step.stage : 'open'))
}
async function notify(id: string): Promise<number> {
  const { account } = await stored(id)
  const body = new URLSearchParams({ id: await referenceOf(id) })
  return (await send(`/notifications/${account}/${id}`, { method: 'POST', body })).status
}

describe('money that is under way', () => {
  const underway = async (): Promise<string> => {
    const id = await openJob({ payment_method: 'banktransfer' })
    shop.world.fake.setStatusOf(id, 'pending')
    await send(`/return/${id}`)
    return id
  }

  it('makes payUrl lead to the shop at once, and not to a second payment', async () => {
    const id = await underway()
    expect(location(await send(`/return/${id}`))).toBe('https://shop.nl/thanks?order=7')
    const page = await send(`/pay/${id}`)
    expect(page.status).toBe(200)
    expect(await page.text()).toContain('<h1>Je betaling wordt verwerkt</h1>')
  })

  it('is never stopped, waits for days, and is SUCCESS when it arrives', async () => {
    const id = await underway()
    await ringFor(id, 9 * DAY)
    expect((await stored(id)).status).toBe('PENDING')
    expect(requestCount('DELETE')).toBe(0)
    shop.world.fake.setStatusOf(id, 'paid')
    expect((await ringUntilFinal(id)).status).toBe('SUCCESS')
    vi.useRealTimers()
    await vi.waitFor(() => expect(shop.world.reportsOf(id)).toEqual(['SUCCESS']))
  })

  it('does not end if a customer comes back to cancel', async () => {
    const id = await underway()
    vi.setSystemTime(Date.now() + HOUR)
    await giveUp(`/return/${id}?cancelled=1`)
    expect(requestCount('DELETE')).toBe(0)
    expect((await readJob(shop.token, id)).status).toBe('PENDING')
  })
})

describe('money that is reserved', () => {
  it('is captured by the hub, and SUCCESS only after that', async () => {
    const id = await openJob()
    shop.world.fake.setStatusOf(id, 'authorized')
    await send(`/return/${id}`)
    expect(shop.world.asked.some((ask) => ask.startsWith('POST') && ask.endsWith('/captures'))).toBe(true)
    expect(await readJob(shop.token, id)).toMatchObject({ status: 'SUCCESS', amountPaid: '12.50' })
    expect(await stagesOf(id)).toEqual(['open', 'authorized', 'open'])
  })

  it('stays PENDING while the PSP does not take the capture, and the hub tries again', async () => {
    const id = await openJob()
    shop.world.fake.setStatusOf(id, 'authorized')
    shop.world.fault = (request) =>
      request.method === 'POST' ? new Response(null, { status: 503 }) : shop.world.fake.handle(request)
    await send(`/return/${id}`)
    expect(await readJob(shop.token, id)).toMatchObject({ status: 'PENDING', amountPaid: '0.00' })
    expect(await stagesOf(id)).toEqual(['open', 'authorized'])
    expect(why(await stored(id), Date.now()).main.cause).toBe('capture-pending')
    shop.world.fault = null
    expect((await ringUntilFinal(id)).status).toBe('SUCCESS')
    expect(requestCount('DELETE')).toBe(0)
  })
})

it('reserved money waits for an operator if the PSP refuses the account’s capture', async () => {
  const id = await openJob()
  shop.world.fake.setStatusOf(id, 'authorized')
  let isRefused = false
  shop.world.fault = (request) => {
    isRefused ||= request.method === 'POST'
    return isRefused ? mollieProblem(401, 'Unauthorized Request', 'No key') : shop.world.fake.handle(request)
  }
  await send(`/return/${id}`)
  expect(await stagesOf(id)).toEqual(['open', 'authorized'])
  expect(why(await stored(id), Date.now()).main.cause).toBe('psp-refuses-credentials')
  await ringFor(id, 3 * DAY)
  expect((await stored(id)).status).toBe('PENDING')
  shop.world.fault = null
  expect((await ringUntilFinal(id)).status).toBe('SUCCESS')
})

describe('money that comes after the end', () => {
  it('is found without a notification if the PSP’s word was not final', async () => {
    const id = await openJob({ payment_method: 'banktransfer' })
    shop.world.fake.setStatusOf(id, 'expired')
    await ringUntilFinal(id)
    shop.world.fake.setStatusOf(id, 'paid')
    await ringFor(id, 2 * HOUR)
    expect(await stored(id)).toMatchObject({ status: 'SUCCESS', late: true })
    vi.useRealTimers()
    await vi.waitFor(() => expect(shop.world.reportsOf(id).at(-1)).toBe('SUCCESS'))
  })
})

describe('a payment that the PSP does not know', () => {
  const unknown = () =>
    Response.json({ status: 404, title: 'Not Found', detail: 'No payment exists' }, { status: 404 })

  it('needs another notification: the PSP gets no 200', async () => {
    const id = await openJob()
    shop.world.fault = unknown
    expect(await notify(id)).toBe(503)
    shop.world.fault = null
    shop.world.fake.setStatusOf(id, 'paid')
    vi.setSystemTime(Date.now() + HOUR)
    expect(await notify(id)).toBe(200)
    expect((await readJob(shop.token, id)).status).toBe('SUCCESS')
  })
})

it.each([
  ['the customer and a notification', true],
  ['a notification', false],
])('money that goes back right after it came, as %s said, is reported by the next one', async (_, isBack) => {
  const id = await openJob()
  shop.world.fake.setStatusOf(id, 'paid')
  if (isBack) await send(`/return/${id}`)
  expect(await notify(id)).toBe(200)
  shop.world.fake.chargeBack(id, 300)
  expect(await notify(id)).toBe(200)
  await ringFor(id, 60_000)
  expect(await readJob(shop.token, id)).toMatchObject({ status: 'SUCCESS', amountChargedBack: '3.00' })
  shop.world.fake.chargeBack(id, 0)
  expect(await notify(id)).toBe(200)
  await ringFor(id, 60_000)
  expect(await readJob(shop.token, id)).not.toHaveProperty('amountChargedBack')
})

describe('the stop at the end of a job', () => {
  it('is made once more if the payment is found open after three days without a confirmation', async () => {
    const id = await openJob()
    shop.world.fault = (request) =>
      request.method === 'DELETE' ? new Response(null, { status: 500 }) : shop.world.fake.handle(request)
    await ringUntilFinal(id)
    shop.world.fault = null
    await ringFor(id, 2 * HOUR)
    expect(shop.world.fake.payments.find(({ job }) => job === id)?.status).toBe('canceled')
    expect((await stored(id)).status).toBe('EXPIRED')
  })
})
