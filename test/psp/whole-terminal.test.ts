import { beforeEach, describe, expect, it, vi } from 'vitest'
import { askWith, create, makePos, readJob, tokenFor } from '../support/hub.ts'
import { ringNext, stored, waitForNextPull } from '../support/job.ts'
import { operate } from '../support/operator.ts'
import { outsideWith } from '../support/outside.ts'
import { addAccount, notify, refund } from '../support/psp-world.ts'
import { mollieFake } from '../support/psps/mollie.ts'
import { multisafepayFake } from '../support/psps/multisafepay.ts'

function mollieWorld() {
  return Object.assign(outsideWith(mollieFake()), { psp: 'mollie' })
}
function multisafepayWorld() {
  return Object.assign(outsideWith(multisafepayFake()), { psp: 'multisafepay' })
}

let token: string
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
})

let terminals = 0

/** A live shop in a world, with a terminal at the PSP that an operator added. */
async function enter<World extends ReturnType<typeof mollieWorld | typeof multisafepayWorld>>(
  world: World,
): Promise<World> {
  const [own] = world.fake.terminals
  if (!own) throw new Error('the PSP has no terminal')
  // A terminal belongs to one account of the hub.
  own.id = `T${++terminals}`
  const [account, pos] = [await addAccount(world), await makePos({ mode: 'live' })]
  for (const [path, status] of [
    [`/accounts/${account}/terminals`, 200],
    [`/pos/${pos.id}/terminals`, 200],
  ] as const)
    expect((await operate('POST', path, { terminal: own.id })).status).toBe(status)
  token = await tokenFor(pos)
  return world
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

/** Sends the PSP's notifications. */
async function tell(world: Parameters<typeof notify>[0], job: string): Promise<void> {
  waitForNextPull()
  expect(await notify(world, job)).toEqual([200])
}

async function ringWhilePending(job: string): Promise<void> {
  for (let rings = 0; (await stored(job)).status === 'PENDING' && rings < 20; rings++) await ringNext(job)
}

async function cancel(job: string): Promise<void> {
  waitForNextPull()
  expect((await askWith(token, 'POST', `/v2/paymentjobs/${job}/cancel`)).status).toBe(200)
}

describe.each([
  ['mollie', mollieWorld, 'Visa', '4335'],
  ['multisafepay', multisafepayWorld, 'VISA', '1234'],
] as const)('an order for a terminal at %s', (_psp, make, brand, lastFour) => {
  it('is paid as soon as the PSP says so, with tip and card, and is refunded with the tip', async () => {
    const world = await enter(make())
    const job = await sell()
    expect(await readJob(token, job)).toMatchObject({
      status: 'PENDING',
      terminal: { state: 'waiting-for-card' },
    })
    world.fake.payAtTerminal(job, 150)
    await tell(world, job)
    expect(await readJob(token, job)).toMatchObject({
      status: 'SUCCESS',
      amountPaid: '14.00',
      amountTip: '1.50',
      card: { brand, lastFour },
      terminal: { state: 'ended' },
      error: null,
    })
    expect(await refund(token, job, '14.01')).toMatchObject({ code: 422 })
    expect(await refund(token, job, '14.00')).toMatchObject({ code: 201, status: 'PENDING' })
  })

  it('is cancelled at the terminal', async () => {
    const world = await enter(make())
    const job = await sell()
    await cancel(job)
    await vi.waitFor(async () => expect((await readJob(token, job)).status).toBe('CANCELLED'), 10_000)
    expect(() => world.fake.bring(job, 'paid')).toThrow(/cancel/)
  })

  it('whose answer is lost reaches the terminal once, and is paid', async () => {
    const world = await enter(make())
    world.fault = async (request) => {
      const answer = await world.fake.handle(request)
      return request.method === 'POST' ? new Response('', { status: 502 }) : answer
    }
    const job = await sell()
    expect(await readJob(token, job)).toMatchObject({ status: 'PENDING', terminal: { state: 'unknown' } })
    world.fault = null
    await ringNext(job)
    expect(await readJob(token, job)).toMatchObject({ terminal: { state: 'waiting-for-card' } })
    world.fake.payAtTerminal(job)
    await tell(world, job)
    expect(await readJob(token, job)).toMatchObject({ status: 'SUCCESS', amountPaid: '12.50' })
  })

  it('that never reached the PSP is refused once the customer has left', async () => {
    const world = await enter(make())
    world.fault = () => new Response('', { status: 502 })
    const job = await sell()
    vi.setSystemTime(Date.now() + 20_000)
    world.fault = null
    await ringWhilePending(job)
    expect(await readJob(token, job)).toMatchObject({
      status: 'FAILURE',
      error: expect.stringMatching(/^terminal_unreachable: .*No money was taken\.$/) as string,
    })
    expect(() => world.fake.payAtTerminal(job)).toThrow()
  })

  it('that the customer does not pay ends within minutes, and cannot be paid after that', async () => {
    const world = await enter(make())
    const job = await sell()
    const began = Date.now()
    await ringWhilePending(job)
    expect((await readJob(token, job)).status).toMatch(/EXPIRED|CANCELLED/)
    expect(Date.now() - began).toBeLessThan(200_000)
    expect(() => world.fake.bring(job, 'paid')).toThrow(/cancel/)
  })
})

it('an order that is declined at Mollie, or finds its terminal busy, fails and takes no money', async () => {
  const world = await enter(mollieWorld())
  const [declined, busy] = [await sell(), await sell()]
  await tell(world, busy)
  expect(await readJob(token, busy)).toMatchObject({
    status: 'FAILURE',
    error: expect.stringMatching(/^terminal_busy: .*No money was taken\.$/) as string,
  })
  world.fake.failAtTerminal(declined, 'insufficient_funds', 'The card has no money.')
  await tell(world, declined)
  expect(await readJob(token, declined)).toMatchObject({
    status: 'FAILURE',
    amountPaid: '0.00',
    error: 'declined: insufficient_funds: The card has no money. No money was taken.',
  })
})

it('an order that a bank declines softly at MultiSafepay stays open, and is paid by PIN', async () => {
  const world = await enter(multisafepayWorld())
  const job = await sell()
  world.fake.declineAtTerminal(job)
  await tell(world, job)
  expect(await readJob(token, job)).toMatchObject({ status: 'PENDING', error: null })
  world.fake.payAtTerminal(job)
  await tell(world, job)
  expect(await readJob(token, job)).toMatchObject({ status: 'SUCCESS', amountPaid: '12.50', error: null })
})
