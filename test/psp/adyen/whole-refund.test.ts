import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { DAY, HOUR } from '../../../src/contract/timestamp.ts'
import { type Pos, createJob, readJob, send, tokenFor } from '../../support/hub/hub.ts'
import { ringFor, stored, waitForNextPull } from '../../support/jobs/job.ts'
import { type Fault, outsideWith } from '../../support/outside.ts'
import { deliver, notify, posAt, refund, refundsOf } from '../../support/psp-world.ts'
import { adyenFake } from '../../support/psps/adyen.ts'
import type { SentNotification } from '../../support/psps/fake-psp.ts'

function adyenWorld() {
  return Object.assign(outsideWith(adyenFake()), { psp: 'adyen' })
}

let world: ReturnType<typeof adyenWorld>
let pos: Pos
let token: string
beforeAll(async () => {
  pos = await posAt(adyenWorld())
  token = await tokenFor(pos)
})
beforeEach(() => {
  world = adyenWorld()
})

async function tell(job: string, sent: Promise<SentNotification>): Promise<void> {
  const { account } = await stored(job)
  expect((await deliver(account, await sent)).status).toBe(200)
}

async function paidJob(): Promise<string> {
  const { paymentJob: job } = await createJob(token)
  world.fake.bring(job, 'paid')
  expect(await notify(world, job)).toEqual([200])
  expect((await readJob(token, job)).status).toBe('SUCCESS')
  return job
}

/** Adyen carries out the request, and its answer is lost. */
const answerLost: Fault = async (request) => {
  await world.fake.handle(request)
  return new Response('', { status: 502 })
}
const unreachable: Fault = () => Promise.reject(new TypeError('network'))

/** A paid job whose refund is requested while Adyen cannot be reached, for a time (ms). */
async function lostRefund(outage: number): Promise<string> {
  const job = await paidJob()
  vi.spyOn(console, 'warn').mockReturnValue()
  world.fault = unreachable
  await refund(token, job, '5.00')
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
  await ringFor(job, outage)
  world.fault = null
  return job
}

