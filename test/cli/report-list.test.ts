import { describe, expect, it } from 'vitest'
import { askedHub } from './asked-hub.ts'
import { runHub } from './run-hub.ts'

const { asked, answer, queries } = askedHub()

const AT = '2026-01-31T10:00:00.000Z'
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
    const report = {
      paymentJob: 'j',
      pos: 'p',
      name: 'Bakery',
      orderNumber: 'A-1',
      status: 'SUCCESS',
      owedSince: AT,
      givenUp: null,
    }
    answer(
      { shops: [SHOP], reports: [report], next: 'x' },
      { shops: [SHOP], reports: [{ ...report, paymentJob: 'k' }], next: null },
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
    const report = {
      paymentJob: 'j',
      pos: 'p',
      name: 'Trial',
      mode: 'test',
      orderNumber: 'T-1',
      status: 'SUCCESS',
    }
    const failing = { ...report, owedSince: AT, givenUp: null }
    const shops = [SHOP, { ...SHOP, name: 'Trial', mode: 'test' }]
    answer({ shops, reports: [failing, { ...failing, mode: 'live', orderNumber: 'L-1' }], next: null })
    const { out } = await runHub(['report', 'list', '--failing'])
    const lines = out.filter((line) => /[LT]-1/.test(line))
    expect(lines).toEqual([expect.stringMatching(/ live .*L-1 /), expect.stringMatching(/ test .*T-1 /)])
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
  const shop = {
    id: 'p',
    name: 'Bakery',
    mode: 'live',
    signReturn: false,
    dialect: 'v2',
    created: AT,
    disabled: null,
  }
  answer({ pointsOfSale: [shop] }, { resent: 200, next: 'x' }, { resent: 3, next: null })
  expect(await runHub(['report', 'resend', '--pos', 'bakery'])).toMatchObject({
    code: 0,
    out: ['resent  203'],
  })
  const [, first = '', second] = queries()
  expect(asked.mock.calls[1]?.[0]).toMatchObject({ pathname: '/operator/v1/pos/p/reports/resend' })
  expect([first.startsWith('?until='), second]).toEqual([true, `${first}&after=x`])
})
