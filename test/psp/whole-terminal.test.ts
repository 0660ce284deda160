import { beforeEach, describe, expect, it, vi } from 'vitest'
import { askWith, create, makePos, readJob, tokenFor } from '../support/hub/hub.ts'
import { ringNext, stored, waitForNextPull } from '../support/jobs/job.ts'
import { operate } from '../support/hub/operator.ts'
import { outsideWith } from '../support/outside.ts'
import { addAccount, deliver, refund } from '../support/psp-world.ts'
import type { FakePsp, SentNotification } from '../support/psps/fake-psp.ts'
import { stage as mollieStage } from './mollie/stage.ts'
import { STAGES, type Stage } from './stages.ts'
import { stage as stripeStage } from './stripe/stage.ts'

let token: string
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
})

let terminals = 0

/** A terminal belongs to one account of the hub. */
function newTerminal(): string {
  return `T${++terminals}`
}

/** A live shop at the double of a PSP, with a terminal there that an operator added. */
async function enter<Fake extends FakePsp>(psp: string, fake: Fake, terminal: string) {
  const world = Object.assign(outsideWith(fake), { psp })
  const [account, pos] = [await addAccount(world), await makePos({ mode: 'live' })]
  for (const [path, status] of [
    [`/accounts/${account}/terminals`, 200],
    [`/pos/${pos.id}/terminals`, 200],
  ] as const)
    expect((await operate('POST', path, { terminal })).status).toBe(status)
  token = await tokenFor(pos)
  return world
}

/** Sends notifications of the PSP. */
async function tell(job: string, ...sent: SentNotification[]): Promise<void> {
  const { account } = await stored(job)
  waitForNextPull()
  for (const one of sent) expect((await deliver(account, one)).status).toBe(200)
}

/** Opens a PSP's stage with a terminal of its own. */
async function atCounter<Opened extends Stage>(psp: string, open: (terminal: string) => Opened) {
  const id = newTerminal()
  const stage = open(id)
  const world = await enter(psp, stage.fake, id)
  const { counter } = stage
  if (!counter) throw new Error(`${psp} has no terminal`)
  const tells = async (job: string) => tell(job, ...(await counter.told(job)))
  return { ...stage, ...counter, world, tells }
}

/** Creates a job for the terminal, and waits until its object has sent the order. */
async function sell(): Promise<string> {
  const made = await create(token, {
    order_id: '7',
    order_number: crypto.randomUUID(),
    currency: 'EUR',
    amount: '12.50',
    timestamp: Math.floor(Date.now() / 1000),
    report_url: 'https://shop.nl/report',
    terminal: 'default',
  })
  if (made.status !== 201) throw new Error(await made.text())
  const { paymentJob: job } = await made.json<{ paymentJob: string }>()
  await vi.waitFor(async () => expect((await stored(job)).attempts).toHaveLength(1), 10_000)
  return job
}

async function ringWhilePending(job: string): Promise<void> {
  for (let rings = 0; (await stored(job)).status === 'PENDING' && rings < 20; rings++) await ringNext(job)
}

async function cancel(job: string): Promise<void> {
  waitForNextPull()
  expect((await askWith(token, 'POST', `/v2/paymentjobs/${job}/cancel`)).status).toBe(200)
}

const PLACES = Object.entries(STAGES).filter(([, open]) => open().counter)