describe('a refund at Adyen', () => {
  it('is pending until a notification reports its end, and is reported once', async () => {
    const job = await paidJob()
    expect(await refund(token, job, '5.00')).toMatchObject({ code: 201, status: 'PENDING', amount: '5.00' })
    const [held] = world.fake.refunds()
    expect(held).toMatchObject({ amount: { currency: 'EUR', value: 500 } })
    for (const _ of [1, 2]) await tell(job, world.fake.tellRefund(held?.pspReference ?? ''))
    expect(await refundsOf(token, job)).toMatchObject([{ status: 'SUCCESS', error: null }])
    expect(await readJob(token, job)).toMatchObject({ status: 'SUCCESS', amountRefunded: '5.00' })
    await tell(job, world.fake.tellRefund(held?.pspReference ?? '', { eventCode: 'REFUND_FAILED' }))
    expect(await refundsOf(token, job)).toMatchObject([{ status: 'FAILURE' }])
    expect(await readJob(token, job)).not.toHaveProperty('amountRefunded')
  })

  it('whose answer is lost is made once, although shop and hub ask again, and is settled by its notification', async () => {
    const job = await paidJob()
    const key = crypto.randomUUID()
    vi.spyOn(console, 'warn').mockReturnValue()
    world.fault = answerLost
    expect(await refund(token, job, '5.00', key)).toMatchObject({ code: 201, status: 'PENDING' })
    world.fault = null
    expect(await refund(token, job, '5.00', key)).toMatchObject({ code: 201, status: 'PENDING' })
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
    await ringFor(job, HOUR)
    const [held] = world.fake.refunds()
    expect((await stored(job)).instructions).toMatchObject([{ state: 'pending', pspId: held?.pspReference }])
    await tell(job, world.fake.tellRefund(held?.pspReference ?? ''))
    expect(await refundsOf(token, job)).toMatchObject([{ status: 'SUCCESS' }])
    expect(world.fake.refunds()).toHaveLength(1)
  })

  it('that never reached Adyen reaches it when the hub asks again', async () => {
    const job = await paidJob()
    vi.spyOn(console, 'warn').mockReturnValue()
    world.fault = unreachable
    expect(await refund(token, job, '5.00')).toMatchObject({ code: 201, status: 'PENDING' })
    world.fault = null
    expect(world.fake.refunds()).toEqual([])
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
    await ringFor(job, HOUR)
    expect(world.fake.refunds()).toMatchObject([{ amount: { currency: 'EUR', value: 500 } }])
    await tell(job, world.fake.tellRefund(world.fake.refunds()[0]?.pspReference ?? ''))
    expect(await refundsOf(token, job)).toMatchObject([{ status: 'SUCCESS' }])
  })

  it.each([8 * HOUR, 20 * HOUR, 6 * DAY])(
    'that was lost in an outage of %i ms is made after it: Adyen still knows the key',
    async (outage) => {
      const job = await lostRefund(outage)
      await ringFor(job, DAY)
      expect(world.fake.refunds()).toHaveLength(1)
    },
  )

  it('that was lost in an outage of eight days is never made, fails, and can be requested again', async () => {
    const job = await lostRefund(8 * DAY)
    await ringFor(job, 5 * DAY)
    expect(world.fake.refunds()).toEqual([])
    expect((await stored(job)).instructions).toMatchObject([{ state: 'asking' }])
    await ringFor(job, DAY + HOUR)
    const later = await tokenFor(pos)
    expect(await refundsOf(later, job)).toMatchObject([
      { status: 'FAILURE', error: expect.stringMatching(/never said what became of the refund/) },
    ])
    expect(await refund(later, job, '12.50')).toMatchObject({ code: 201 })
    expect(world.fake.refunds()).toHaveLength(1)
  })

  it('of uncaptured money is requested again, under another key, and made', async () => {
    const job = await paidJob()
    const early = { success: 'false', reason: "Transaction hasn't been captured, refund not possible" }
    expect(await refund(token, job, '5.00')).toMatchObject({ code: 201, status: 'PENDING' })
    const told = world.fake.tellRefund(world.fake.refunds()[0]?.pspReference ?? '', early)
    for (const _ of [1, 2]) await tell(job, told)
    expect(await refundsOf(token, job)).toMatchObject([
      { status: 'PENDING', error: `Adyen says: ${early.reason}` },
    ])
    expect((await refund(token, job, '12.50')).code).toBe(422)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
    await ringFor(job, HOUR)
    expect(world.fake.refunds()).toHaveLength(2)
    await tell(job, told)
    expect(await refundsOf(token, job)).toMatchObject([{ status: 'PENDING', error: null }])
    await tell(job, world.fake.tellRefund(world.fake.refunds()[1]?.pspReference ?? ''))
    expect(await refundsOf(token, job)).toMatchObject([{ status: 'SUCCESS' }])
    expect(await readJob(token, job)).toMatchObject({ amountRefunded: '5.00' })
  })

  it('that is never captured has failed after a day or two', async () => {
    const job = await paidJob()
    const early = { success: 'false', reason: "Transaction hasn't been captured, refund not possible" }
    await refund(token, job, '5.00')
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
    for (let round = 0; round < 5; round++) {
      expect((await stored(job)).instructions).toMatchObject([{ state: 'pending' }])
      await tell(job, world.fake.tellRefund(world.fake.refunds().at(-1)?.pspReference ?? '', early))
      await ringFor(job, 30 * HOUR)
    }
    expect((await stored(job)).instructions).toMatchObject([{ state: 'failed' }])
    expect(world.fake.refunds()).toHaveLength(5)
  })

  it('of a gift card and a card goes back to each separately', async () => {
    const { paymentJob: job } = await createJob(token)
    for (const [pspReference, value] of [
      ['GIFT', 1000],
      ['CARD', 250],
    ] as const)
      await tell(job, world.fake.tell(job, { pspReference, amount: { currency: 'EUR', value } }))
    world.fake.bring(job, 'paid')
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
    waitForNextPull()
    await send(`/return/${job}`)
    expect((await readJob(token, job)).status).toBe('SUCCESS')
    const whole = await refund(token, job, '12.50')
    expect([whole.code, whole.detail]).toEqual([422, expect.stringContaining('at most 10.00')])
    for (const amount of ['9.00', '2.50', '1.00'])
      expect(await refund(token, job, amount)).toMatchObject({ code: 201, status: 'PENDING' })
    expect(
      world.fake.refunds().map(({ paymentPspReference, amount }) => [paymentPspReference, amount.value]),
    ).toEqual([
      ['GIFT', 900],
      ['CARD', 250],
      ['GIFT', 100],
    ])
    expect((await refund(token, job, '0.01')).code).toBe(409)
  })

  it('that Adyen refuses later has failed, and takes nothing back of another one', async () => {
    const job = await paidJob()
    await refund(token, job, '5.00')
    await refund(token, job, '3.00')
    const [first, second] = world.fake.refunds()
    await tell(job, world.fake.tellRefund(first?.pspReference ?? ''))
    const refused = { success: 'false', reason: 'Insufficient balance on payment' }
    await tell(job, world.fake.tellRefund(second?.pspReference ?? '', refused))
    expect(await refundsOf(token, job)).toMatchObject([
      { status: 'SUCCESS' },
      { status: 'FAILURE', error: 'Adyen says: Insufficient balance on payment' },
    ])
    expect(await readJob(token, job)).toMatchObject({ amountRefunded: '5.00' })
  })

  it('is refused until a notification has named the payment, and accepted after that', async () => {
    const { paymentJob: job } = await createJob(token)
    world.fake.bring(job, 'paid')
    await send(`/return/${job}`)
    expect((await readJob(token, job)).status).toBe('SUCCESS')
    const early = await refund(token, job, '5.00')
    expect(early.code).toBeGreaterThanOrEqual(400)
    expect(early.detail).toContain('Try again later')
    await notify(world, job)
    expect(await refund(token, job, '12.50')).toMatchObject({ code: 201, status: 'PENDING' })
  })
})

