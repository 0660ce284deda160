import { describe, expect, it, vi } from 'vitest'
import { ORIGIN, send } from '../support/hub/hub.ts'
import { patience, paymentRequestOf } from '../psp/scripted.ts'
import { checkoutOf, choose, get, make, objectOf, sandbox } from './client.ts'

const UNKNOWN = ['tr_00000000000000000000', 'tr_short', 'ord_00000000000000000000', 'tr_/00000000000000']

async function announce(job: string, changes: object = {}): Promise<string> {
  const answer = await sandbox.announce(paymentRequestOf(job, changes), patience)
  if (answer.is !== 'announced') throw new Error(JSON.stringify(answer))
  return answer.reference
}

describe('an order of the hub at the sandbox', () => {
  it('is a payment as Mollie would show it, and leads to its checkout page', async () => {
    const job = crypto.randomUUID()
    const { description, returnUrl, notificationUrl } = paymentRequestOf(job)
    const answer = await sandbox.announce(paymentRequestOf(job), patience)
    if (answer.is !== 'announced' || answer.way !== 'page') throw new Error(JSON.stringify(answer))
    const { reference, checkoutUrl } = answer
    expect(reference).toMatch(/^tr_\w{20}$/)
    expect(checkoutUrl).toBe(checkoutOf(reference))
    expect(await get(reference)).toMatchObject({
      resource: 'payment',
      id: reference,
      mode: 'test',
      status: 'open',
      isCancelable: true,
      amount: { currency: 'EUR', value: '12.50' },
      description,
      redirectUrl: returnUrl,
      cancelUrl: returnUrl,
      webhookUrl: notificationUrl,
      method: 'ideal',
      locale: 'nl_NL',
      metadata: { paymentJob: job },
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/),
      _links: { checkout: { href: `${ORIGIN}/sandbox/checkout/${reference}`, type: 'text/html' } },
    })
    expect(await sandbox.jobOf?.(reference)).toBe(job)
  })

  it.each([
    ['ideal', 15],
    ['pin', 15],
    ['creditcard', 30],
    ['banktransfer', 12 * 24 * 60],
  ])('with method %s can be paid for %d minutes', async (paymentMethod, minutes) => {
    const reference = await announce(crypto.randomUUID(), { paymentMethod })
    const { createdAt, expiresAt } = (await objectOf(reference).read()) ?? {}
    expect(Number(expiresAt) - Number(createdAt)).toBe(minutes * 60_000)
    expect(await sandbox.ask(reference, 'EUR')).toMatchObject({ status: 'PENDING', expiresAt })
  })

  it.each([
    ['JPY', 1250, '1250'],
    ['KWD', 1250, '1.250'],
  ])('may have the currency %s', async (currency, amount, value) => {
    const reference = await announce(crypto.randomUUID(), { currency, amount })
    expect(await get(reference)).toHaveProperty('amount', { currency, value })
    await choose(reference, 'paid')
    expect(await sandbox.ask(reference, currency)).toMatchObject({ status: 'SUCCESS', paid: amount })
  })

  it('is one payment, although it is announced ten times at once, and keeps its end', async () => {
    const job = crypto.randomUUID()
    const references = await Promise.all(Array.from({ length: 10 }, () => announce(job)))
    expect(new Set(references).size).toBe(1)
    const [reference = ''] = references
    await choose(reference, 'paid')
    expect(await announce(job)).toBe(reference)
    expect(await sandbox.ask(reference, 'EUR')).toMatchObject({ status: 'SUCCESS' })
  })

  it.each([{ fingerprint: 'other' }])('is refused under the id of another order: %j', async (changes) => {
    const job = crypto.randomUUID()
    const before = await get(await announce(job))
    expect(await sandbox.announce(paymentRequestOf(job, changes), patience)).toMatchObject({
      is: 'refused',
      reason: 'refused_other',
    })
    expect(await get(before.id)).toEqual(before)
  })

  it.each(UNKNOWN)('is unknown by %s', async (id) => {
    expect(await sandbox.ask(id, 'EUR')).toEqual({ is: 'unknown' })
    expect(await sandbox.stop(id, 'EUR')).toEqual({ is: 'unknown' })
    expect(await sandbox.jobOf?.(id)).toBeNull()
  })
})

it.each([
  ['open', 'CANCELLED', 'canceled'],
  ['paid', 'SUCCESS', 'paid'],
  ['failed', 'FAILURE', 'failed'],
  ['expired', 'EXPIRED', 'expired'],
  ['underway', 'PENDING', 'pending'],
  ['authorized', 'PENDING', 'authorized'],
])('a payment that is %s is %s once it is stopped', async (outcome, status, shown) => {
  const { id } = await make()
  await choose(id, outcome)
  expect(await sandbox.stop(id, 'EUR')).toMatchObject({ is: 'observed', status })
  expect(await get(id)).toMatchObject({ status: shown })
  if (outcome !== 'open') return
  expect(await get(id)).toHaveProperty('canceledAt', expect.any(String))
})

describe('a refund', () => {
  const wantedOf = (amount: number) => ({
    id: crypto.randomUUID(),
    amount,
    currency: 'EUR',
    description: 'A shirt',
    round: 1,
  })
  const paid = async () => {
    const { id } = await make()
    await choose(id, 'paid')
    return { job: 'j', reference: id, payment: null }
  }

  const refundsOf = async ({ reference }: { reference: string }) => {
    const seen = await sandbox.ask(reference, 'EUR')
    return seen.is === 'observed' ? seen.transfers?.refund : null
  }

  it('is listed as pending for half a minute, then as done, until it fails', async () => {
    const payment = await paid()
    const wanted = wantedOf(500)
    const answer = await sandbox.refund(payment, wanted)
    expect(answer).toMatchObject({ is: 'taken', state: 'pending' })
    const listed = { id: answer.is === 'taken' ? answer.reference : null, own: wanted.id, amount: 500 }
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 25_000 })
    expect(await refundsOf(payment)).toEqual([{ ...listed, state: 'pending' }])
    vi.setSystemTime(Date.now() + 6000)
    expect(await refundsOf(payment)).toEqual([{ ...listed, state: 'done' }])
    await send(`/sandbox/payments/${payment.reference}/fail-refund`, { method: 'POST' })
    expect(await refundsOf(payment)).toMatchObject([{ ...listed, state: 'failed' }])
  })

  it('by hand is done at once, and has no id of the hub', async () => {
    const payment = await paid()
    await send(`/sandbox/payments/${payment.reference}/refund`, { method: 'POST' })
    expect(await refundsOf(payment)).toEqual([{ id: expect.any(String), amount: 1250, state: 'done' }])
  })

  it('is made once, although it is requested three times', async () => {
    const payment = await paid()
    const wanted = wantedOf(500)
    const answers = await Promise.all([1, 2, 3].map(() => sandbox.refund(payment, wanted)))
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    expect(await refundsOf(payment)).toMatchObject([{ own: wanted.id, amount: 500 }])
  })

  it.each([1251, 0])('of %d cents is refused, and not listed', async (amount) => {
    const payment = await paid()
    expect(await sandbox.refund(payment, wantedOf(amount))).toMatchObject({ is: 'refused' })
    expect(await refundsOf(payment)).toEqual([])
  })

  it('is refused for a payment that is unpaid or unknown', async () => {
    const { id } = await make()
    for (const reference of [id, ...UNKNOWN]) {
      const payment = { job: 'j', reference, payment: null }
      expect(await sandbox.refund(payment, wantedOf(100))).toMatchObject({ is: 'refused' })
    }
  })
})
