import { beforeEach, describe, expect, it, vi } from 'vitest'
import { askWith, create, makePos, readJob, tokenFor } from '../support/hub.ts'
import { ringNext, stored, waitForNextPull } from '../support/job.ts'
import { operate } from '../support/operator.ts'
import { outsideWith } from '../support/outside.ts'
import { addAccount, deliver, refund } from '../support/psp-world.ts'
import type { FakePsp, SentNotification } from '../support/psps/fake-psp.ts'
import { mollieFake } from '../support/psps/mollie.ts'
import { multisafepayFake } from '../support/psps/multisafepay.ts'
import { stripeFake } from '../support/psps/stripe.ts'

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

/** A PSP whose double pays at a terminal on its own. */
async function atTerminalsOf<Fake extends ReturnType<typeof mollieFake | typeof multisafepayFake>>(
  psp: string,
  fake: Fake,
) {
  const id = newTerminal()
  Object.assign(fake.terminals[0] ?? {}, { id })
  const world = await enter(psp, fake, id)
  const tells = async (job: string) => tell(job, ...(await fake.notify(job, Date.now())))
  return { world, fake, pay: fake.payAtTerminal, payLate: (job: string) => fake.bring(job, 'paid'), tells }
}

async function atReaderOfStripe() {
  const fake = stripeFake()
  const reader = fake.addReader({ id: newTerminal() })
  const world = await enter('stripe', fake, reader.id)
  const intentOf = (job: string) => fake.intents().find(({ id }) => id === fake.madeWith(job))
  const pay = (job: string, tip = 0) => {
    fake.present(reader, new Map([['amount_tip', String(tip)]]))
    if (intentOf(job)?.status !== 'succeeded') throw new Error('the payment is over')
  }
  const tells = async (job: string) =>
    tell(job, await fake.tellIntent(job, 'payment_intent.succeeded', Date.now()))
  return { world, fake, pay, payLate: pay, tells, reader, intentOf }
}

/**
 * The PSPs, and the card that pays there. `pay`: the customer pays, with a tip in cents. `payLate` throws if
 * the payment is over. `tells`: the PSP notifies the hub.
 */
const PLACES = [
  ['mollie', () => atTerminalsOf('mollie', mollieFake()), { brand: 'Visa', lastFour: '4335' }],
  [
    'multisafepay',
    () => atTerminalsOf('multisafepay', multisafepayFake()),
    { brand: 'VISA', lastFour: '1234' },
  ],
  ['stripe', atReaderOfStripe, { brand: 'visa', lastFour: '4242' }],
] as const

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

describe.each(PLACES)('an order for a terminal at %s', (_psp, open, card) => {
  it('is paid as soon as the PSP says so, with tip and card, and is refunded with the tip', async () => {
    const { pay, tells } = await open()
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
})

it('an order that is declined at Mollie, or finds its terminal busy, fails and takes no money', async () => {
  const { fake, tells } = await atTerminalsOf('mollie', mollieFake())
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

it('an order that a bank declines softly at MultiSafepay stays open, and is paid by PIN', async () => {
  const { fake, tells } = await atTerminalsOf('multisafepay', multisafepayFake())
  const job = await sell()
  fake.declineAtTerminal(job)
  await tells(job)
  expect(await readJob(token, job)).toMatchObject({ status: 'PENDING', error: null })
  fake.payAtTerminal(job)
  await tells(job)
  expect(await readJob(token, job)).toMatchObject({ status: 'SUCCESS', amountPaid: '12.50', error: null })
})

describe('an order for a reader of Stripe', () => {
  it('that is declined fails at once, and its payment is ended once the reader does something else', async () => {
    const { fake, reader, intentOf, pay, tells } = await atReaderOfStripe()
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
    const { world, fake, reader, pay } = await atReaderOfStripe()
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
