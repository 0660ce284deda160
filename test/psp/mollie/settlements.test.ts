import { describe, expect, it } from 'vitest'
import type { CallResult } from '../../../src/psp/http-client.ts'
import { readSettlementFile } from '../../../src/psp/mollie/settlement-file.ts'
import { mollieSettlements } from '../../../src/psp/mollie/settlements.ts'
import type { LinePage, PayoutLine, PayoutWithLines } from '../../../src/psp/payouts/payouts.ts'

const JOB = '5b0c2f34-5d5a-4c0e-9a39-0d6f3f0b7c11'
const eur = (value: string) => ({ currency: 'EUR', value })
const payment = { metadata: { paymentJob: JOB }, description: 'A-1' }
const createdAt = '2026-10-01T10:00:00+00:00'

function list(name: string, items: object[], next?: string): object {
  const href = `https://api.mollie.com/v2/x?from=${next}&limit=250`
  return { count: items.length, _embedded: { [name]: items }, _links: { next: next ? { href } : null } }
}

/** In the form of https://docs.mollie.com/reference/get-settlement. */
const SETTLEMENT = {
  resource: 'settlement',
  id: 'stl_1',
  reference: '1234567.2610.03',
  status: 'paidout',
  settledAt: '2026-10-05T06:00:00+00:00',
  amount: eur('133.96'),
  periods: {
    '2026': {
      '09': {
        revenue: [],
        costs: [{ amountGross: eur('2.5410') }, { amountGross: eur('0.5009') }],
        invoiceReference: 'MOL-7',
      },
      '10': { revenue: [], costs: [] },
    },
  },
}
const PAGES: Readonly<Record<string, object>> = {
  '/settlements?limit=20': list(
    'settlements',
    [{ ...SETTLEMENT, id: 'stl_2', status: 'open', settledAt: null }],
    'stl_1',
  ),
  '/settlements?limit=20&from=stl_1': list('settlements', [SETTLEMENT]),
  '/settlements/stl_1': SETTLEMENT,
  '/settlements/stl_1/payments?limit=250': list(
    'payments',
    [{ id: 'tr_1', createdAt, amount: eur('100.00'), settlementAmount: eur('100.00'), ...payment }],
    'tr_2',
  ),
  '/settlements/stl_1/payments?limit=250&from=tr_2': list('payments', [
    { id: 'tr_2', createdAt, amount: eur('50.00'), settlementAmount: eur('50.00'), description: 'by hand' },
    // Settled by PayPal.
    { id: 'tr_3', createdAt, amount: eur('70.00'), description: 'by PayPal' },
  ]),
  '/settlements/stl_1/captures?limit=250&embed=payment': list('captures', [
    {
      id: 'cpt_1',
      createdAt,
      amount: eur('30.00'),
      settlementAmount: eur('30.00'),
      paymentId: 'tr_1',
      status: 'succeeded',
      description: 'A part of A-1',
      metadata: { capture: 'c1' },
      _embedded: { payment },
    },
  ]),
  '/settlements/stl_1/refunds?limit=250&embed=payment': list('refunds', [
    {
      id: 're_1',
      createdAt,
      amount: eur('20.00'),
      settlementAmount: eur('-20.00'),
      paymentId: 'tr_1',
      status: 'refunded',
      _embedded: { payment },
    },
    { id: 're_2', createdAt, amount: eur('5.00'), paymentId: 'tr_1', status: 'failed' },
  ]),
  '/settlements/stl_1/chargebacks?limit=250&embed=payment': list('chargebacks', [
    { id: 'chb_1', createdAt, amount: eur('23.00'), settlementAmount: eur('-23.00'), paymentId: 'tr_1' },
  ]),
}
async function call(_method: string, path: string): Promise<CallResult> {
  const body = PAGES[path]
  return body ? { is: 'answered', status: 200, body } : { is: 'answered', status: 404, body: {} }
}

