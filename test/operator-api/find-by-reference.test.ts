import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { rowOf } from '../../src/job/core/row.ts'
import { writeRows } from '../../src/job-index/job-index.ts'
import { orderAtTerminal, untilJob } from '../support/jobs/at-terminal.ts'
import { askWith, createJob, makePos, tokenFor } from '../support/hub/hub.ts'
import { referenceOf, stored } from '../support/jobs/job.ts'
import { operate } from '../support/hub/operator.ts'
import { PSPS, posAt, pspWorld } from '../support/psp-world.ts'

async function find(query: Record<string, string>): Promise<string[]> {
  const answer = await operate('GET', `/jobs?${new URLSearchParams(query)}`)
  expect(answer.status).toBe(200)
  return (await answer.json<{ jobs: { id: string }[] }>()).jobs.map(({ id }) => id)
}

/** A payment at the PSP, with its row in the index. */
async function announced(token: string) {
  const { paymentJob: id } = await createJob(token)
  const job = await stored(id)
  await writeRows(env, [rowOf(job)])
  return { id, pos: job.pos, account: job.account, reference: await referenceOf(id) }
}
type Announced = Awaited<ReturnType<typeof announced>>

/** Removes the reference from the row, so that only the PSP can name its job. */
function forget({ id }: Announced) {
  return env.DB.prepare('update jobs set reference = null where id = ?').bind(id).run()
}

/** A payment at this PSP, whose calls the rest of the test can make fail. */
async function paymentAt(psp: string) {
  const at = pspWorld(psp)
  return { at, ...(await announced(await tokenFor(await posAt(at)))) }
}

it.each(PSPS)('a payment at %s is found by the job that its PSP names for the reference', async (psp) => {
  const payment = await paymentAt(psp)
  await forget(payment)
  const { account, reference, id } = payment
  expect(await find({ reference, account })).toEqual([id])
  expect(await find({ q: reference, account })).toEqual([id])
})

it('a payment is found within its point of sale and its account, and in no others', async () => {
  const payment = await paymentAt('mollie')
  await forget(payment)
  const { reference, pos, account } = payment
  const other = await makePos()
  expect(await find({ reference, pos, account, status: 'PENDING' })).toEqual([payment.id])
  expect(await find({ reference, pos: other.id, account })).toEqual([])
  expect(await find({ reference, account: 'another' })).toEqual([])
  expect(await find({ reference, account, status: 'SUCCESS' })).toEqual([])
})

it('a payment is found by its row while the PSP does not answer', async () => {
  const { at, account, reference, id } = await paymentAt('adyen')
  at.fault = () => new Response('', { status: 503 })
  expect(await find({ reference, account })).toEqual([id])
  expect(await find({ q: reference, account })).toEqual([id])
})

it('a payment at the sandbox is found by its reference', async () => {
  const payment = await announced(await tokenFor(await makePos()))
  await forget(payment)
  expect(await find({ reference: payment.reference, account: 'sandbox' })).toEqual([payment.id])
})

it('a payment at Stripe is found by its payment intent, which the dashboard shows', async () => {
  const { at, ...payment } = await paymentAt('stripe')
  at.fake.bring(payment.id, 'paid')
  const session = await at.fake.handle(sessionRequest(payment.reference, at.fake.accounts[0]))
  const { payment_intent: intent } = await session.json<{ payment_intent: string }>()
  expect(intent).toMatch(/^pi_/)
  expect(await find({ q: intent, account: payment.account })).toEqual([payment.id])
})

it('with more than thirty accounts at a PSP the hub asks none, but looks through the rows', async () => {
  const { at, id, reference } = await paymentAt('adyen')
  const before = at.asked.length
  const add = env.DB.prepare(
    "insert into psp_accounts (id, psp, mode, sealed, created_at) values (?, 'adyen', 'live', 'x', 0)",
  )
  await env.DB.batch(Array.from({ length: 31 }, (_, n) => add.bind(`crowd-${n}`)))
  try {
    expect(await find({ reference })).toContain(id)
    expect(await find({ q: reference })).toContain(id)
    expect(at.asked.slice(before)).toEqual([])
  } finally {
    await env.DB.prepare("delete from psp_accounts where id like 'crowd-%'").run()
  }
})

it('a payment whose account was removed is found by its row, in any kind of search', async () => {
  const { id, account, reference } = await paymentAt('stripe')
  await env.DB.batch(
    ['delete from routes where account = ?', 'delete from psp_accounts where id = ?'].map((text) =>
      env.DB.prepare(text).bind(account),
    ),
  )
  expect(await find({ reference, account })).toEqual([id])
  expect(await find({ q: reference, account })).toEqual([id])
})

it('an unknown reference finds nothing', async () => {
  for (const reference of ['tr_nobody', 'cs_test_nobody', 'PLNOBODY', crypto.randomUUID(), 'a text']) {
    expect(await find({ reference })).toEqual([])
    expect(await find({ q: reference })).toEqual([])
  }
})

it('no PSP is asked about a text that is not one of its references', async () => {
  const at = pspWorld('mollie')
  await posAt(at)
  await find({ q: 'A-7' })
  await find({ q: 'cs_test_1' })
  expect(at.asked.filter((asked) => asked.includes('/payments/'))).toEqual([])
})

function sessionRequest(reference: string, credentials: object): Request {
  return new Request(`https://api.stripe.com/v1/checkout/sessions/${reference}`, {
    headers: { authorization: `Bearer ${(credentials as { secretKey: string }).secretKey}` },
  })
}

it('a payment at a terminal is found by all that its slip and its refund say, and by a part of its number', async () => {
  const token = await tokenFor(await makePos())
  const { paymentJob: id } = await orderAtTerminal(token, 'sandbox-tap', {
    order_number: 'till-86698103-b sandbox-tap',
  })
  await untilJob(token, id)
  const { refund } = await (
    await askWith(token, 'POST', `/v2/paymentjobs/${id}/refunds`)
  ).json<{ refund: string }>()
  const job = await stored(id)
  await writeRows(env, [rowOf(job)])
  const [{ card } = {}] = job.payments
  const ofPsp = job.instructions[0]?.pspId
  expect([card?.lastFour, card?.authorisationCode, ofPsp]).toEqual(Array(3).fill(expect.any(String)))
  const said = [
    card?.lastFour,
    card?.authorisationCode,
    refund,
    refund.toUpperCase(),
    ofPsp,
    '86698103',
    '698103-B',
    id.slice(0, 8),
  ]
  for (const q of said) expect(await find({ q: q ?? '' }), q ?? '').toContain(id)
  expect(await find({ q: '86698104' })).toEqual([])
})
