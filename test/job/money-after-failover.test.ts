import { chargeBackTo } from '../support/psps/mollie-money-back.ts'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { HOUR } from '../../src/contract/timestamp.ts'
import { createJob, makePos, readJob, send, tokenFor } from '../support/hub/hub.ts'
import { ringFor, stored } from '../support/jobs/job.ts'
import { outside } from '../support/shops/live-pos.ts'
import { outsideWith } from '../support/outside.ts'
import { addAccount, deliver, pspWorld, refund, route } from '../support/psp-world.ts'
import { multisafepayFake } from '../support/psps/multisafepay.ts'

type Account = { apiKey: string }

let world: ReturnType<typeof outside>
let token: string
beforeEach(() => {
  world = outside()
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
})

describe('after a failover', () => {
  /** Makes a job of two accounts at one PSP: the first takes the order, but its answer is lost. */
  const failedOver = async (): Promise<string> => {
    const shop = await makePos({ mode: 'live' })
    const [first, second] = world.fake.accounts as readonly [Account, Account]
    const at = { fake: world.fake, psp: 'mollie' }
    await route(shop, '*', await addAccount(at, 0), await addAccount(at, 1))
    token = await tokenFor(shop)
    world.fault = async (request) => {
      const isFirst = request.headers.get('authorization') === `Bearer ${first.apiKey}`
      if (!isFirst) return anotherPayment(request, second.apiKey)
      await world.fake.handle(request)
      return new Response(null, { status: 502 })
    }
    const { paymentJob } = await createJob(token)
    world.fault = null
    return paymentJob
  }
  /** The other account does not know the first one’s idempotency keys. */
  const anotherPayment = (request: Request, apiKey: string): Promise<Response> => {
    const headers = new Headers(request.headers)
    headers.set('idempotency-key', `${headers.get('idempotency-key')} at ${apiKey}`)
    return world.fake.handle(new Request(request, { headers }))
  }
  const paymentsOf = (id: string) => world.fake.payments.filter(({ job }) => job === id)
  const paid = (id: string, place: 0 | 1): void => {
    const payment = paymentsOf(id)[place]
    if (payment) payment.status = 'paid'
  }

  it('money that arrives there counts for the job, whose own link is then closed', async () => {
    const id = await failedOver()
    paid(id, 0)
    await ringFor(id, HOUR)
    expect(await stored(id)).toMatchObject({ status: 'SUCCESS', paid: 1250 })
    expect(paymentsOf(id).map(({ status }) => status)).toEqual(['paid', 'canceled'])
  })

  it('money that arrived there can be refunded there, and the job shows what goes back there', async () => {
    const id = await failedOver()
    paid(id, 0)
    await ringFor(id, HOUR)
    const [first, second] = paymentsOf(id)
    expect((await refund(token, id, '5.00')).code).toBe(201)
    expect([first?.refunds.length, second?.refunds.length]).toEqual([1, 0])
    for (const each of first?.refunds ?? []) each.status = 'refunded'
    await ringFor(id, HOUR)
    if (first) chargeBackTo(first, 200)
    const { pathname } = new URL(first?.request.webhookUrl ?? '')
    await send(pathname, { method: 'POST', body: new URLSearchParams({ id: first?.id ?? '' }) })
    expect(await readJob(token, id)).toMatchObject({
      status: 'SUCCESS',
      amountRefunded: '5.00',
      amountChargedBack: '2.00',
    })
    expect(await refund(token, id, '5.51')).toMatchObject({ code: 422, error: 'must be at most 5.50' })
  })

  it('unsigned notifications about it make the hub ask there 120 times an hour at most', async () => {
    const id = await failedOver()
    const { pathname } = new URL(paymentsOf(id)[0]?.request.webhookUrl ?? '')
    world.fault = () => new Response(null, { status: 503 })
    world.asked.splice(0)
    for (let times = 0; times < 130; times++) {
      // Slower than the pace of the account.
      vi.setSystemTime(Date.now() + 50)
      await send(pathname, { method: 'POST', body: new URLSearchParams({ id: 'tr_unknown' }) })
    }
    expect(world.asked.filter((ask) => ask.startsWith('POST'))).toHaveLength(120)
  })

  it('money that is under way there is not touched', async () => {
    const id = await failedOver()
    const [first] = paymentsOf(id)
    if (first) first.status = 'pending'
    await ringFor(id, HOUR)
    expect(world.asked.filter((ask) => ask === `DELETE /v2/payments/${first?.id}`)).toEqual([])
  })
})

