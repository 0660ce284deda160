import { describe, expect, it } from 'vitest'
import { PAYOUT_FILES } from '../../../src/psp/payouts/payout-files.ts'
import { samples as adyen } from '../adyen/samples.ts'
import { samples as mollie } from '../mollie/samples.ts'
import { SAMPLES } from '../samples.ts'

const FILES = Object.entries(SAMPLES).flatMap(([psp, { payoutFile }]) =>
  payoutFile === undefined ? [] : [[psp, payoutFile] as const],
)
const { payoutFile: ADYEN = '' } = adyen
const { payoutFile: MOLLIE = '' } = mollie

it('has a sample of each PSP whose files the hub reads', () => {
  expect(FILES.map(([psp]) => psp).toSorted()).toEqual(Object.keys(PAYOUT_FILES).toSorted())
})

function sumOf(psp: string, text: string): number | string {
  const read = PAYOUT_FILES[psp]?.(text)
  return read?.ok
    ? read.value.reduce((sum, { lines }) => sum + lines.reduce((all, one) => all + one.gross, 0), 0)
    : 'refused'
}

describe.each(FILES)('a file of %s', (psp, text) => {
  const head = text.split('\n').at(-3) ?? ''
  const withHead = (changed: string) => text.replace(head, changed)

  it.each([
    ['with a head in lower case', withHead(head.toLowerCase())],
    ['with underscores in its head', withHead(head.replaceAll(' ', '_'))],
    ['without spaces in its head', withHead(head.replaceAll(' ', ''))],
    ['with a byte order mark', `\uFEFF${text}`],
    ['with the line ends of Windows', text.replaceAll('\n', '\r\n')],
    ['with semicolons', text.replaceAll(',', ';')],
    ['with semicolons after an empty line', `\n${text.replaceAll(',', ';')}`],
    ['with quotation marks', text.replaceAll(/[^,\n]+/g, '"$&"')],
    ['with spaces around its cells', text.replaceAll(',', ' , ')],
    ['with blank lines', text.replaceAll('\n', '\n \n,,\n')],
    ['with cells that a spreadsheet adds', text.replaceAll('\n', ',,\n')],
    ['without an end of its last line', text.trimEnd()],
    ['with an unknown column', text.replaceAll('\n', ',New\n')],
  ])('%s is read', (_, changed) => {
    expect(sumOf(psp, changed)).toBe(1250)
  })

  it.each([
    ['a page', '<html>Please log in, or ask\nsomebody</html>\n'],
    ['a file in another language', 'Datum;Betaalmethode;Bedrag\n2026-10-01;iDEAL;12.50\n'],
    ['an empty file', ''],
    ['blank lines', '\n\n'],
    ['JSON', '{"status":"error"}'],
    ['only a head', text.split('\n').slice(0, -2).join('\n')],
  ])('%s is refused with its line', (_, changed) => {
    expect(PAYOUT_FILES[psp]?.(changed)).toMatchObject({ ok: false, error: { line: expect.any(Number) } })
  })

  it('is refused if one of its columns is missing or comes twice', () => {
    for (const column of head.split(',')) {
      const error = { column, line: text.split('\n').indexOf(head) + 1 }
      const without = PAYOUT_FILES[psp]?.(withHead(head.replace(column, `no ${column}`)))
      expect(without).toMatchObject({ ok: false, error: { column } })
      const twice = PAYOUT_FILES[psp]?.(withHead(`${head},${column}`))
      expect(twice).toMatchObject({ ok: false, error })
    }
  })

  it.each([['2026-02-31 10:00:00'], ['01-10-2026 10:00'], ['2026-10-01T10:00:00.000+02:00']])(
    'with the time %j is refused there',
    (time) => {
      const changed = text.replace(/2026-10-0\d [\d:]{8}/, time)
      const column = head.split(',').find((name) => name.toLowerCase().includes('date'))
      expect(PAYOUT_FILES[psp]?.(changed)).toMatchObject({ ok: false, error: { column } })
    },
  )
})

