import { describe, expect, it } from 'vitest'
import { askedHub } from './asked-hub.ts'
import { runHub } from './run-hub.ts'

const { answer, queries } = askedHub()

const AT = '2026-01-31T10:00:00.000Z'
const PART = { part: 'KV', state: 'working', milliseconds: 3, message: null }
const ACCOUNT = {
  account: 'a',
  psp: 'mollie',
  mode: 'live',
  state: 'working',
  since: AT,
  checked: AT,
  message: null,
  waiting: 0,
  notifications: { state: 'none', last: null },
}
const SHOP = { pos: 'p', name: 'Bakery', mode: 'live', owed: 2, givenUp: 0, since: AT, lastOutcome: '500' }
const WELL = {
  state: 'working',
  version: '0.3.0',
  parts: [PART],
  accounts: [ACCOUNT],
  shops: [],
  unknownAccounts: [],
  unapplied: { live: [], test: [] },
  reservedEndsSoon: { live: [], test: [] },
  credentials: [],
}
const DEAF = { ...ACCOUNT, notifications: { state: 'missing', last: null } }
const UNKNOWN = { account: 'b', count: 3, last: AT }

describe('hub status', () => {
  it.each<[string, object, number]>([
    ['all is well', {}, 0],
    ['an account was not asked yet', { accounts: [{ ...ACCOUNT, state: 'unknown', since: null }] }, 0],
    ['a part that payments can do without fails', { state: 'impaired' }, 1],
    ['an account refuses', { accounts: [{ ...ACCOUNT, state: 'refused' }] }, 1],
    ['an account in test mode refuses', { accounts: [{ ...ACCOUNT, mode: 'test', state: 'refused' }] }, 0],
    ['the reports of a shop fail', { shops: [{ ...SHOP, mode: 'test' }, SHOP] }, 1],
    ['the reports of shops in test mode fail', { shops: [{ ...SHOP, mode: 'test' }] }, 0],
    ['a paid account has never had a notification', { accounts: [DEAF] }, 1],
    ['a paid account in test mode has never had one', { accounts: [{ ...DEAF, mode: 'test' }] }, 0],
  ])('when %s: %j ends with %i', async (_, changes, code) => {
    answer({ ...WELL, ...changes })
    expect((await runHub(['status'])).code).toBe(code)
  })

  it('has a line for each part, account and shop, which begins with its state', async () => {
    const accounts = [{ ...ACCOUNT, waiting: 1 }, DEAF]
    const shops = [SHOP, { ...SHOP, name: 'Trial', mode: 'test' }]
    const token = {
      kind: 'operator-token',
      id: 't',
      name: 'CI',
      created: AT,
      expires: AT,
      state: 'ends-soon',
    }
    const key = { ...token, kind: 'api-key', name: 'Bakery', expires: null, state: 'old' }
    const credentials = [token, key]
    answer({ ...WELL, state: 'impaired', shops, accounts, unknownAccounts: [UNKNOWN], credentials })
    const { out } = await runHub(['status', '--check', '--utc'])
    expect(queries()).toEqual(['?check=1'])
    const lines = out.slice(2).map((line) => line.replaceAll(/ {2,}/g, ' | '))
    expect(lines).toEqual([
      'impaired | hub | release 0.3.0',
      'working | KV | 3 ms',
      `working | account a | mollie, live, since 2026-01-31 10:00:00Z, 1 payment waits for it`,
      'working | account a | mollie, live, since 2026-01-31 10:00:00Z, It has paid payments, but no notification has ever come: psp webhook a',
      'unknown | account b | 3 notifications name it, which the hub does not have: the last at 2026-01-31 10:00:00Z. Correct the webhook at the PSP',
      'due | operator token | CI: ends at 2026-01-31 10:00:00Z, made at 2026-01-31 10:00:00Z',
      'due | API key | Bakery: more than a year old, made at 2026-01-31 10:00:00Z',
      `failing | shop Bakery | its receiver answered: 500, 2 reports not delivered since 2026-01-31 10:00:00Z, 0 given up within a day, p`,
      `failing | shop Trial | test mode, its receiver answered: 500, 2 reports not delivered since 2026-01-31 10:00:00Z, 0 given up within a day, p`,
    ])
  })
})
