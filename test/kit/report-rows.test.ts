import { describe, expect, it, vi } from 'vitest'
import { headLines, rowLine, rowOf } from '../../src/kit/report-rows.ts'
import { viewOf } from '../../src/programs/view.ts'

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
const view = viewOf(process.stdout, true)
const row = rowOf(frame(JSON.stringify(told)), recorded, new Date('2026-11-21T10:01:12Z'))

describe('the table of reports', () => {
  it.each([40, 80, 160])('fits a terminal of %i columns, each cell below its head', (columns) => {
    const [head = '', rule = ''] = headLines(columns)
    const line = rowLine(row, view, columns)
    for (const text of [head, rule, line]) expect(text.length).toBeLessThanOrEqual(columns)
    expect(line.indexOf('CANCELLED')).toBe(head.indexOf('status'))
    expect(line.indexOf('EUR 12.50')).toBe(head.indexOf('paid'))
  })

  it('shows each member of a try, and the webhook-id whole where there is room', () => {
    expect(rowLine(row, view, 160)).toMatch(new RegExp(`EUR 12\\.50 +11 +no answer in time +15002 +${ID}$`))
  })

  it('shows times in the zone of the machine, or in UTC where that is wanted', () => {
    vi.stubEnv('TZ', 'Asia/Tokyo')
    const here = rowLine(row, viewOf(process.stdout, false), 160)
    vi.unstubAllEnvs()
    expect([here.slice(0, 8), rowLine(row, view, 160).slice(0, 8)]).toEqual(['19:01:12', '10:01:12'])
  })

  it('shows the refunded amount next to the paid one', () => {
    const back = rowOf(frame(JSON.stringify({ ...told, amountRefunded: '5.00' })), recorded, new Date())
    expect(rowLine(back, view, 160)).toContain('EUR 12.50 -5.00')
  })

  it('shows a body that it cannot read by its webhook-id, and a try without an end as not known', () => {
    expect(rowLine(rowOf(frame('no JSON'), null, new Date()), view, 160)).toMatch(
      new RegExp(`11 +not known +${ID}$`),
    )
  })
})