const told = ({ kind, gross, fee, job, reference }: PayoutLine) => [kind, gross, fee, job, reference]
const sumOf = (lines: readonly PayoutLine[]) => lines.reduce((sum, { gross, fee }) => sum + gross - fee, 0)

it("Mollie's settlements have their payments, refunds, chargebacks and costs as lines, to the cent", async () => {
  const source = mollieSettlements(call)
  expect(await source.payouts(null)).toEqual({ ok: true, value: { payouts: [], next: 'stl_1' } })
  const page = await source.payouts('stl_1')
  const [payout] = page.ok ? page.value.payouts : []
  expect(payout).toMatchObject({ id: '1234567.2610.03', currency: 'EUR', amount: 13_396 })
  const lines: PayoutLine[] = []
  for (
    let after: string | null = null, isFirst = true;
    payout && (isFirst || after !== null);
    isFirst = false
  ) {
    const part: { ok: true; value: LinePage } | { ok: false } = await source.lines(payout, after)
    if (!part.ok) throw new Error(`no lines after ${after}`)
    lines.push(...part.value.lines)
    after = part.value.next
  }
  expect(lines.map(told)).toEqual([
    ['payment', 10_000, 0, JOB, 'tr_1'],
    ['payment', 5000, 0, null, 'tr_2'],
    ['payment', 3000, 0, JOB, 'tr_1'],
    ['refund', -2000, 0, JOB, 'tr_1'],
    ['chargeback', -2300, 0, null, 'tr_1'],
    ['fee', 0, 304, null, null],
  ])
  expect(lines.slice(2, 5).map(({ transfer }) => transfer)).toEqual(['cpt_1', 're_1', 'chb_1'])
  expect(sumOf(lines)).toBe(13_396)
  expect(lines.map(({ orderNumber }) => orderNumber)).toEqual(['A-1', 'by hand', 'A-1', 'A-1', null, null])
})

it('an answer without a list counts as silence, and the hub asks no further', async () => {
  const source = mollieSettlements(async () => ({ is: 'answered', status: 200, body: {} }))
  const payout = { id: 'x', key: 'stl_1', currency: 'EUR', amount: 1, paidAt: 0 }
  expect(await source.payouts(null)).toMatchObject({ ok: false })
  for (const after of [null, 'refunds', 'costs'])
    expect(await source.lines(payout, after)).toMatchObject({ ok: false })
})

