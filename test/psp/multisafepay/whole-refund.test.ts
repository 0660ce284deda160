import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { DAY, HOUR } from '../../../src/contract/timestamp.ts'
import { createJob, readJob, send, tokenFor } from '../../support/hub/hub.ts'
import { ringFor, ringNext, stored, waitForNextPull } from '../../support/jobs/job.ts'
import { outsideWith } from '../../support/outside.ts'
import { notify, posAt, refund, refundsOf } from '../../support/psp-world.ts'
import { multisafepayFake } from '../../support/psps/multisafepay.ts'

function multisafepayWorld() {
  return Object.assign(outsideWith(multisafepayFake()), { psp: 'multisafepay' })
}

let world: ReturnType<typeof multisafepayWorld>
let token: string
beforeAll(async () => {
  token = await tokenFor(await posAt(multisafepayWorld()))
})
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
  world = multisafepayWorld()
})

/** Rings the job's alarms until its only refund has this status. */
async function ringUntil(job: string, status: string): Promise<void> {
  for (let rings = 0; rings < 40; rings++) {
    if ((await refundsOf(token, job))[0]?.status === status) return
    await ringNext(job)
  }
  throw new Error(`the refund of ${job} is not ${status}`)
}

async function paidJob(): Promise<string> {
  const { paymentJob: job } = await createJob(token)
  world.fake.bring(job, 'paid')
  await send(`/return/${job}`)
  expect((await readJob(token, job)).status).toBe('SUCCESS')
  return job
}

describe('a refund at MultiSafepay', () => {
  it('of the same amount within five minutes waits, and is made later, once', async () => {
    const job = await paidJob()
    await refund(token, job, '5.00')
    expect(await refund(token, job, '5.00')).toMatchObject({
      code: 201,
      status: 'PENDING',
      error: expect.stringContaining('1034'),
    })
    expect((await refund(token, job, '2.51')).code).toBe(422)
    await ringFor(job, HOUR)
    expect(world.fake.related(job)).toMatchObject([{ amount: 500 }, { amount: 500 }])
    expect(await refundsOf(token, job)).toMatchObject([{ error: null }, { status: 'PENDING', error: null }])
  })

  it('that is refused like that three times has failed', async () => {
    const job = await paidJob()
    world.fault = (request) =>
      request.method === 'POST'
        ? Response.json({ success: false, error_code: 1034, error_info: 'Cannot refund transaction' })
        : world.fake.handle(request)
    expect(await refund(token, job, '5.00')).toMatchObject({ code: 201, status: 'PENDING' })
    await ringUntil(job, 'FAILURE')
    expect(world.asked.filter((asked) => asked.endsWith(`${job}/refunds`))).toHaveLength(3)
  })

  it('whose answer was lost has not failed while MultiSafepay lists it with an amount that cannot be read', async () => {
    const job = await paidJob()
    world.fault = async (request) => {
      const answer = await world.fake.handle(request)
      if (request.method === 'POST') return new Response('', { status: 502 })
      return new Response((await answer.text()).replaceAll('"amount":500,', '"amount":"500",'), answer)
    }
    const { refund: id } = await refund(token, job, '5.00')
    expect(world.fake.related(job)).toMatchObject([{ amount: 500, refund_order_id: id }])
    await ringFor(job, HOUR)
    expect(await refundsOf(token, job)).toMatchObject([{ status: 'PENDING', error: null }])
    world.fault = null
    world.fake.endRefund(job, id, 'completed')
    await ringUntil(job, 'SUCCESS')
  })

  it('that is declined has failed', async () => {
    const job = await paidJob()
    const { refund: id } = await refund(token, job, '5.00')
    world.fake.endRefund(job, id, 'declined')
    await ringUntil(job, 'FAILURE')
    expect(await readJob(token, job)).not.toHaveProperty('amountRefunded')
  })
})

/** https://docs.multisafepay.com/docs/manual-capture */
describe('an order at MultiSafepay that becomes void with its transaction', () => {
  it('is CANCELLED if its money was only reserved, and its shop gets no report that it was paid', async () => {
    const { paymentJob: job } = await createJob(token, { payment_method: 'creditcard', capture: 'manual' })
    world.fake.bring(job, 'paid')
    await send(`/return/${job}`)
    expect((await readJob(token, job)).status).toBe('PENDING')
    world.fake.set(job, 'void', 'void')
    waitForNextPull()
    await notify(world, job)
    const ended = await readJob(token, job)
    expect(ended).toMatchObject({ status: 'CANCELLED', amountPaid: '0.00' })
    expect(ended).not.toHaveProperty('amountChargedBack')
    await vi.waitFor(() => expect(world.reportsOf(job)).toEqual(['CANCELLED']), 15_000)
  })

  it('counts as charged back if it had been paid', async () => {
    const job = await paidJob()
    world.fake.set(job, 'void', 'void')
    waitForNextPull()
    await notify(world, job)
    expect(await readJob(token, job)).toMatchObject({ status: 'SUCCESS', amountChargedBack: '12.50' })
  })
})

/** An account that reserves cards captures nothing itself, and older hubs did not capture either. */
describe('an order at MultiSafepay that is reserved although it should be captured at once', () => {
  async function reservedJob(paid: (job: string) => void): Promise<string> {
    const { paymentJob: job } = await createJob(token, { payment_method: 'creditcard' })
    world.fake.set(job, 'completed', 'initialized')
    paid(job)
    await send(`/return/${job}`)
    await vi.waitFor(async () => expect((await readJob(token, job)).status).toBe('SUCCESS'), 15_000)
    return job
  }

  it('is captured by the hub, once', async () => {
    const job = await reservedJob(() => {})
    expect(await readJob(token, job)).toMatchObject({ amountPaid: '12.50' })
    expect(world.asked.filter((asked) => asked.endsWith(`${job}/capture`))).toHaveLength(1)
  })

  it('is captured up to what is left if the shop captured a part by hand, and refunded part by part', async () => {
    const job = await reservedJob((id) => world.fake.captureByHand(id, 500))
    expect(world.fake.related(job).map(({ amount }) => amount)).toEqual([500, 750])
    const { refund: id } = await refund(token, job, '7.00')
    world.fake.endRefund(job, id, 'completed')
    await ringUntil(job, 'SUCCESS')
    expect(await readJob(token, job)).toMatchObject({ amountPaid: '12.50', amountRefunded: '7.00' })
  })
})

describe('a bank transfer at MultiSafepay', () => {
  it('is not stopped after a day, and is paid when the money comes', async () => {
    const { paymentJob: job } = await createJob(token, { payment_method: 'banktransfer' })
    world.fake.begin(job, 'BANKTRANS')
    await send(`/return/${job}`)
    const created = Date.now()
    while (Date.now() < created + 5 * DAY) await ringNext(job)
    expect(world.asked.filter((asked) => asked === `PATCH /v1/json/orders/${job}`)).toEqual([])
    expect((await stored(job)).status).toBe('PENDING')
    world.fake.bring(job, 'paid')
    await ringNext(job)
    expect((await stored(job)).status).toBe('SUCCESS')
  })
})
