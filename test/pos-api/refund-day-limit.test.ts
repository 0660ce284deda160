import { env } from 'cloudflare:workers'
import { afterEach, expect, it, vi } from 'vitest'
import { instructionIdOf } from '../../src/pos-api/idempotency.ts'
import { countRefund, refundDay } from '../../src/registry/refund-limit.ts'
import { type Pos, askWith, createJob, makePos, payAs, tokenFor } from '../support/hub/hub.ts'
import { answerTo, operate } from '../support/hub/operator.ts'

const DAY = 86_400_000
type Shop = Pos & { token: string }
type Shown = { refundLimits: string[]; refundsToday: object[] }

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

/** A shop in test mode that may give back so much in a day. */
async function shopWith(...refundLimits: string[]): Promise<Shop> {
  const pos = await makePos()
  expect(await answerTo('POST', `/pos/${pos.id}`, { refundLimits })).toMatchObject({ refundLimits })
  return { ...pos, token: await tokenFor(pos) }
}

async function paid({ token }: Shop, amount = '50.00', currency = 'EUR'): Promise<string> {
  const { payUrl, paymentJob } = await createJob(token, { amount, currency, payment_method: 'creditcard' })
  await payAs(payUrl, 'paid')
  return paymentJob
}

function refund({ token }: Shop, job: string, amount?: string, key: string = crypto.randomUUID()) {
  const body = amount === undefined ? {} : { amount }
  return askWith(token, 'POST', `/v2/paymentjobs/${job}/refunds`, body, { 'idempotency-key': key })
}

async function used({ id }: Pos): Promise<object[]> {
  return (await answerTo<Shown>('GET', `/pos/${id}`)).refundsToday
}
function eur(limit: string, of: string) {
  return [{ currency: 'EUR', limit, used: of }]
}

it('a shop gives back no more in a day than its limit; the refusal has the limit, and when it frees', async () => {
  const shop = await shopWith('EUR 60.00')
  const [one, other] = [await paid(shop), await paid(shop)]
  expect((await refund(shop, one)).status).toBe(201)
  const refused = await refund(shop, other, '10.01')
  expect(refused.status).toBe(409)
  const { ends } = refundDay(Date.now(), env.TIME_ZONE || 'UTC')
  const refunds = { currency: 'EUR', limit: '60.00', used: '50.00', frees: new Date(ends).toISOString() }
  expect(await refused.json()).toMatchObject({ code: 'refund-day-limit', refunds })
  expect((await refund(shop, other, '10.00')).status).toBe(201)
  expect(await used(shop)).toEqual(eur('60.00', '60.00'))
  vi.useFakeTimers({ toFake: ['Date'], now: ends + 1000 })
  const next = { ...shop, token: await tokenFor(shop) }
  expect((await refund(next, other, '10.00')).status).toBe(201)
  expect(await used(shop)).toEqual(eur('60.00', '10.00'))
})

it('of refunds that come at once, only as many are made as the limit has room for', async () => {
  const shop = await shopWith('EUR 25.00')
  const job = await paid(shop)
  const answers = await Promise.all(Array.from({ length: 6 }, () => refund(shop, job, '10.00')))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 201, 409, 409, 409, 409])
})

it('the same refund again counts once, also on a later day', async () => {
  const shop = await shopWith('EUR 30.00')
  const job = await paid(shop)
  const twice = await Promise.all([refund(shop, job, '20.00', 'k'), refund(shop, job, '20.00', 'k')])
  expect(twice.map(({ status }) => status)).toEqual([201, 201])
  expect((await refund(shop, job, '20.00', 'k')).status).toBe(201)
  expect(await used(shop)).toEqual(eur('30.00', '20.00'))
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 5 * DAY })
  const later = { ...shop, token: await tokenFor(shop) }
  expect((await refund(later, job, '20.00', 'k')).status).toBe(201)
  expect(await used(shop)).toEqual(eur('30.00', '0.00'))
})

it('a refund that was counted but cut off is made by its repetition, and counts once', async () => {
  const shop = await shopWith('EUR 30.00')
  const job = await paid(shop)
  const { day } = refundDay(Date.now(), env.TIME_ZONE || 'UTC')
  const id = await instructionIdOf('refund', job, 'k')
  await countRefund(env.DB, { id, amount: 2000, pos: shop.id, currency: 'EUR', day }, 3000)
  expect(await used(shop)).toEqual(eur('30.00', '20.00'))
  expect((await refund(shop, job, '20.00', 'k')).status).toBe(201)
  expect(await used(shop)).toEqual(eur('30.00', '20.00'))
})

it('a refund that is refused gives its room back', async () => {
  const shop = await shopWith('EUR 90.00')
  const job = await paid(shop)
  expect((await refund(shop, job, '60.00')).status).toBe(422)
  expect(await used(shop)).toEqual(eur('90.00', '0.00'))
  expect((await refund(shop, job, '50.00', 'k')).status).toBe(201)
  expect((await refund(shop, job, '40.00', 'k')).status).toBe(422)
  expect(await used(shop)).toEqual(eur('90.00', '50.00'))
})

it('a currency without a limit of its own has no room, and without any limit there is none', async () => {
  const shop = await shopWith('USD 100.00')
  const job = await paid(shop)
  expect((await refund(shop, job, '0.01')).status).toBe(409)
  await operate('POST', `/pos/${shop.id}`, { refundLimits: [] })
  expect((await refund(shop, job, '0.01')).status).toBe(201)
})

it('an operator gives back more than the limit, and that counts for nothing', async () => {
  const shop = await shopWith('EUR 10.00')
  const job = await paid(shop)
  const made = await operate('POST', `/jobs/${job}/refunds`, { id: crypto.randomUUID(), amount: '40.00' })
  expect(made.status).toBe(200)
  expect((await refund(shop, job, '10.00')).status).toBe(201)
})

it('a change of the limit is in the audit log, and a limit that cannot be read is refused', async () => {
  const shop = await shopWith('EUR 10.00', 'JPY 500')
  const { entries } = await answerTo<{ entries: object[] }>(
    'GET',
    `/audit?subject=${shop.id}&action=pos.update`,
  )
  const refundLimits = ['EUR 10.00', 'JPY 500']
  expect(entries).toContainEqual(
    expect.objectContaining({ after: expect.objectContaining({ refundLimits }) as object }),
  )
  const wrong = [['EUR'], ['500'], ['EUR 5.001'], ['XXX 5'], ['EUR 5', 'EUR 6'], ['EUR -5'], 'EUR 5', [null]]
  for (const sent of wrong) {
    const refused = await operate('POST', `/pos/${shop.id}`, { refundLimits: sent })
    expect(refused.status).toBe(422)
    expect(JSON.stringify(await refused.json())).toContain('refundLimits')
  }
})