describe("in Mollie's answer", () => {
  const answering = (body: object, status = 200) =>
    mollieSettlements(async () => ({ is: 'answered', status, body }))
  const payout = { id: 'x', key: 'stl_1', currency: 'EUR', amount: 1, paidAt: 7 }
  const one = { id: 'tr_1', createdAt, amount: eur('10.00'), settlementAmount: eur('10.00') }
  const costs = (...values: string[]) => ({
    periods: { '2026': { '10': { costs: values.map((value) => ({ amountGross: eur(value) })) } } },
  })

  it.each([
    ['is still open', { status: 'open' }],
    ['has no day', { settledAt: 'soon' }],
    ['has no amount', { amount: eur('ten') }],
    ['is in no currency', { amount: { currency: 'XXX', value: '1.00' } }],
  ])('a settlement that %s is not a payout', async (_, changes) => {
    const page = await answering(list('settlements', [{ ...SETTLEMENT, ...changes }])).payouts(null)
    expect(page).toMatchObject({ ok: true, value: { payouts: [] } })
  })

  it('a settlement has the day on which it was paid out', async () => {
    const page = await answering(list('settlements', [SETTLEMENT])).payouts(null)
    expect(page).toMatchObject({ value: { payouts: [{ paidAt: Date.parse(SETTLEMENT.settledAt) }] } })
  })

  it('a payment has the amount that Mollie settled, in the currency of the payout', async () => {
    const changes = { amount: { currency: 'USD', value: '11.00' }, settlementAmount: eur('9.50') }
    const read = await answering(list('payments', [{ ...one, ...changes, description: 'A-9' }])).lines(
      payout,
      null,
    )
    const line = {
      gross: 950,
      at: Date.parse(createdAt),
      orderNumber: 'A-9',
      reference: 'tr_1',
      text: 'tr_1',
      job: null,
    }
    expect(read).toMatchObject({ ok: true, value: { lines: [line], next: 'captures' } })
  })

  it.each(['payments', 'captures', 'refunds', 'chargebacks'])(
    'a %s entry that Mollie does not settle has no line',
    async (name) => {
      const { settlementAmount: _, ...unsettled } = one
      const read = await answering(list(name, [unsettled])).lines(payout, name)
      expect(read).toMatchObject({ ok: true, value: { lines: [] } })
    },
  )

  it.each([
    ['no day', { settledAt: 'soon' }],
    ['no amount', { amount: eur('ten') }],
    ['an unknown currency', { amount: { currency: 'XXX', value: '1.00' } }],
    ['more decimals than its currency', { amount: eur('1.005') }],
    ['no reference', { reference: null }],
  ])('only a settlement with %s is left out, and reported', async (_, changes) => {
    const settlements = [{ ...SETTLEMENT, id: 'stl_2', ...changes }, SETTLEMENT]
    const page = await answering(list('settlements', settlements)).payouts(null)
    expect(page).toMatchObject({
      ok: true,
      value: { payouts: [{ key: 'stl_1' }], leftOut: [{ payout: 'stl_2' }] },
    })
  })

  it.each([['https://api.mollie.com/v2/settlements'], ['nowhere']])(
    'a next page at %j counts as silence: it is not the end',
    async (href) => {
      const body = { _embedded: { settlements: [SETTLEMENT] }, _links: { next: { href } } }
      expect(await answering(body).payouts(null)).toMatchObject({ ok: false })
    },
  )

  it('an entry that was not carried out is left out', async () => {
    const refunds = ['failed', 'canceled'].map((status) => ({ ...one, status }))
    const read = await answering(list('refunds', refunds)).lines(payout, 'refunds')
    expect(read).toEqual({ ok: true, value: { lines: [], next: 'chargebacks' } })
  })

  it.each([
    [
      'an amount in another currency',
      'payments',
      { ...one, settlementAmount: { currency: 'USD', value: '1.00' } },
    ],
    ['an unreadable amount', 'payments', { ...one, settlementAmount: eur('ten') }],
    ['no time', 'payments', { ...one, createdAt: 'yesterday' }],
  ])('%s counts as silence: nothing is booked without it', async (_, name, item) => {
    expect(await answering(list(name, [item])).lines(payout, name)).toMatchObject({ ok: false })
  })

  it('an answer without success counts as silence, whatever its body is', async () => {
    expect(await answering(list('settlements', [SETTLEMENT]), 403).payouts(null)).toMatchObject({ ok: false })
    expect(await answering(costs('1'), 403).lines(payout, 'costs')).toMatchObject({ ok: false })
    const away = mollieSettlements(async () => ({ is: 'unavailable', message: 'gone' }))
    const silence = { ok: false, error: { message: 'gone' } }
    expect(await away.payouts(null)).toMatchObject(silence)
    expect(await away.lines(payout, 'costs')).toMatchObject(silence)
  })

  it.each([
    [['2', '0.25'], 225],
    [['1.0049', '1.0049'], 201],
    [['-0.5000', '12.3456'], 1185],
  ])('costs of %j are %i cents, rounded once', async (values, fee) => {
    const read = await answering(costs(...values)).lines(payout, 'costs')
    expect(read).toMatchObject({
      ok: true,
      value: { lines: [{ kind: 'fee', gross: 0, fee, at: 7 }], next: null },
    })
    expect(read.ok && read.value.lines[0]?.text).toBe('costs of 2026-10')
  })

  it('costs in another currency count as silence', async () => {
    const dollars = { ...payout, currency: 'USD' }
    expect(await answering(costs('1.00')).lines(dollars, 'costs')).toMatchObject({ ok: false })
  })

  it.each([['ten'], ['1.23456'], ['a1.00'], ['1.00b']])('costs of %j count as silence', async (value) => {
    expect(await answering(costs(value)).lines(payout, 'costs')).toMatchObject({ ok: false })
  })
})

