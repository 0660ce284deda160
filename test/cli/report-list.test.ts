import { describe, expect, it } from 'vitest'
import { askedHub } from './asked-hub.ts'
import { runHub } from './run-hub.ts'
import { sampleAnswer } from './sample-answers.ts'

const { asked, answer, queries } = askedHub()

const AT = '2026-01-31T10:00:00.000Z'
const {
  reports: [REPORT],
} = sampleAnswer('GET', '/operator/v1/reports/failing') as { reports: [object] }
const SHOP = { pos: 'p', name: 'Bakery', mode: 'live', owed: 2, givenUp: 0, since: AT, lastOutcome: '500' }

describe('hub report list', () => {
  const NONE = { undelivered: [] }
  it('shows the shops whose reports fail now as well', async () => {
    answer(NONE, { shops: [], reports: [], next: null })
    expect((await runHub(['report', 'list'])).out).toEqual(['undelivered  none', 'shops        none'])
    answer(NONE, { shops: [SHOP], reports: [], next: null })
    expect((await runHub(['report', 'list'])).out.at(-1)).toMatch(/^p +Bakery +live +2 /)
  })

  it('with --failing goes from page to page', async () => {
    answer(
      { shops: [SHOP], reports: [{ ...REPORT, paymentJob: 'j' }], next: 'x' },
      { shops: [SHOP], reports: [{ ...REPORT, paymentJob: 'k' }], next: null },
    )
    const { out } = await runHub(['report', 'list', '--failing', '--pos', 'Bakery', '--json'])
    const { shops, reports } = JSON.parse(out[0] ?? '') as {
      shops: object[]
      reports: { paymentJob: string }[]
    }
    expect([shops, reports.map(({ paymentJob }) => paymentJob)]).toEqual([[SHOP], ['j', 'k']])
    expect(queries()).toEqual(['?pos=Bakery', '?pos=Bakery&after=x'])
  })

  it('with --failing lists live ones first, and takes a mode', async () => {
    const failing = ['test', 'live'].map((mode) => ({ ...REPORT, mode, orderNumber: `A ${mode} one` }))
    answer({ shops: [SHOP], reports: failing, next: null })
    const { out } = await runHub(['report', 'list', '--failing'])
    const lines = out.filter((line) => /A \w+ one/.test(line))
    expect(lines).toEqual(['live', 'test'].map((mode) => expect.stringMatching(` ${mode} .*A ${mode} one`)))
    answer({ shops: [], reports: [], next: null })
    await runHub(['report', 'list', '--failing', '--mode', 'live'])
    expect(queries().at(-1)).toBe('?mode=live')
  })

  it.each([
    ['--failing', '--from', '2026-01-31'],
    ['--pos', 'p'],
  ])('refuses what does not go together: %s', async (...words) => {
    expect((await runHub(['report', 'list', ...words])).code).not.toBe(0)
    expect(asked).not.toHaveBeenCalled()
  })

  it('with an empty --pos, as of a variable that is not set, is not of all shops', async () => {
    answer({ shops: [], reports: [], next: null })
    await runHub(['report', 'list', '--failing', '--pos', ''])
    expect(queries()).toEqual(['?pos='])
  })
})

it('report resend --pos sends all that a shop did not take, page by page, of the time of its beginning', async () => {
  const { pointsOfSale } = sampleAnswer('GET', '/operator/v1/pos') as { pointsOfSale: [object] }
  const shop = { ...pointsOfSale[0], id: 'p', name: 'Bakery' }
  answer({ pointsOfSale: [shop] }, { resent: 200, next: 'x' }, { resent: 3, next: null })
  expect(await runHub(['report', 'resend', '--pos', 'bakery'])).toMatchObject({
    code: 0,
    out: ['resent  203'],
  })
  const [, first = '', second] = queries()
  expect(asked.mock.calls[1]?.[0]).toMatchObject({ pathname: '/operator/v1/pos/p/reports/resend' })
  expect([first.startsWith('?until='), second]).toEqual([true, `${first}&after=x`])
})
