import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Right } from '../../src/contract/key-limits.ts'
import type { PointOfSaleShown } from '../../src/contract/points-of-sale.ts'
import { askWith, createJob, makePos, payAs, tokenFor } from '../support/hub/hub.ts'
import { answerTo, operate } from '../support/hub/operator.ts'

const MINUTE = 60_000

afterEach(() => void vi.useRealTimers())

/** A shop whose key lacks the right to refund, with a paid order of 50.00. */
async function shopWith(body: object | undefined, can: Right[] = ['create', 'read']) {
  const { id, ...pos } = await makePos()
  const key = await answerTo<{ apiKey: string }>('POST', `/pos/${id}/keys`, { can })
  const pin = body && (await answerTo<{ pin: string }>('POST', `/pos/${id}/refund-pin`, body)).pin
  const token = await tokenFor({ ...pos, id, ...key })
  const { payUrl, paymentJob } = await createJob(token, { amount: '50.00', payment_method: 'creditcard' })
  await payAs(payUrl, 'paid')
  return { id, token, job: paymentJob, pin: pin ?? '' }
}
type Shop = Awaited<ReturnType<typeof shopWith>>

async function refund({ token, job }: Shop, pin?: string, amount = '1.00') {
  const headers = pin === undefined ? {} : { 'refund-pin': pin }
  const answer = await askWith(token, 'POST', `/v2/paymentjobs/${job}/refunds`, { amount }, headers)
  const { code } = await answer.json<{ code?: string }>()
  return { status: answer.status, code, wait: Number(answer.headers.get('retry-after')) }
}

async function outcomes(shop: Shop, pins: string[]): Promise<(string | number)[]> {
  const all: (string | number)[] = []
  for (const pin of pins) {
    const { code, status } = await refund(shop, pin)
    all.push(code ?? status)
  }
  return all
}
const WRONG = Array.from({ length: 5 }, () => '000000')
const shown = ({ id }: Shop) => answerTo<PointOfSaleShown>('GET', `/pos/${id}`)

describe('a key without the right to refund', () => {
  it('refunds by the PIN that the hub makes, and only by it', async () => {
    const shop = await shopWith({})
    expect(shop.pin).toMatch(/^\d{6}$/)
    expect(await refund(shop)).toMatchObject({ status: 403, code: 'refund-pin-missing' })
    expect(await refund(shop, `${shop.pin}0`)).toMatchObject({ status: 403, code: 'refund-pin-wrong' })
    expect(await refund(shop, shop.pin)).toMatchObject({ status: 201 })
  })

  it('does so within the limit of the day', async () => {
    const shop = await shopWith({ pin: '48291377' })
    await answerTo('POST', `/pos/${shop.id}`, { refundLimits: ['EUR 5.00'] })
    expect(await refund(shop, '48291377', '5.01')).toMatchObject({ status: 409, code: 'refund-day-limit' })
    expect(await refund(shop, '48291377', '5.00')).toMatchObject({ status: 201 })
  })

  it('refunds nothing without a PIN, or by one of another point of sale, or by one that was taken away', async () => {
    const [none, other] = [await shopWith(undefined), await shopWith({})]
    for (const pin of [undefined, other.pin])
      expect(await refund(none, pin)).toMatchObject({ status: 403, code: 'insufficient-scope' })
    await answerTo('POST', `/pos/${other.id}/refund-pin`, { pin: 'none' })
    expect(await refund(other, other.pin)).toMatchObject({ status: 403, code: 'insufficient-scope' })
    expect(await shown(other)).toMatchObject({ refundPin: null })
  })
})

it('a key with the right needs no PIN, and no PIN gives another right', async () => {
  const may = await shopWith({}, ['create', 'read', 'refund'])
  expect(await refund(may)).toMatchObject({ status: 201 })
  const shop = await shopWith({})
  const path = `/v2/paymentjobs/${shop.job}/captures`
  const capture = await askWith(shop.token, 'POST', path, {}, { 'refund-pin': shop.pin })
  expect(await capture.json()).toMatchObject({ code: 'insufficient-scope' })
})

describe('wrong PINs', () => {
  it('lock the right one for a growing time; the operator sees it, and a new PIN ends it', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
    const shop = await shopWith({ pin: '482913' })
    expect(await outcomes(shop, [...WRONG, '482913'])).toEqual([
      ...WRONG.map(() => 'refund-pin-wrong'),
      'refund-pin-locked',
    ])
    for (const minutes of [5, 10, 20]) {
      const { status, wait } = await refund(shop, '482913')
      expect([status, wait]).toEqual([429, minutes * 60])
      vi.setSystemTime(Date.now() + minutes * MINUTE)
      if (minutes < 20) expect((await refund(shop, '000000')).code).toBe('refund-pin-wrong')
    }
    const actions = `/audit?subject=${shop.id}&action=`
    const locks = await answerTo<{ entries: object[] }>('GET', `${actions}pos.pin-lock`)
    expect(locks.entries).toHaveLength(3)
    const set = await (await operate('GET', `${actions}pos.refund-pin`)).text()
    expect(set).toContain('"before":{"set":null}')
    expect(set).not.toContain('482913')
    expect((await refund(shop, '482913')).status).toBe(201)
    await outcomes(shop, WRONG)
    expect(await shown(shop)).toMatchObject({ refundPin: { locked: expect.any(String) } })
    await answerTo('POST', `/pos/${shop.id}/refund-pin`, { pin: '771204' })
    expect(await outcomes(shop, ['482913', '771204'])).toEqual(['refund-pin-wrong', 201])
    expect(await shown(shop)).toMatchObject({ refundPin: { locked: null } })
  })

  it('at once are no more than one after the other', async () => {
    const shop = await shopWith({})
    const tries = await Promise.all(Array.from({ length: 20 }, () => refund(shop, '999999x')))
    expect(tries.filter(({ code }) => code === 'refund-pin-wrong')).toHaveLength(5)
    expect(tries.filter(({ code }) => code === 'refund-pin-locked')).toHaveLength(15)
  })
})

it.each(['12345', '123456789', '12 456', 'abcdef', '', '１２３４５６'])('%o is no PIN', async (pin) => {
  const { id } = await makePos()
  expect(await answerTo('POST', `/pos/${id}/refund-pin`, { pin })).toMatchObject({
    status: 422,
    field: 'pin',
  })
  expect(await answerTo('GET', `/pos/${id}`)).toMatchObject({ refundPin: null })
})