describe("Adyen's news about a payment", () => {
  it('makes a chargeback when money is charged back, until that is reversed', async () => {
    const job = await paidJob()
    await tell(job, world.fake.tell(job, { eventCode: 'CHARGEBACK', pspReference: 'D1' }))
    expect(await readJob(token, job)).toMatchObject({ status: 'SUCCESS', amountChargedBack: '12.50' })
    await tell(job, world.fake.tell(job, { eventCode: 'CHARGEBACK_REVERSED', pspReference: 'D1' }))
    expect(await readJob(token, job)).not.toHaveProperty('amountChargedBack')
  })

  it.each([
    [['CHARGEBACK', 'CHARGEBACK_REVERSED', 'SECOND_CHARGEBACK'], '12.50'],
    [['CHARGEBACK', 'SECOND_CHARGEBACK'], '12.50'],
    [['SECOND_CHARGEBACK', 'CHARGEBACK'], '12.50'],
    [['SECOND_CHARGEBACK'], '12.50'],
    [['CHARGEBACK', 'SECOND_CHARGEBACK', 'PREARBITRATION_WON'], undefined],
    [['CHARGEBACK', 'SCHEME_ARBITRATION_WON'], undefined],
    [['CHARGEBACK', 'CHARGEBACK of another dispute'], '12.50'],
  ])('with a dispute by %j takes %s, never more than was paid', async (events, back) => {
    const job = await paidJob()
    for (const event of events) {
      const [eventCode = '', ...of] = event.split(' ')
      await tell(job, world.fake.tell(job, { eventCode, pspReference: `D${of.length}` }))
    }
    expect((await readJob(token, job)).amountChargedBack).toBe(back)
  })

  it('of another system is accepted, because one webhook serves the whole merchant account', async () => {
    const job = await paidJob()
    const asked = world.asked.length
    const { account } = await stored(job)
    const sent = await world.fake.tell(job, { merchantReference: 'order 7 of the old web shop' })
    const answer = await deliver(account, sent)
    expect([answer.status, await answer.text()]).toEqual([200, '[accepted]'])
    expect(world.asked).toHaveLength(asked)
  })

  it('with an attempt that was closed ends nothing: the link can still be paid', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
    const { paymentJob: job } = await createJob(token)
    await tell(job, world.fake.tell(job, { eventCode: 'OFFER_CLOSED', originalReference: '' }))
    expect((await readJob(token, job)).status).toBe('PENDING')
    world.fake.bring(job, 'paid')
    waitForNextPull()
    await send(`/return/${job}`)
    expect((await readJob(token, job)).status).toBe('SUCCESS')
  })
})
