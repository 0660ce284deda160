import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { askedHub } from './asked-hub.ts'
import { runHub } from './run-hub.ts'
import { sampleAnswer } from './sample-answers.ts'

const { asked, answer } = askedHub()

const FETCHED = { payouts: 1, lines: 2, leftOut: [], next: null }

it('books fetch says which payout is left out, and why', async () => {
  answer({ ...FETCHED, leftOut: [{ payout: 'po_2', why: 'In USDC.' }], next: 'more' }, FETCHED)
  const { code, out } = await runHub(['books', 'fetch', 'stripe-eu'])
  expect([code, out.slice(0, 3)]).toEqual([0, ['account  stripe-eu', 'payouts  2', 'lines    4']])
  expect(out.at(-1)).toMatch(/^po_2 +In USDC\.$/)
})

describe('books import', () => {
  const head =
    'Merchant Account,Psp Reference,Merchant Reference,Creation Date,TimeZone,Type,Gross Currency,Gross Debit (GC),' +
    'Gross Credit (GC),Net Currency,Net Debit (NC),Net Credit (NC),Batch Number'
  const row = (merchant: string) =>
    `${merchant},P1,A-1,2026-10-03 20:17:00,CEST,Settled,EUR,,12.50,EUR,,12.50,7`
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it is made by the contract
  const sampled = sampleAnswer('GET', '/operator/v1/accounts') as { accounts: object[] }
  const accounts = { accounts: [{ ...sampled.accounts[0], id: 'adyen-a', psp: 'adyen' }] }
  const file = join(mkdtempSync(join(tmpdir(), 'books-')), 'report.csv')
  const refusal = (detail: string) =>
    asked.mockImplementationOnce(async () =>
      Response.json({ title: 't', status: 409, detail, code: 'payout-conflict' }, { status: 409 }),
    )
  const importFile = async (...rows: string[]) => {
    writeFileSync(file, [head, ...rows].join('\n'))
    return runHub(['books', 'import', 'adyen-a', file])
  }

  it('leaves out what is of another merchant account, and books the rest', async () => {
    answer(accounts)
    refusal('It is of ShopB.')
    answer({ isWhole: true, findings: 0 })
    const { code, out } = await importFile(row('ShopB'), row('ShopA'))
    expect(code).toBe(0)
    expect(out.join('\n')).toMatch(/^findings +0$/m)
    expect(out.at(-1)).toMatch(/^batch-7-EUR +It is of ShopB\.$/)
  })

  it('fails where nothing of the file was booked', async () => {
    answer(accounts)
    refusal('It is of ShopB.')
    const { code, err } = await importFile(row('ShopB'))
    expect([code, err.join('\n')]).toEqual([1, expect.stringContaining('It is of ShopB.')])
  })

  it('refuses a page instead of a report, and sends nothing', async () => {
    answer(accounts)
    writeFileSync(file, '<html>Please log in</html>\n')
    const { code, err } = await runHub(['books', 'import', 'adyen-a', file])
    expect([code, err.join('\n')]).toEqual([1, expect.stringContaining('line 1, column "Type"')])
    expect(asked).toHaveBeenCalledTimes(1)
  })
})