describe.each(PLACES)('an order for a terminal at %s', (psp, openStage) => {
  const open = () => atCounter(psp, openStage)

  it('is paid as soon as the PSP says so, with tip and card, and is refunded with the tip', async () => {
    const { pay, tells, card } = await open()
    const job = await sell()
    expect(await readJob(token, job)).toMatchObject({
      status: 'PENDING',
      terminal: { state: 'waiting-for-card' },
    })
    pay(job, 150)
    await tells(job)
    expect(await readJob(token, job)).toMatchObject({
      status: 'SUCCESS',
      amountPaid: '14.00',
      amountTip: '1.50',
      card,
      terminal: { state: 'ended' },
      error: null,
    })
    expect(await refund(token, job, '14.01')).toMatchObject({ code: 422 })
    expect(await refund(token, job, '14.00')).toMatchObject({ code: 201, status: 'PENDING' })
  })

  it('is cancelled at the terminal', async () => {
    const { payLate } = await open()
    const job = await sell()
    await cancel(job)
    await vi.waitFor(async () => expect((await readJob(token, job)).status).toBe('CANCELLED'), 10_000)
    expect(() => payLate(job)).toThrow()
  })

  it('whose answer is lost reaches the terminal once, and is paid', async () => {
    const { world, pay, tells } = await open()
    world.fault = async (request) => {
      const answer = await world.fake.handle(request)
      return request.method === 'POST' ? new Response('', { status: 502 }) : answer
    }
    const job = await sell()
    expect(await readJob(token, job)).toMatchObject({ status: 'PENDING', terminal: { state: 'unknown' } })
    world.fault = null
    await ringNext(job)
    expect(await readJob(token, job)).toMatchObject({ terminal: { state: 'waiting-for-card' } })
    pay(job)
    await tells(job)
    expect(await readJob(token, job)).toMatchObject({ status: 'SUCCESS', amountPaid: '12.50' })
  })

  it('fails at once if the PSP refuses the key of its account: no terminal has it', async () => {
    const { world, payLate } = await open()
    world.fault = () => Response.json({ status: 401, title: 'Unauthorized' }, { status: 401 })
    const job = await sell()
    expect(await readJob(token, job)).toMatchObject({
      status: 'FAILURE',
      terminal: { state: 'ended' },
      error: expect.stringMatching(/^terminal_unreachable: .*No money was taken\.$/) as string,
    })
    expect(() => payLate(job)).toThrow()
  })

  it('that never reached the PSP is refused once the customer has left', async () => {
    const { world, payLate } = await open()
    world.fault = () => new Response('', { status: 502 })
    const job = await sell()
    vi.setSystemTime(Date.now() + 20_000)
    world.fault = null
    await ringWhilePending(job)
    expect(await readJob(token, job)).toMatchObject({
      status: 'FAILURE',
      error: expect.stringMatching(/^terminal_unreachable: .*No money was taken\.$/) as string,
    })
    expect(() => payLate(job)).toThrow()
  })

  it('that the customer does not pay ends within minutes, and cannot be paid after that', async () => {
    const { payLate } = await open()
    const job = await sell()
    const began = Date.now()
    await ringWhilePending(job)
    expect((await readJob(token, job)).status).toMatch(/EXPIRED|CANCELLED/)
    expect(Date.now() - began).toBeLessThan(200_000)
    expect(() => payLate(job)).toThrow()
  })

  it.runIf(openStage().counter?.declineSoftly)(
    'that a bank declines softly stays open, and is paid by PIN',
    async () => {
      const { declineSoftly, pay, tells } = await open()
      const job = await sell()
      declineSoftly?.(job)
      await tells(job)
      expect(await readJob(token, job)).toMatchObject({ status: 'PENDING', error: null })
      pay(job)
      await tells(job)
      expect(await readJob(token, job)).toMatchObject({ status: 'SUCCESS', amountPaid: '12.50', error: null })
    },
  )
})

it('an order that is declined at Mollie, or finds its terminal busy, fails and takes no money', async () => {
  const { fake, tells } = await atCounter('mollie', mollieStage)
  const [declined, busy] = [await sell(), await sell()]
  await tells(busy)
  expect(await readJob(token, busy)).toMatchObject({
    status: 'FAILURE',
    error: expect.stringMatching(/^terminal_busy: .*No money was taken\.$/) as string,
  })
  fake.failAtTerminal(declined, 'insufficient_funds', 'The card has no money.')
  await tells(declined)
  expect(await readJob(token, declined)).toMatchObject({
    status: 'FAILURE',
    amountPaid: '0.00',
    error: 'declined: insufficient_funds: The card has no money. No money was taken.',
  })
})

describe('an order for a reader of Stripe', () => {
  it('that is declined fails at once, and its payment is ended once the reader does something else', async () => {
    const { fake, reader, intentOf, pay, tells } = await atCounter('stripe', stripeStage)
    const declined = await sell()
    fake.present(reader, new Map([['card_present[number]', '4000000000000002']]))
    await tell(declined, await fake.tellReader(reader, 'terminal.reader.action_failed', Date.now()))
    expect(await readJob(token, declined)).toMatchObject({
      status: 'FAILURE',
      error: 'declined: generic_decline: Your card was declined. No money was taken.',
    })
    const second = await sell()
    pay(second)
    await tells(second)
    expect((await readJob(token, second)).status).toBe('SUCCESS')
    expect(intentOf(declined)?.status).toBe('requires_payment_method')
    for (let rings = 0; intentOf(declined)?.status !== 'canceled'; rings++) {
      if (rings > 9) throw new Error('nobody ends the payment')
      await ringNext(declined)
    }
    expect(await readJob(token, declined)).toMatchObject({ status: 'FAILURE', amountPaid: '0.00' })
  })

  it('whose answer from the reader is lost is looked up there, and is not sent again', async () => {
    const { world, fake, reader, pay } = await atCounter('stripe', stripeStage)
    world.fault = async (request) => {
      const answer = await fake.handle(request)
      return request.url.endsWith('/process_payment_intent') ? new Response('', { status: 502 }) : answer
    }
    const job = await sell()
    expect(await readJob(token, job)).toMatchObject({ status: 'PENDING', terminal: { state: 'unknown' } })
    world.fault = null
    pay(job)
    await ringWhilePending(job)
    expect(await readJob(token, job)).toMatchObject({ status: 'SUCCESS', amountPaid: '12.50' })
    expect([fake.intents(), world.asked.filter((one) => one.endsWith('/process_payment_intent'))]).toEqual([
      [expect.anything()],
      [`POST /v1/terminal/readers/${reader.id}/process_payment_intent`],
    ])
  })
})