describe('a notification about a payment that the hub does not know, at an account that did not answer', () => {
  /** Only this notification of Adyen has the reference that refunds need. */
  const notified = async (fault: () => Response | null) => {
    const adyen = pspWorld('adyen')
    const shop = await makePos({ mode: 'live' })
    const account = await addAccount(adyen, 0)
    await route(shop, '*', account, await addAccount(adyen, 1))
    let orders = 0
    adyen.fault = async (request) => {
      const answer = await adyen.fake.handle(request)
      return orders++ === 0 ? new Response(null, { status: 502 }) : answer
    }
    token = await tokenFor(shop)
    const { paymentJob: id } = await createJob(token)
    adyen.fake.bring(id, 'paid')
    const [told] = await adyen.fake.notify(id, Date.now())
    if (!told) throw new Error('Adyen told nothing')
    adyen.fault = (request) => fault() ?? adyen.fake.handle(request)
    return { id, notify: async () => (await deliver(account, told)).status }
  }

  it('brings what a refund there needs', async () => {
    const { id, notify } = await notified(() => null)
    expect(await notify()).toBe(200)
    expect(await readJob(token, id)).toMatchObject({ status: 'SUCCESS', amountPaid: '12.50' })
    expect((await refund(token, id, '12.50')).code).toBe(201)
  })

  it('is not acknowledged before the account says that it has the payment', async () => {
    let isDown = true
    const { id, notify } = await notified(() => (isDown ? new Response(null, { status: 503 }) : null))
    expect(await notify()).toBe(503)
    isDown = false
    vi.setSystemTime(Date.now() + HOUR)
    expect(await notify()).toBe(200)
    expect((await refund(token, id, '12.50')).code).toBe(201)
  })
})

it('two accounts whose PSP gives both payments the id of the job as reference are kept apart', async () => {
  const fake = multisafepayFake()
  const msp = outsideWith(fake)
  const shop = await makePos({ mode: 'live' })
  const at = { fake, psp: 'multisafepay' }
  await route(shop, '*', await addAccount(at, 0), await addAccount(at, 1))
  const [first] = fake.accounts as readonly [Account, Account]
  msp.fault = async (request) => {
    const answer = await fake.handle(request)
    return request.headers.get('api_key') === first.apiKey ? new Response(null, { status: 502 }) : answer
  }
  token = await tokenFor(shop)
  const { paymentJob: id } = await createJob(token)
  msp.fault = null
  const [passedOver, own] = fake.orders().filter(({ order }) => order.order_id === id)
  Object.assign(passedOver ?? {}, { status: 'uncleared', financialStatus: 'uncleared' })
  await ringFor(id, HOUR)
  Object.assign(own ?? {}, { status: 'completed', financialStatus: 'completed' })
  await send(`/return/${(await stored(id)).link}`)
  for (const notification of await fake.notify(id, Date.now())) await deliver('', notification)
  await ringFor(id, HOUR)
  expect(await stored(id)).toMatchObject({ status: 'SUCCESS', paid: 1250 })
  Object.assign(passedOver ?? {}, { status: 'completed', financialStatus: 'completed' })
  await ringFor(id, 48 * HOUR)
  expect(await stored(id)).toMatchObject({ status: 'SUCCESS', paid: 2500 })
})
