import { expect, it } from 'vitest'
import type { CallResult } from '../../../src/psp/http-client.ts'
import { stripePayouts } from '../../../src/psp/stripe/payouts.ts'

const JOB = '5b0c2f34-5d5a-4c0e-9a39-0d6f3f0b7c11'
const charge = { object: 'charge', metadata: { payment_job: JOB }, payment_intent: 'pi_1' }
/** In the form of https://docs.stripe.com/api/balance_transactions/object. */
function transaction(id: string, category: string, amount: number, fee: number, source: unknown) {
  const type = category === 'payout' ? 'payout' : category
  return {
    id,
    object: 'balance_transaction',
    amount,
    fee,
    net: amount - fee,
    currency: 'eur',
    created: 1_790_000_000,
    type,
    reporting_category: category,
    description: null,
    source,
  }
}
const PAGES: Readonly<Record<string, object>> = {
  '/v1/payouts?limit=20': {
    data: [{ id: 'po_1', object: 'payout', amount: 8820, currency: 'eur', arrival_date: 1_790_086_400 }],
    has_more: false,
  },
  '/v1/balance_transactions?payout=po_1&limit=100&expand[]=data.source': {
    data: [
      transaction('txn_4', 'payout', -8820, 0, 'po_1'),
      transaction('txn_3', 'fee', -30, 0, null),
      transaction('txn_2', 'refund', -1000, 0, { id: 're_1', metadata: {}, payment_intent: 'pi_1' }),
    ],
    has_more: true,
  },
  '/v1/balance_transactions?payout=po_1&limit=100&expand[]=data.source&starting_after=txn_2': {
    data: [transaction('txn_1', 'charge', 10_000, 150, charge)],
    has_more: false,
  },
}
async function call(_method: string, path: string): Promise<CallResult> {
  const body = PAGES[path]
  return body ? { is: 'answered', status: 200, body } : { is: 'answered', status: 404, body: {} }
}

it("Stripe's payouts have their balance transactions as lines, which sum to the paid amount", async () => {
  const source = stripePayouts(call)
  const page = await source.payouts(null)
  expect(page).toMatchObject({
    ok: true,
    value: { payouts: [{ id: 'po_1', currency: 'EUR', amount: 8820 }], next: null },
  })
  const [payout] = page.ok ? page.value.payouts : []
  if (!payout) throw new Error('there is no payout')
  const first = await source.lines(payout, null)
  const last = await source.lines(payout, first.ok ? first.value.next : null)
  const lines = [first, last].flatMap((one) => (one.ok ? one.value.lines : []))
  expect(lines.map(({ kind, gross, fee, job, reference }) => [kind, gross, fee, job, reference])).toEqual([
    ['fee', 0, 30, null, null],
    ['refund', -1000, 0, null, 'pi_1'],
    ['payment', 10_000, 150, JOB, 'pi_1'],
  ])
  expect(lines.map(({ transfer }) => transfer)).toEqual([undefined, 're_1', undefined])
  expect(lines.reduce((sum, { gross, fee }) => sum + gross - fee, 0)).toBe(8820)
})

it('an answer without a list counts as silence', async () => {
  expect(
    await stripePayouts(async () => ({ is: 'answered', status: 200, body: {} })).payouts(null),
  ).toMatchObject({ ok: false })
})

const answering = (data: object[], hasMore = false) =>
  stripePayouts(async () => ({ is: 'answered', status: 200, body: { data, has_more: hasMore } }))
const listed = { id: 'po_1', amount: 8820, currency: 'eur', arrival_date: 1_790_086_400 }

it.each([
  ['an unknown currency', { currency: 'usdc' }],
  ['a fraction of a króna', { currency: 'isk', amount: 1050 }],
  ['no amount', { amount: '8820' }],
  ['no day', { arrival_date: null }],
])('only a payout with %s is left out, and reported', async (_, changes) => {
  const page = await answering([{ ...listed, id: 'po_2', ...changes }, listed]).payouts(null)
  expect(page).toMatchObject({
    ok: true,
    value: { payouts: [{ id: 'po_1' }], leftOut: [{ payout: 'po_2' }] },
  })
})

it('a payout whose transactions are in another currency is not read in part', async () => {
  const payout = { id: 'po_1', key: 'po_1', currency: 'EUR', amount: 8820, paidAt: 0 }
  const one = transaction('txn_1', 'charge', 10_000, 150, charge)
  for (const changes of [{ currency: 'usd' }, { amount: 'ten' }])
    expect(await answering([one, { ...one, ...changes }]).lines(payout, null)).toMatchObject({ ok: false })
})

it('an amount that another payout took out of the balance is a line of this one', async () => {
  const payout = { id: 'po_1', key: 'po_1', currency: 'EUR', amount: 8820, paidAt: 0 }
  const instant = transaction('txn_9', 'payout', -5000, 0, 'po_instant')
  const read = await answering([instant, transaction('txn_4', 'payout', -8820, 0, { id: 'po_1' })]).lines(
    payout,
    null,
  )
  expect(read).toMatchObject({ ok: true, value: { lines: [{ kind: 'correction', gross: -5000 }] } })
})

it('a page that announces more, but has nothing to continue after, is not the end', async () => {
  expect(await answering([], true).payouts(null)).toMatchObject({ ok: false })
})
