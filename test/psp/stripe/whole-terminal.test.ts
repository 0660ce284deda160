import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { profileCopy } from '../../../src/registry/copies.ts'
import { profileById } from '../../../src/registry/profiles.ts'
import { askWith, create, readJob, tokenFor } from '../../support/hub.ts'
import { ringNext, stored, waitForNextPull } from '../../support/job.ts'
import { outsideWith } from '../../support/outside.ts'
import { deliver, posAt, refund } from '../../support/psp-world.ts'
import type { SentNotification } from '../../support/psps/fake-psp.ts'
import type { Reader } from '../../support/psps/stripe-terminal.ts'
import { stripeFake } from '../../support/psps/stripe.ts'

function stripeWorld() {
  return Object.assign(outsideWith(stripeFake()), { psp: 'stripe' })
}

let world: ReturnType<typeof stripeWorld>
let reader: Reader
let token: string
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
  world = stripeWorld()
  reader = world.fake.addReader()
  const pos = await posAt(world)
  const profile = (await profileById(env.DB, pos.id))?.profile
  const [account] = profile?.accounts ?? []
  if (!profile || !account) throw new Error('the point of sale has no account')
  const terminals = [{ id: reader.id, name: 'Counter 1', account: account.id, isDefault: true as const }]
  // As if an operator had added the terminal a little later.
  const access = { ...profile.access, asOf: profile.access.asOf + 3_600_000 }
  const copy = profileCopy.write({ ...profile, access, terminals })
  await env.TOKENS.put(`pos:${pos.id}`, JSON.stringify(copy))
  // Longer than the hub caches the point of sale without a terminal.
  vi.setSystemTime(Date.now() + 60_000)
  token = await tokenFor(pos)
})

/** Creates a job for the terminal, and waits until its object has sent it. */
async function sell(): Promise<string> {
  const order = { order_id: '7', order_number: crypto.randomUUID(), currency: 'EUR', amount: '12.50' }
  const timestamp = Math.floor(Date.now() / 1000)
  const report_url = 'https://shop.nl/report'
  const made = await create(token, { ...order, timestamp, report_url, terminal: 'default' })
  if (made.status !== 201) throw new Error(await made.text())
  const { paymentJob: job } = await made.json<{ paymentJob: string }>()
  await vi.waitFor(async () => expect((await stored(job)).attempts).toHaveLength(1), 10_000)
  return job
}

async function present(form: Record<string, string> = {}): Promise<void> {
  const [{ secretKey }] = world.fake.accounts as readonly [{ secretKey: string }, object]
  const url = `https://api.stripe.com/v1/test_helpers/terminal/readers/${reader.id}/present_payment_method`
  const headers = {
    authorization: `Bearer ${secretKey}`,
    'content-type': 'application/x-www-form-urlencoded',
  }
  const body = new URLSearchParams(form).toString()
  const answer = await world.fake.handle(new Request(url, { method: 'POST', headers, body }))
  if (!answer.ok) throw new Error(await answer.text())
}

async function tell(job: string, sent: SentNotification): Promise<void> {
  waitForNextPull()
  expect((await deliver((await stored(job)).account, sent)).status).toBe(200)
}

function intentOf(job: string) {
  return world.fake.intents().find(({ id }) => id === world.fake.madeWith(job))
}

describe('an order for a reader of Stripe', () => {
  it('is paid as soon as Stripe says so, with tip and card, and is refunded', async () => {
    const job = await sell()
    await tell(job, await world.fake.tellReader(reader, 'terminal.reader.action_updated', Date.now()))
    expect(await readJob(token, job)).toMatchObject({
      status: 'PENDING',
      terminal: { id: reader.id, state: 'waiting-for-card' },
    })
    await present({ amount_tip: '150' })
    await tell(job, await world.fake.tellIntent(job, 'payment_intent.succeeded', Date.now()))
    expect(await readJob(token, job)).toMatchObject({
      status: 'SUCCESS',
      amountPaid: '14.00',
      amountTip: '1.50',
      card: { brand: 'visa', lastFour: '4242' },
      terminal: { state: 'ended' },
    })
    expect(await refund(token, job, '14.00')).toMatchObject({ code: 201 })
  })

  it('that is declined fails at once, and its payment is ended once the reader does something else', async () => {
    const declined = await sell()
    await present({ 'card_present[number]': '4000000000000002' })
    await tell(declined, await world.fake.tellReader(reader, 'terminal.reader.action_failed', Date.now()))
    expect(await readJob(token, declined)).toMatchObject({
      status: 'FAILURE',
      error: 'declined: generic_decline: Your card was declined. No money was taken.',
    })
    const second = await sell()
    await present()
    await tell(second, await world.fake.tellReader(reader, 'terminal.reader.action_succeeded', Date.now()))
    expect((await readJob(token, second)).status).toBe('SUCCESS')
    expect(intentOf(declined)?.status).toBe('requires_payment_method')
    for (let rings = 0; intentOf(declined)?.status !== 'canceled'; rings++) {
      if (rings > 9) throw new Error('nobody ends the payment')
      await ringNext(declined)
    }
    expect(await readJob(token, declined)).toMatchObject({ status: 'FAILURE', amountPaid: '0.00' })
  })

  it('is cancelled at the reader', async () => {
    const job = await sell()
    waitForNextPull()
    const cancelled = await askWith(token, 'POST', `/v2/paymentjobs/${job}/cancel`)
    expect(cancelled.status).toBe(200)
    await vi.waitFor(async () => expect((await readJob(token, job)).status).toBe('CANCELLED'), 10_000)
    expect([intentOf(job)?.status, reader.action]).toEqual(['canceled', null])
  })

  it('whose answer is lost is looked up, and is paid once', async () => {
    world.fault = async (request) => {
      const answer = await world.fake.handle(request)
      return request.url.endsWith('/process_payment_intent') ? new Response('', { status: 502 }) : answer
    }
    const job = await sell()
    expect(await readJob(token, job)).toMatchObject({ status: 'PENDING', terminal: { state: 'unknown' } })
    world.fault = null
    await present()
    for (let rings = 0; (await stored(job)).status === 'PENDING' && rings < 9; rings++) await ringNext(job)
    expect(await readJob(token, job)).toMatchObject({ status: 'SUCCESS', amountPaid: '12.50' })
    expect(world.fake.intents()).toHaveLength(1)
    expect(world.asked.filter((one) => one.endsWith('/process_payment_intent'))).toHaveLength(1)
  })

  it('that the customer does not pay ends after three minutes, and cannot be paid after that', async () => {
    const job = await sell()
    const began = Date.now()
    for (let rings = 0; (await stored(job)).status === 'PENDING' && rings < 20; rings++) await ringNext(job)
    expect((await readJob(token, job)).status).toBe('EXPIRED')
    expect(Date.now() - began).toBeLessThan(200_000)
    expect([intentOf(job)?.status, reader.action]).toEqual(['canceled', null])
  })
})
