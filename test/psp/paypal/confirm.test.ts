import { beforeEach, describe, expect, it, vi } from 'vitest'
import { DAY } from '../../../src/contract/timestamp.ts'
import { askWith, createJob, giveUp, readJob, send } from '../../support/hub/hub.ts'
import { ringFor, stored, waitForNextPull } from '../../support/jobs/job.ts'
import { type Fault, outsideWith } from '../../support/outside.ts'
import { notify, posAt } from '../../support/psp-world.ts'
import { type PaypalFake, paypalFake } from '../../support/psps/paypal.ts'

let fake: PaypalFake
let world: ReturnType<typeof outsideWith<PaypalFake>> & { psp: string }
let token: string
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
  fake = paypalFake()
  world = Object.assign(outsideWith(fake), { psp: 'paypal' })
  token = (await posAt(world)).apiKey
})

const confirmations = () => world.asked.filter((one) => /^POST .*\/(capture|authorize)$/.test(one))
const read = (job: string) => readJob(token, job)
const cancel = (job: string) => askWith(token, 'POST', `/v2/paymentjobs/${job}/cancel`)

async function opened(changes: object = {}): Promise<string> {
  return (await createJob(token, { order_number: crypto.randomUUID(), ...changes })).paymentJob
}

/** The customer approves the order at PayPal, which tells the hub. */
async function approve(job: string) {
  fake.bring(job, 'paid')
  waitForNextPull()
  return notify(world, job)
}

const isConfirmation = ({ method, url }: Request) => method === 'POST' && /\/orders\/\w+\/capture$/.test(url)

describe('an order at PayPal that its customer has approved', () => {
  it('is captured once, however many tell of it at the same time', async () => {
    const job = await opened()
    fake.bring(job, 'paid')
    await Promise.all([
      notify(world, job),
      send(`/return/${job}`),
      notify(world, job),
      send(`/return/${job}`),
    ])
    await vi.waitFor(async () =>
      expect(await read(job)).toMatchObject({ status: 'SUCCESS', amountPaid: '12.50' }),
    )
    expect(confirmations()).toEqual([`POST /v2/checkout/orders/${fake.of(job).id}/capture`])
  })

  it('is not captured before that', async () => {
    const job = await opened()
    await send(`/return/${job}`)
    expect(await read(job)).toMatchObject({ status: 'PENDING', amountPaid: '0.00' })
    expect(confirmations()).toEqual([])
  })

  it('is authorised instead if its shop captures by itself', async () => {
    const job = await opened({ payment_method: 'paypal', capture: 'manual' })
    await approve(job)
    expect(await read(job)).toMatchObject({
      status: 'PENDING',
      amountAuthorized: '12.50',
      amountPaid: '0.00',
    })
    expect(confirmations()).toEqual([`POST /v2/checkout/orders/${fake.of(job).id}/authorize`])
  })

  it('is not captured if the shop has cancelled the job', async () => {
    const job = await opened()
    expect((await cancel(job)).status).toBe(200)
    expect(await read(job)).toMatchObject({ status: 'CANCELLED' })
    await approve(job)
    await ringFor(job, 40 * DAY)
    expect(await read(job)).toMatchObject({ status: 'CANCELLED', amountPaid: '0.00' })
    expect(confirmations()).toEqual([])
  })

  it('is not captured if the customer gave up', async () => {
    const job = await opened()
    await giveUp(`/return/${job}?cancelled=1`)
    await approve(job)
    expect(await read(job)).toMatchObject({ status: 'CANCELLED', amountPaid: '0.00' })
    expect(confirmations()).toEqual([])
  })

  it('is not captured if the shop cancels the job while the hub asks about it', async () => {
    const job = await opened()
    fake.bring(job, 'paid')
    const { promise: held, resolve: answer } = Promise.withResolvers<void>()
    const asked = Promise.withResolvers<void>()
    world.fault = async (request) => {
      asked.resolve()
      await held
      return fake.handle(request)
    }
    const told = send(`/return/${job}`)
    await asked.promise
    const cancelled = cancel(job)
    await vi.waitFor(async () => expect((await stored(job)).cancel).not.toBeNull())
    answer()
    world.fault = null
    await Promise.all([told, cancelled])
    expect(await read(job)).toMatchObject({ status: 'CANCELLED', amountPaid: '0.00' })
    expect(confirmations()).toEqual([])
  })

  it('stays open if the bank declines, and is paid once the customer has chosen another way', async () => {
    const job = await opened()
    fake.bring(job, 'paid')
    fake.of(job).refusal = 'INSTRUMENT_DECLINED'
    await notify(world, job)
    expect(await read(job)).toMatchObject({ status: 'PENDING', amountPaid: '0.00' })
    fake.of(job).refusal = null
    waitForNextPull()
    await notify(world, job)
    expect(await read(job)).toMatchObject({ status: 'SUCCESS', amountPaid: '12.50' })
  })

  it('has failed if PayPal refuses it for good, in its words', async () => {
    const job = await opened()
    fake.bring(job, 'failed')
    await notify(world, job)
    expect(await read(job)).toMatchObject({
      status: 'FAILURE',
      error: expect.stringContaining('PAYER_ACCOUNT_RESTRICTED') as string,
    })
  })

  it('whose capture was carried out, but its answer lost, is found paid', async () => {
    vi.spyOn(console, 'warn').mockReturnValue()
    const job = await opened()
    const loses: Fault = async (request) => {
      const answer = await fake.handle(request)
      return isConfirmation(request) ? new Response('', { status: 502 }) : answer
    }
    world.fault = loses
    await approve(job)
    expect(await read(job)).toMatchObject({ status: 'PENDING' })
    world.fault = null
    waitForNextPull()
    await notify(world, job)
    expect(await read(job)).toMatchObject({ status: 'SUCCESS', amountPaid: '12.50' })
    expect(confirmations()).toHaveLength(1)
  })

  it.each([
    ['COMPLETED', { status: 'SUCCESS', amountPaid: '12.50' }],
    ['DECLINED', { status: 'FAILURE', amountPaid: '0.00' }],
  ])('whose capture is pending waits for it; it may be %s', async (end, shown) => {
    fake.manner.captures = 'PENDING'
    const job = await opened()
    await approve(job)
    expect(await read(job)).toMatchObject({ status: 'PENDING', amountPaid: '0.00' })
    expect((await cancel(job)).status).toBe(409)
    fake.settle(job, 'captures', end)
    waitForNextPull()
    await notify(world, job)
    expect(await read(job)).toMatchObject(shown)
  })
})
