import { beforeAll, describe, expect, it } from 'vitest'
import { forgetChanges } from '../support/hub/new-hub.ts'
import { makeOperatorToken, operate } from '../support/hub/operator.ts'

const DAY = 'from=2022-06-07T00:00:00Z&to=2022-06-08T00:00:00Z'
const RANGE_TOO_LONG = 'to=2022-06-08T00:00:00Z'
const JOB = '5b0c2f34-9d0e-4c5a-8b1f-2f0f6a7d1c3e'
const NOBODY = crypto.randomUUID()

/** A payout of one line, as a client reads it from a file. */
const LINE = {
  kind: 'payment',
  job: null,
  reference: 'r',
  orderNumber: null,
  text: '',
  at: 1,
  gross: 1,
  fee: 0,
}
const PAYOUT = { id: 'x', currency: 'EUR', amount: 1, paidAt: 1, from: 1, total: 1, lines: [LINE] }

/** The named field, and the request. */
type Invalid = [field: string, method: 'GET' | 'POST', path: string, body?: object]
const INVALID: readonly Invalid[] = [
  ['name', 'POST', '/pos', {}],
  ['name', 'POST', '/pos', { name: '  ' }],
  ['name', 'POST', '/pos', { name: 'x'.repeat(101) }],
  ['mode', 'POST', '/pos', { name: 'x', mode: 'prod' }],
  ['signReturn', 'POST', '/pos', { name: 'x', signReturn: 'yes' }],
  ['body', 'POST', '/pos/any', {}],
  ['name', 'POST', '/pos/any', { name: '' }],
  ['name', 'POST', '/pos/any', { name: 'x'.repeat(101) }],
  ['signReturn', 'POST', '/pos/any', { signReturn: 'on' }],
  ['dialect', 'POST', '/pos/any', { dialect: 'v3' }],
  ['name', 'POST', '/tokens', { role: 'viewer' }],
  ['name', 'POST', '/tokens', { name: ' ', role: 'viewer' }],
  ['name', 'POST', '/tokens', { name: 'OPERATOR_TOKEN', role: 'viewer' }],
  ['name', 'POST', '/tokens', { name: 'Anna\u200b', role: 'viewer' }],
  ['name', 'POST', '/tokens', { name: 'Ａnna', role: 'viewer' }],
  ['name', 'POST', '/tokens', { name: 'Аnna', role: 'viewer' }],
  ['name', 'POST', '/tokens', { name: 'anna@shop.nl', role: 'viewer' }],
  ['name', 'POST', '/tokens', { name: '7f3c0b.access', role: 'viewer' }],
  ['name', 'POST', '/pos', { name: 'Shop\u00ad 1' }],
  ...['\u2028', '\u2029', '\u00a0', '\u2800', '\u3164', '\ufffc', '\u0301'.repeat(30)].flatMap(
    (blank): Invalid[] => [
      ['name', 'POST', '/pos', { name: `Shop${blank}1` }],
      ['name', 'POST', '/pos/any', { name: `Shop${blank}1` }],
      ['name', 'POST', '/tokens', { name: `Anna${blank}x`, role: 'viewer' }],
    ],
  ),
  ...['\u0007', '\u001b', '\n', '\u0085'].flatMap((control): Invalid[] => [
    ['note', 'POST', `/jobs/${crypto.randomUUID()}/clear-money`, { note: `a${control}b` }],
    ['note', 'POST', '/books/months/2026-01/close', { note: `a${control}b` }],
  ]),
  ['role', 'POST', '/tokens', { name: 'x' }],
  ['role', 'POST', '/tokens', { name: 'x', role: 'root' }],
  ['after', 'GET', '/sealing?after=frob'],
  ['after', 'POST', '/sealing/rotate?after=frob'],
  ['after', 'GET', '/audit?after=first'],
  ['action', 'GET', '/audit?action=pos.rout'],
  ['action', 'GET', '/audit?action='],
  ['limit', 'GET', '/audit?limit=0'],
  ['limit', 'GET', '/audit?limit=201'],
  ['from', 'GET', '/audit?from=yesterday'],
  ['pos', 'GET', '/reports/failing?pos=x'],
  ['after', 'GET', '/reports/failing?after=x'],
  ['after', 'GET', '/reports/failing?after=1.2.x'],
  ['from', 'POST', '/reports/resend'],
  ['from', 'POST', '/reports/resend?from=yesterday&to=today'],
  ['to', 'POST', '/reports/resend?from=2020-01-01T00:00:00Z'],
  ['day', 'GET', '/index/2026-02-30/verify'],
  ['day', 'GET', '/index/2026-13-01/verify'],
  ['day', 'GET', '/index/today/verify'],
  ['day', 'POST', '/backup/jobs/today'],
  ['after', 'POST', '/backup/audit?after=first'],
  ['rows.0', 'POST', '/restore/registry', { rows: [{ table: 'routes', row: { colour: 'red' } }] }],
  ['rows.0', 'POST', '/restore/registry', { rows: [{ table: 'jobs', row: { id: 'x' } }] }],
  ['month', 'GET', '/books/months/2026-13'],
  ['days', 'GET', '/books/open?days=soon'],
  ['after', 'GET', '/books/payouts/po_1?after=x'],
  ['currency', 'POST', '/books/accounts/sandbox/payouts', { id: 'x', currency: 'euro' }],
  ['paidAt', 'POST', '/books/accounts/sandbox/payouts', { ...PAYOUT, paidAt: 8.64e15 }],
  ['amount', 'POST', '/books/accounts/sandbox/payouts', { ...PAYOUT, amount: 1e14 }],
  ['lines.0.at', 'POST', '/books/accounts/sandbox/payouts', { ...PAYOUT, lines: [{ ...LINE, at: 9e15 }] }],
  [
    'lines.0.gross',
    'POST',
    '/books/accounts/sandbox/payouts',
    { ...PAYOUT, lines: [{ ...LINE, gross: 9e15 }] },
  ],
  ['by', 'GET', `/figures?${DAY}&by=shop`],
  ['mode', 'GET', `/figures?${DAY}&mode=real`],
  ['pos', 'GET', `/figures?${DAY}&pos=no+shop`],
  ['from', 'GET', `/figures?from=2022-07-01T00:00:00Z&${RANGE_TOO_LONG}`],
  ['from', 'GET', `/figures?from=2021-06-07T00:00:00Z&${RANGE_TOO_LONG}`],
  ['from', 'GET', `/figures?from=2020-06-07T00:00:00Z&by=day&${RANGE_TOO_LONG}`],
  ['order_number', 'GET', '/jobs?order_number='],
  ['pos', 'GET', '/jobs?pos=No+such+shop'],
  ['pos', 'GET', '/jobs?pos='],
  ['from', 'GET', '/jobs?from=yesterday'],
  ['from', 'GET', '/jobs?from=2026-02-30T10:00:00Z'],
  ['to', 'GET', '/jobs?to=2026-01-31'],
  ['month', 'GET', '/jobs?month=2026-13'],
  ['month', 'GET', `/jobs?month=2026-10&to=2026-10-02T00:00:00Z`],
  ['failing', 'GET', '/jobs?failing=yes'],
  ['ends_within', 'GET', '/jobs?ends_within='],
  ['ends_within', 'GET', '/jobs?ends_within=24'],
  ['ends_within', 'GET', '/jobs?ends_within=0h'],
  ['ends_within', 'GET', '/jobs?ends_within=1w'],
  ['ends_within', 'GET', '/jobs?ends_within=1000h'],
  ['ends_within', 'GET', '/jobs?ends_within=-1d'],
  ['mode', 'GET', '/jobs?mode=real'],
  ['separator', 'GET', '/movements/export?format=csv&separator=;'],
  ['month', 'GET', '/audit?month=October'],
  ['limit', 'GET', '/jobs?limit=0'],
  ['limit', 'GET', '/jobs?limit=201'],
  ['limit', 'GET', '/jobs?limit=1e2'],
  ['limit', 'GET', '/jobs?limit='],
  ['after', 'GET', '/jobs?after='],
  ['after', 'GET', `/jobs?after=1590969600000000-${JOB}`],
  ['after', 'GET', '/jobs?after=2020-06-01T00:00:00.000000Z-frob'],
  ['after', 'GET', `/jobs?after=2020-13-01T00:00:00.000000Z-${JOB}`],
  ['status', 'GET', '/jobs?status=PAID'],
  ['status', 'GET', '/jobs?status='],
  ['amount', 'GET', '/jobs?amount=-1'],
  ['amount_from', 'GET', '/jobs?amount_from=1,50'],
  ['currency', 'GET', '/jobs?currency=EURO'],
  ['id', 'GET', '/jobs?id=FIND-1'],
  ['id', 'GET', `/jobs?id=${JOB}&status=FAILURE`],
  ['order_id', 'GET', '/jobs?order_number=FIND-1&order_id=7700900'],
  ['reference', 'GET', '/jobs?q=FIND-1&reference=tr_cake'],
  ['method', 'GET', '/jobs?method='],
  ['format', 'GET', '/jobs/export'],
  ['format', 'GET', '/jobs/export?format=xls'],
  ['limit', 'GET', '/jobs/export?format=csv&limit=5'],
  ['after', 'GET', '/jobs/export?format=csv&after=x'],
  ['status', 'GET', '/jobs/export?format=csv&status=PAID'],
]

