import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { runHub } from './run-hub.ts'

const asked = vi.fn<typeof fetch>()
beforeEach(() => {
  asked.mockReset()
  vi.stubGlobal('fetch', asked)
  vi.stubEnv('HUB_URL', 'https://hub.example.com')
  vi.stubEnv('OPERATOR_TOKEN', 'token')
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.unstubAllEnvs()
})

const AT = '2026-01-31T10:00:00.000Z'
/** An id, which needs no look for a name. */
const POS = '0f3a6c1de9b24875a1c3e5f708192a3b'
const PART = { part: 'KV', state: 'working', milliseconds: 3, message: null }
const ACCOUNT = {
  account: 'a',
  psp: 'mollie',
  mode: 'test',
  state: 'working',
  since: AT,
  checked: AT,
  message: null,
  waiting: 0,
}
const SHOP = { pos: 'p', name: 'Bakery', owed: 2, givenUp: 0, since: AT, lastOutcome: '500' }
const WELL = { state: 'working', version: '0.3.0', parts: [PART], accounts: [ACCOUNT], shops: [] }

const answer = (...bodies: object[]): void => {
  for (const body of bodies) asked.mockImplementationOnce(async () => Response.json(body))
}

describe('hub status', () => {
  it.each<[string, object, number]>([
    ['all is well', {}, 0],
    ['an account was not asked yet', { accounts: [{ ...ACCOUNT, state: 'unknown', since: null }] }, 0],
    ['a part that payments can do without fails', { state: 'impaired' }, 1],
    ['an account in test mode refuses', { accounts: [{ ...ACCOUNT, state: 'refused' }] }, 1],
    ['the reports of a shop fail', { shops: [SHOP] }, 1],
  ])('when %s: %j ends with %i', async (_, changes, code) => {
    answer({ ...WELL, ...changes })
    expect((await runHub(['status'])).code).toBe(code)
  })

  it('has a line for each part, account and shop, which begins with its state', async () => {
    answer({ ...WELL, state: 'impaired', shops: [SHOP], accounts: [{ ...ACCOUNT, waiting: 1 }] })
    const { out } = await runHub(['status', '--check', '--utc'])
    expect(asked.mock.calls.map(([url]) => (url as URL).search)).toEqual(['?check=1'])
    const lines = out.slice(2).map((line) => line.replaceAll(/ {2,}/g, ' | '))
    expect(lines).toEqual([
      'impaired | hub | release 0.3.0',
      'working | KV | 3 ms',
      `working | account a | mollie, test, since 2026-01-31 10:00:00Z, 1 payment waits for it`,
      `failing | shop Bakery | its receiver answered: 500, 2 reports not delivered since 2026-01-31 10:00:00Z, 0 given up within a day, p`,
    ])
  })
})

describe('hub report list', () => {
  const NONE = { undelivered: [] }
  it.each([
    [{ shops: [], reports: [], next: null }, 'No report was given up. No report is failing now.'],
    [
      { shops: [SHOP], reports: [], next: null },
      'No report was given up. 2 reports are failing now, to 1 shop: report list --failing',
    ],
    [
      { shops: [{ ...SHOP, owed: 1 }], reports: [], next: null },
      'No report was given up. 1 report is failing now, to 1 shop: report list --failing',
    ],
  ])('says how many fail now: %#', async (failing, says) => {
    answer(NONE, failing)
    expect((await runHub(['report', 'list'])).out).toEqual([says])
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
    const { out } = await runHub(['report', 'list', '--failing', '--pos', POS, '--json'])
    const { shops, reports } = JSON.parse(out[0] ?? '') as {
      shops: object[]
      reports: { paymentJob: string }[]
    }
    expect([shops, reports.map(({ paymentJob }) => paymentJob)]).toEqual([[SHOP], ['j', 'k']])
    expect(asked.mock.calls.map(([url]) => (url as URL).search)).toEqual([
      `?pos=${POS}`,
      `?pos=${POS}&after=x`,
    ])
  })

  it.each([
    ['--failing', '--from', '2026-01-31'],
    ['--pos', 'p'],
  ])('refuses what does not go together: %s', async (...words) => {
    expect((await runHub(['report', 'list', ...words])).code).not.toBe(0)
    expect(asked).not.toHaveBeenCalled()
  })
})
