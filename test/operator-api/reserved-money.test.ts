import * as v from 'valibot'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import type { Figures } from '../../src/contract/job-index.ts'
import type { HubHealth } from '../../src/contract/hub-health.ts'
import type { OperatorJobList } from '../../src/contract/job-search.ts'
import { MoneyMoved } from '../../src/contract/job-export.ts'
import { askWith, createJob, makePos, payAs, readJob, tokenFor } from '../support/hub/hub.ts'
import { answerTo, operate } from '../support/hub/operator.ts'

const WAIT = { timeout: 20_000, interval: 100 }
const DAY = 86_400
const Moved = v.pick(MoneyMoved, ['is', 'amount'])

/** A new shop with an order whose money the sandbox has reserved for seven days. */
async function reservedShop() {
  const pos = await makePos()
  const token = await tokenFor(pos)
  const { paymentJob: id, payUrl } = await createJob(token, {
    capture: 'manual',
    payment_method: 'creditcard',
  })
  await payAs(payUrl, 'paid')
  await vi.waitFor(async () => expect(await readJob(token, id)).toHaveProperty('amountAuthorized'), WAIT)
  const asShop = (path: string, body: object) => askWith(token, 'POST', `/v2/paymentjobs/${id}/${path}`, body)
  const listed = async (query: string) =>
    (await answerTo<OperatorJobList>('GET', `/jobs?pos=${pos.id}&${query}`)).jobs
  return { pos, id, token, asShop, listed }
}

describe('reserved money', () => {
  let shop: Awaited<ReturnType<typeof reservedShop>>
  beforeAll(async () => {
    shop = await reservedShop()
    await vi.waitFor(async () => expect(await shop.listed('ends_within=8d')).toHaveLength(1), WAIT)
  }, 60_000)

  it('is listed separately from paid money, and under its filter only once it ends soon', async () => {
    expect(await shop.listed('ends_within=24h')).toEqual([])
    expect((await shop.asShop('advance', { seconds: 6.5 * DAY })).status).toBe(200)
    await vi.waitFor(async () => expect(await shop.listed('ends_within=24h')).toHaveLength(1), WAIT)
    const [job] = await shop.listed('ends_within=1d')
    expect(job).toMatchObject({
      ...{ id: shop.id, status: 'PENDING', paid: '0.00', net: '0.00', paidAt: null },
      ...{ authorized: '12.50', released: '0.00' },
    })
    const left = Date.parse(job?.captureBefore ?? '') - Date.now()
    expect(left).toBeGreaterThan(0)
    expect(left).toBeLessThanOrEqual(DAY * 500)
  })

  it('is a figure of its mode in the health of the hub, and is not turnover', async () => {
    const { reservedEndsSoon } = await answerTo<HubHealth>('GET', '/health')
    expect(reservedEndsSoon.live).toEqual([])
    expect(
      Number(reservedEndsSoon.test.find(({ currency }) => currency === 'EUR')?.amount),
    ).toBeGreaterThanOrEqual(12.5)
    expect(await figures()).toMatchObject([{ created: 1, success: 0, paid: [], net: [] }])
    expect(await moved()).toEqual([])
  })

  it('counts as paid when it is captured, part by part, until nothing is left to capture', async () => {
    expect((await shop.asShop('captures', { amount: '5.00' })).status).toBe(201)
    expect((await shop.asShop('captures', { amount: '2.50', final: true })).status).toBe(201)
    const isDone = async () => expect(await shop.listed('status=SUCCESS')).toHaveLength(1)
    await vi.waitFor(isDone, WAIT)
    expect(await shop.listed('')).toMatchObject([
      {
        paid: '7.50',
        net: '7.50',
        authorized: '12.50',
        released: '5.00',
        captureBefore: null,
        unapplied: '0.00',
      },
    ])
    expect(await shop.listed('ends_within=365d')).toEqual([])
    const own = await askWith(shop.token, 'GET', '/v2/paymentjobs')
    expect(await own.json()).toMatchObject({
      paymentJobs: [{ status: 'SUCCESS', amount: '12.50', amountPaid: '7.50', amountDue: '0.00' }],
    })
    expect(await figures()).toMatchObject([{ success: 1, paid: [{ currency: 'EUR', amount: '7.50' }] }])
    expect(await moved()).toEqual([
      ['payment', '5.00'],
      ['payment', '2.50'],
    ])
  })

  const figures = async () =>
    (await answerTo<Figures>('GET', `/figures?by=currency&mode=test&pos=${shop.pos.id}`)).rows
  const moved = async () => {
    const file = await operate('GET', `/movements/export?format=ndjson&pos=${shop.pos.id}`)
    const lines = (await file.text()).split('\n').filter((line) => line !== '')
    return lines.map((line) => {
      const { is, amount } = v.parse(v.pipe(v.string(), v.parseJson(), Moved), line)
      return [is, amount]
    })
  }
})