const HEAD =
  'Date,Payment method,Currency,Amount,Status,ID,Description,Consumer name,Consumer bank account,Consumer BIC,Settlement currency,Settlement amount,Settlement reference,Amount refunded'
const ROWS = [
  '2026-10-01 10:12:00,ideal,EUR,100.00,paidout,tr_aaa111,A-1,J,NL01,BANKNL2A,EUR,100.00,1234567.2610.01,',
  '2026-10-03 09:00:00,refund,EUR,-20.00,refunded,re_ccc333,Refund of order A-1,,,,EUR,-20.00,1234567.2610.01,20.00',
  '2026-10-04,,EUR,-2.88,,,Withheld transaction fees MOL-2026-0001,,,,EUR,-2.88,1234567.2610.01,',
]

it("Mollie's file of a settlement has the same lines, each with the number of its order", () => {
  const read = readSettlementFile([HEAD, ...ROWS].join('\r\n'))
  const [payout] = read.ok ? read.value : ([] as PayoutWithLines[])
  expect(payout).toMatchObject({ id: '1234567.2610.01', currency: 'EUR', amount: 7712 })
  expect(payout?.lines[1]?.transfer).toBe('re_ccc333')
  expect(
    payout?.lines.map(({ orderNumber, ...line }) => [...told({ orderNumber, ...line }), orderNumber]),
  ).toEqual([
    ['payment', 10_000, 0, null, 'tr_aaa111', 'A-1'],
    ['refund', -2000, 0, null, 're_ccc333', 'A-1'],
    ['fee', 0, 288, null, null, null],
  ])
})

it('a file of two settlements is two payouts, each with the day of its last line', () => {
  const other = '2026-10-09,,EUR,1.00,,,Given back,,,,EUR,1.00,7654321.2610.01,'
  const read = readSettlementFile([HEAD, ...ROWS, other].join('\n'))
  expect(read).toMatchObject({
    ok: true,
    value: [
      { id: '1234567.2610.01', paidAt: Date.parse('2026-10-04T00:00:00Z') },
      { id: '7654321.2610.01', amount: 100, lines: [{ kind: 'correction', gross: 100, text: 'Given back' }] },
    ],
  })
  const [first] = read.ok ? read.value : []
  expect(first?.lines[0]).toMatchObject({ at: Date.parse('2026-10-01T10:12:00Z'), text: 'A-1' })
})

it('an order number with the words of a refund stays whole', () => {
  const row = ROWS[0]?.replace('A-1', 'No Refund of order 7') ?? ''
  expect(readSettlementFile([HEAD, row].join('\n'))).toMatchObject({
    value: [{ lines: [{ orderNumber: 'No Refund of order 7' }] }],
  })
})

it('a file that is cut off, and a settlement in two currencies, are refused', () => {
  expect(readSettlementFile(`${HEAD}\n"2026`)).toMatchObject({ ok: false, error: { line: 2 } })
  const dollars = ROWS[1]?.replace('EUR,-20.00,1', 'USD,-20.00,1') ?? ''
  const error = { line: 3, column: 'Settlement currency' }
  expect(readSettlementFile([HEAD, ROWS[0], dollars].join('\n'))).toMatchObject({ ok: false, error })
})

it.each([
  ['an amount', 'EUR,100.00,1', 'EUR,100.001,1', 'Settlement amount'],
  ['a currency', 'EUR,100.00,1', 'XXX,100.00,1', 'Settlement currency'],
  ['a date', '2026-10-01 10:12:00', '1 October', 'Date'],
  ['a reference', '1234567.2610.01', '', 'Settlement reference'],
])('a file with %s that cannot be read is refused with its line and column', (_, good, bad, column) => {
  const text = [HEAD, ROWS[1], ROWS[0]?.replace(good, bad)].join('\n')
  expect(readSettlementFile(text)).toMatchObject({ ok: false, error: { line: 3, column } })
})
