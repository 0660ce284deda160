import { describe, expect, it } from 'vitest'
import { readSettlementDetails } from '../../../src/psp/adyen/settlement.ts'

/**
 * In the columns of Adyen's settlement details report:
 * https://docs.adyen.com/reporting/settlement-reconciliation/transaction-level/settlement-details-report
 */
const HEAD =
  'Company Account,Merchant Account,Psp Reference,Merchant Reference,Payment Method,Creation Date,TimeZone,Type,' +
  'Modification Reference,Gross Currency,Gross Debit (GC),Gross Credit (GC),Exchange Rate,Net Currency,Net Debit (NC),' +
  'Net Credit (NC),Commission (NC),Markup (NC),Scheme Fees (NC),Interchange (NC),Payment Method Variant,' +
  'Modification Merchant Reference,Batch Number'
const JOB = '5b0c2f34-5d5a-4c0e-9a39-0d6f3f0b7c11'
const ROWS = [
  `Co,Shop,8515131751004933,${JOB},visa,2026-10-03 20:17:00,CEST,Settled,8515131751004934,EUR,,100.00,1,EUR,,98.80,,0.60,0.20,0.40,visadebit,,7`,
  `Co,Shop,8515131751004933,${JOB},visa,2026-10-04 09:00:00,CEST,Refunded,8515131751004935,EUR,40.00,,1,EUR,40.00,,,,,,visadebit,,7`,
  `Co,Shop,8515131751004936,"A-1, late",mc,2026-10-04 10:00:00,CEST,Chargeback,85,EUR,20.00,,1,EUR,27.50,,7.50,,,,mc,,7`,
  `Co,Shop,,,,2026-10-05 00:00:00,CEST,Fee,Transaction Fees October,EUR,,,,EUR,1.30,,,,,,,,7`,
  `Co,Shop,,,,2026-10-05 00:00:00,CEST,MerchantPayout,"TX1, batch 7",EUR,,,,EUR,30.00,,,,,,,,7`,
]
function file(rows: readonly string[], head = HEAD) {
  return `\uFEFF${[head, ...rows, ''].join('\r\n')}`
}

describe("Adyen's settlement details report", () => {
  it('is a payout for each batch, whose lines sum to the paid amount', () => {
    const read = readSettlementDetails(file(ROWS))
    expect(read).toMatchObject({ ok: true, value: [{ id: 'batch-7-EUR', currency: 'EUR', amount: 3000 }] })
    const [payout] = read.ok ? read.value : []
    expect(payout?.lines.map(({ kind, gross, fee }) => [kind, gross, fee])).toEqual([
      ['payment', 10_000, 120],
      ['refund', -4000, 0],
      ['chargeback', -2000, 750],
      ['fee', 0, 130],
    ])
    expect(payout?.lines.reduce((sum, { gross, fee }) => sum + gross - fee, 0)).toBe(3000)
    expect(payout?.lines[0]).toMatchObject({ job: JOB, at: Date.parse('2026-10-03T18:17:00Z') })
    expect(payout?.lines[1]?.transfer).toBe('8515131751004935')
    expect(payout?.lines[2]).toMatchObject({ job: null, orderNumber: 'A-1, late' })
  })

  it.each([
    [2, 'Net Credit (NC)', ROWS[0]?.replace('98.80', '98,80,')],
    [2, 'Net Credit (NC)', ROWS[0]?.replace(',98.80,', ',98.8x,')],
    [2, 'Net Credit (NC)', ROWS[0]?.replace(',98.80,', ',98.81,')],
    [2, 'Creation Date', ROWS[0]?.replace('2026-10-03 20:17:00', 'yesterday')],
    [2, 'Net Currency', ROWS[0]?.replaceAll('EUR', 'EURO')],
    [2, 'Batch Number', ROWS[0]?.replace(/7$/, '')],
    [2, '', ROWS[0]?.replace('visa,2026', '"visa,2026')],
  ])(
    'that is wrong in line %i, column %j, is refused there, and nothing of it is read',
    (line, column, row) => {
      const read = readSettlementDetails(file([row ?? '', ...ROWS.slice(1)]))
      expect(read).toMatchObject({ ok: false, error: { line } })
      if (!read.ok && !read.error.why.includes('fields')) expect(read.error.column).toBe(column)
    },
  )

  it('of a batch that pays out nothing passes its balance to the next one', () => {
    const row = (type: string, net: string, text: string) =>
      `Co,Shop,,,,2026-10-05 00:00:00,CEST,${type},${text},,,,,EUR,${net},,,,,,,7`
    const rows = [
      row('Balancetransfer', ',800.10', 'from batch 6'),
      '',
      row('Fee', '0.09,', 'Transaction Fees'),
      row('Balancetransfer', '800.01,', 'to batch 8'),
    ]
    const read = readSettlementDetails(`\n\n${file(rows)}`)
    expect(read).toMatchObject({ ok: true, value: [{ id: 'batch-7-EUR', amount: 0 }] })
    const lines = read.ok ? (read.value[0]?.lines ?? []) : []
    expect(lines.map(({ kind, gross, fee }) => [kind, gross, fee])).toEqual([
      ['correction', 80_010, 0],
      ['fee', 0, 9],
      ['correction', -80_001, 0],
    ])
  })

  it('may have semicolons', () => {
    const rows = ROWS.slice(0, 2).map((row) => row.replaceAll(',', ';'))
    expect(readSettlementDetails(file(rows, HEAD.replaceAll(',', ';')))).toMatchObject({ ok: true })
  })
})
