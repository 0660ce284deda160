import { env } from 'cloudflare:workers'
import { beforeAll, expect, it, vi } from 'vitest'
import { matchLines } from '../../src/books/match-lines.ts'
import { createJob, makePos, payAs, tokenFor } from '../support/hub.ts'

const once = `once-${crypto.randomUUID()}`
const thrice = `thrice-${crypto.randomUUID()}`
let ids: string[]
beforeAll(async () => {
  const token = await tokenFor(await makePos())
  const orders = [
    [once, '10.00'],
    [thrice, '20.00'],
    [thrice, '20.00'],
    [thrice, '7.00'],
  ] as const
  const jobs = await Promise.all(
    orders.map(([number, amount]) => createJob(token, { order_number: number, amount })),
  )
  for (const { payUrl } of jobs) await payAs(payUrl, 'paid')
  ids = jobs.map(({ paymentJob }) => paymentJob)
  const inIndex = () =>
    env.DB.prepare("select count(*) as n from jobs where status = 'SUCCESS' and order_number in (?, ?)")
      .bind(once, thrice)
      .first('n')
  await vi.waitFor(async () => expect(await inIndex()).toBe(4), { timeout: 20_000, interval: 100 })
})

it.each([
  ['the payment of its amount', once, 'payment', 1000, 0],
  ['no payment of another amount', once, 'payment', 900, null],
  ['a part that goes back', once, 'refund', -300, 0],
  ['none of two payments of the same amount', thrice, 'payment', 2000, null],
  ['the one payment of its amount', thrice, 'payment', 700, 3],
  ['none of several payments that money may go back of', thrice, 'refund', -700, null],
  ['no payment of a number that no order has', 'nobody', 'payment', 700, null],
] as const)('an order number finds %s', async (_, orderNumber, kind, gross, at) => {
  const line = { kind, gross, orderNumber, at: 0, job: null, reference: null, fee: 0, text: '' }
  const [matched] = await matchLines(env, { account: 'sandbox', id: 'po', currency: 'EUR', from: 1 }, [line])
  expect(matched?.job).toBe(at === null ? null : ids[at])
})
