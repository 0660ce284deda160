import { beforeEach, describe, expect, it, vi } from 'vitest'
import { DAY } from '../../../src/contract/timestamp.ts'
import { askWith, createJob, readJob, send, tokenFor } from '../../support/hub.ts'
import { ringFor, ringNext, stored, waitForNextPull } from '../../support/job.ts'
import { outsideWith } from '../../support/outside.ts'
import { deliver, posAt, refund } from '../../support/psp-world.ts'
import type { SentNotification } from '../../support/psps/fake-psp.ts'
import { stripeFake } from '../../support/psps/stripe.ts'

function stripeWorld() {
  return Object.assign(outsideWith(stripeFake()), { psp: 'stripe' })
}

let world: ReturnType<typeof stripeWorld>
let token: string
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
  world = stripeWorld()
  token = await tokenFor(await posAt(world))
})

async function reservedJob(): Promise<string> {
  const { paymentJob: job } = await createJob(token, { payment_method: 'creditcard', capture: 'manual' })
  world.fake.bring(job, 'paid')
  await send(`/return/${job}`)
  return job
}

async function act(job: string, what: 'captures' | 'release', body: object) {
  const response = await askWith(token, 'POST', `/v2/paymentjobs/${job}/${what}`, body)
  return { ...(await response.json<object>()), code: response.status }
}

async function tell(job: string, sent: readonly SentNotification[]): Promise<void> {
  const { account } = await stored(job)
  waitForNextPull()
  for (const notification of sent) expect((await deliver(account, notification)).status).toBe(200)
}

describe('an order at Stripe with manual capture', () => {
  it('is reserved until the card releases it', async () => {
    const job = await reservedJob()
    expect(await readJob(token, job)).toMatchObject({
      status: 'PENDING',
      amountPaid: '0.00',
      amountAuthorized: '12.50',
      captureBefore: expect.any(String) as unknown,
    })
  })

  it('is paid with the captured part, and refunded up to that', async () => {
    const job = await reservedJob()
    expect(await act(job, 'captures', { amount: '5.00' })).toMatchObject({ code: 201, status: 'SUCCESS' })
    expect(await readJob(token, job)).toMatchObject({
      status: 'SUCCESS',
      amountPaid: '5.00',
      amountReleased: '7.50',
    })
    expect((await act(job, 'captures', { amount: '1.00' })).code).toBe(409)
    expect((await refund(token, job, '5.01')).code).toBe(422)
    expect((await refund(token, job, '5.00')).code).toBe(201)
    await vi.waitFor(async () =>
      expect(await readJob(token, job)).toMatchObject({ amountRefunded: '5.00', amountReleased: '7.50' }),
    )
  })

  it('is captured once if the answer to its capture is lost, and that is found', async () => {
    vi.spyOn(console, 'warn').mockReturnValue()
    const job = await reservedJob()
    world.fault = async (request) => {
      const answer = await world.fake.handle(request)
      return request.url.endsWith('/capture') ? new Response('', { status: 502 }) : answer
    }
    expect(await act(job, 'captures', {})).toMatchObject({ code: 201, status: 'PENDING' })
    world.fault = null
    for (let rings = 0; rings < 20 && (await readJob(token, job)).status === 'PENDING'; rings++)
      await ringNext(job)
    expect(await readJob(token, job)).toMatchObject({ status: 'SUCCESS', amountPaid: '12.50' })
    expect(world.asked.filter((asked) => asked.endsWith('/capture'))).toHaveLength(1)
  })

  it('is paid with the part that was captured at Stripe by hand', async () => {
    const job = await reservedJob()
    await tell(job, await world.fake.captureThere(job, 500, true, Date.now()))
    await vi.waitFor(async () =>
      expect(await readJob(token, job)).toMatchObject({ status: 'SUCCESS', amountPaid: '5.00' }),
    )
  })

  it('is CANCELLED once it is released by the shop, or by hand at Stripe', async () => {
    const [there, here] = [await reservedJob(), await reservedJob()]
    await tell(there, await world.fake.releaseThere(there, Date.now()))
    expect((await act(here, 'release', {})).code).toBeLessThan(300)
    for (const job of [there, here])
      await vi.waitFor(async () =>
        expect(await readJob(token, job)).toMatchObject({ status: 'CANCELLED', amountReleased: '12.50' }),
      )
  })

  it('without a capture does not stay reserved', async () => {
    const job = await reservedJob()
    await ringFor(job, 8 * DAY)
    expect(['CANCELLED', 'EXPIRED']).toContain((await stored(job)).status)
    expect(world.fake.sessions().map(({ money }) => money)).toEqual(['released'])
  })
})
