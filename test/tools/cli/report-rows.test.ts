import { describe, expect, it } from 'vitest'
import { rowOf, tableLines } from '../../../src/tools/cli/report-rows.ts'

const ID = 'msg_5b0c2f34-9d0e-4c5a-8b1f-2f0f6a7d1c3e_2'
const told = {
  orderNumber: 'TRIGGER-123456',
  status: 'CANCELLED',
  currency: 'EUR',
  amountPaid: '12.50',
}
function frame(body: string) {
  return {
    type: 'report',
    delivery: 'd',
    job: 'j',
    revision: 2,
    try: 11,
    to: 'listener',
    reportUrl: '',
    headers: { 'webhook-id': ID },
    body,
  } as const
}
const recorded = { outcome: 'no answer in time', state: 'due', nextTry: null, ms: 15_002 } as const
const row = rowOf(frame(JSON.stringify(told)), recorded, new Date('2026-11-21T10:01:12Z'))

describe('the table of reports', () => {
  it.each([40, 60, 80, 100, 132, 160, 300])(
    'fits a terminal of %i columns, each cell below its head',
    (columns) => {
      const { head, row: line } = tableLines(columns)
      const lines = [...head().split('\n'), line(row)]
      for (const text of lines) expect(text.length).toBeLessThanOrEqual(columns)
      const places = Array.from((lines[1] ?? '').matchAll(/-+/g), ({ index }) => index)
      for (const place of places.slice(1)) expect((lines[2] ?? '').slice(place - 2, place)).toBe('  ')
    },
  )

  it('shows ids by their beginning and their end where there is no room, and whole where there is', () => {
    expect(tableLines(100).row(row)).toMatch(/msg_\w+…\S+_2 /)
    expect(tableLines(100).row(row)).toContain('no answer in time  15002')
    expect(tableLines(160).row(row)).toContain(` ${ID} `)
  })

  it('shows what went back beside what was paid', () => {
    const back = rowOf(frame(JSON.stringify({ ...told, amountRefunded: '5.00' })), recorded, new Date())
    expect(tableLines(160).row(back)).toContain('EUR 12.50 -5.00')
  })

  it('shows a body that it cannot read by its webhook-id, and a try without an end as not known', () => {
    const line = tableLines(160).row(rowOf(frame('no JSON'), null, new Date()))
    expect(line).toContain(ID)
    expect(line).toMatch(/not known$/)
  })
})