describe("Adyen's report", () => {
  const [head] = ADYEN.split('\n')
  const row = (type: string, net: string, currency = 'EUR', gross = ',') =>
    `P1,A-1,2026-10-03 20:17:00,CEST,${type},${currency},${gross},${currency},${net},,,,,7\n`
  const withFees = `${head?.replace('Batch', 'Commission (NC),Markup (NC),Scheme Fees (NC),Interchange (NC),Batch')}\n`

  it.each(['PaymentCost', 'AuthorisationSchemeFee', 'SettleCost', 'AdvancementCommission'])(
    'has the costs %s of a payment, taken or given back, as fees',
    (type) => {
      const read = PAYOUT_FILES['adyen']?.(withFees + row(type, '1.75,') + row(type, ',1.75'))
      const lines = [
        { kind: 'fee', gross: 0, fee: 175 },
        { kind: 'fee', gross: 0, fee: -175 },
      ]
      expect(read).toMatchObject({ value: [{ lines }] })
    },
  )

  it('says of a payout that the bank returned that it is one', () => {
    const read = PAYOUT_FILES['adyen']?.(withFees + row('BankInstructionReturned', ',491.08'))
    expect(read).toMatchObject({
      value: [{ lines: [{ kind: 'correction', gross: 49_108, isReturn: true }] }],
    })
  })

  it.each(['ISK', 'CLP'])(
    'rounds fractions of %s, which Adyen counts, so that lines add up to the payout',
    (currency) => {
      const paid = row('Settled', ',989.55', currency, ',1000')
        .replace(',,,,7', ',10.45,,,,7')
        .replace(',,7', ',7')
      const read = PAYOUT_FILES['adyen']?.(
        withFees + paid + paid + paid + row('MerchantPayout', '2968.65,', currency),
      )
      const [payout] = read?.ok ? read.value : []
      expect(payout?.amount).toBe(2969)
      expect(payout?.lines.map(({ gross }) => gross)).toEqual([1000, 1000, 1000])
      expect(payout?.lines.reduce((sum, { gross, fee }) => sum + gross - fee, 0)).toBe(2969)
    },
  )
})

describe("Adyen's report of a company", () => {
  const rows = ['ShopA', 'ShopB'].map((shop) => ADYEN.split('\n')[1]?.replace('P1', `${shop},P1`))
  const text = [`Merchant Account,${ADYEN.split('\n')[0]}`, ...rows].join('\n')

  it('has a payout for each merchant account, which numbers its own batches', () => {
    expect(PAYOUT_FILES['adyen']?.(text)).toMatchObject({
      ok: true,
      value: [
        { id: 'batch-7-EUR', merchant: 'ShopA', lines: [{ gross: 1250 }] },
        { id: 'batch-7-EUR', merchant: 'ShopB', lines: [{ gross: 1250 }] },
      ],
    })
  })
})

describe("Adyen's report with a record without a merchant account", () => {
  it('is refused, because the record may belong to any', () => {
    const [head, row] = ADYEN.split('\n')
    const text = [`Merchant Account,${head}`, `ShopA,${row}`, `,${row}`].join('\n')
    const error = { line: 3, column: 'Merchant Account' }
    expect(PAYOUT_FILES['adyen']?.(text)).toMatchObject({ ok: false, error })
  })
})

describe("a record of Mollie's file", () => {
  it.each([
    ['chb_1', -1250, 'A-1', 'chargeback'],
    ['chb_1', 1250, 'A-1', 'reversal'],
    ['re_1', -1250, 'Refund of order A-1', 'refund'],
    ['re_1', 1250, 'Refund of order A-1', 'reversal'],
  ])('with the id %s and %i cents for %j is a %s of its order', (id, cents, description, kind) => {
    const row = `2026-10-01 10:12:00,${id},${description},EUR,${cents / 100},1234567.2610.01\n`
    const read = PAYOUT_FILES['mollie']?.(`${MOLLIE.split('\n')[0]}\n${row}`)
    expect(read).toMatchObject({ value: [{ lines: [{ kind, gross: cents, orderNumber: 'A-1' }] }] })
  })

  it('without a settlement amount has no line, because Mollie settles no PayPal payment', () => {
    const paypal = '2026-10-01 10:12:00,tr_2,A-2,,,\n'
    expect(sumOf('mollie', MOLLIE + paypal)).toBe(1250)
    const [head = ''] = MOLLIE.split('\n')
    expect(PAYOUT_FILES['mollie']?.(`${head}\n${paypal}`)).toMatchObject({ ok: false })
  })
})