describe('invalid input is a 422 that names the field', () => {
  // The hub counts exports by operator, including those of other tests.
  let token: string
  beforeAll(async () => {
    token = (await makeOperatorToken('operator')).token
  })

  it.each(INVALID)('%s: %s %s %j', async (field, method, path, body) => {
    // A hub that works takes no backup at all.
    if (path.startsWith('/restore/')) await forgetChanges()
    const response = await operate(method, path, body, token)
    expect([response.status, await response.json()]).toMatchObject([422, { field }])
  })
})

describe('something unknown is a 404', () => {
  it.each<[code: string, method: 'GET' | 'POST', path: string, body?: object]>([
    ['pos-not-found', 'POST', '/pos/frob', { name: 'x' }],
    ['pos-not-found', 'POST', '/pos/frob/disable'],
    ['pos-not-found', 'POST', '/pos/frob/enable'],
    ['pos-not-found', 'POST', '/pos/frob/keys'],
    ['pos-not-found', 'POST', '/pos/frob/keys/revoke'],
    ['pos-not-found', 'POST', '/pos/frob/secret'],
    ['pos-not-found', 'GET', '/pos/frob/routes'],
    ['pos-not-found', 'POST', '/pos/frob/routes', { paymentMethod: '*', accounts: [] }],
    ['account-not-found', 'POST', '/accounts/nobody/check'],
    ['account-not-found', 'POST', '/accounts/nobody/remove'],
    ['account-not-found', 'POST', '/accounts/nobody/announce'],
    ['account-not-found', 'GET', '/accounts/nobody/webhook'],
    ['account-not-found', 'POST', '/accounts/nobody/credentials', { credentials: {} }],
    ['account-not-found', 'POST', '/books/accounts/nobody/fetch'],
    ['account-not-found', 'GET', '/accounts/nobody/terminals'],
    ['account-not-found', 'POST', '/accounts/nobody/terminals', { terminal: 'term_1' }],
    ['terminal-not-found', 'POST', '/accounts/nobody/terminals/term_1/remove'],
    ['pos-not-found', 'GET', '/pos/frob/terminals'],
    ['pos-not-found', 'POST', '/pos/frob/terminals', { terminal: 'term_1' }],
    ['payout-not-found', 'GET', '/books/payouts/po_none'],
    ['operator-token-not-found', 'POST', `/tokens/${'0'.repeat(32)}/revoke`],
    ['job-not-found', 'GET', `/jobs/${NOBODY}`],
    ['job-not-found', 'GET', `/jobs/${NOBODY}/events`],
    ['job-not-found', 'GET', '/jobs/none/events'],
    ['job-not-found', 'GET', `/jobs/${NOBODY}/journal`],
    ['job-not-found', 'POST', '/jobs/frob/resend'],
    ['job-not-found', 'POST', `/jobs/${NOBODY}/cancel`],
    ['job-not-found', 'POST', `/jobs/${NOBODY}/pull`],
    ['job-not-found', 'POST', `/jobs/${NOBODY}/erase`],
    ['job-not-found', 'POST', `/jobs/${NOBODY}/personal`],
    ['job-not-found', 'POST', `/jobs/${NOBODY}/refunds`, { id: NOBODY }],
  ])('%s: %s %s', async (code, method, path, body) => {
    const response = await operate(method, path, body)
    expect([response.status, await response.json()]).toMatchObject([404, { code }])
  })
})
