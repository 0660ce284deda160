import type { Why } from '../../../src/contract/why.ts'

/** What a hub answers an operator: one of each kind. */

const AT = '2026-01-31T10:00:00.000Z'
/** A time as the payment job has it, with six decimals. */
const MICROS = '2026-01-31T10:00:00.000000Z'
const ID = '5b0c2f34-5d5a-4c0e-9a39-0d6f3f0b7c11'
export const POS = {
  id: 'p',
  name: 'Shop 1',
  mode: 'test',
  signReturn: false,
  dialect: 'v2',
  created: AT,
  disabled: null,
}
export const POINTS = [POS, ...['-p', 'p/q'].map((id) => ({ ...POS, id, name: id }))]
export const ACCOUNT = { id: 'a', psp: 'mollie', mode: 'live', sealingKey: 'k', created: AT }
export const ROUTES = { pos: 'p', mode: 'live', routes: [{ paymentMethod: '*', accounts: ['a', '-b'] }] }
export const MONTH = {
  month: '2026-01',
  closed: { at: AT, by: 'Ada', note: 'Known' },
  payouts: [
    {
      id: 'po_1',
      account: 'a',
      paid: AT,
      month: '2026-01',
      currency: 'EUR',
      amount: '97.00',
      explained: '97.01',
      difference: '-0.01',
      fees: '3.00',
      lines: 3,
      findings: 1,
    },
  ],
}
export const PAGE = { jobs: 2, wrong: ['x'], wrongHours: [AT], next: null }
export const LISTED = {
  id: 'j',
  created: AT,
  pos: 'p',
  posName: 'Shop 1',
  mode: 'test',
  paidAt: null,
  refunded: '2.50',
  chargedBack: '1.00',
  net: '9.00',
  account: 'a',
  reference: 'tr_1',
  paymentMethod: 'ideal',
  orderId: '1',
  orderNumber: '-1',
  currency: 'EUR',
  amount: '12.50',
  paid: '12.50',
  status: 'PENDING',
  updated: AT,
  owedSince: null,
  givenUp: null,
}
const FIGURE = {
  key: 'total',
  name: 'all',
  created: 3,
  pending: 1,
  success: 1,
  failure: 1,
  cancelled: 0,
  expired: 0,
  successRate: 0.5,
  medianSeconds: 26.7,
  paid: [{ currency: 'EUR', amount: '12.50' }],
  refunded: [],
  chargedBack: [],
  net: [{ currency: 'EUR', amount: '12.50' }],
}
export const FIGURES = {
  from: AT,
  to: AT,
  by: 'psp',
  mode: 'live',
  zone: 'UTC',
  rows: [FIGURE],
  total: FIGURE,
}
const AMOUNTS = { amountDue: '12.50', amountPaid: '0.00' }
const STEP = { creationDate: MICROS, transactionId: ID, action: 'Start', status: 'PENDING', ...AMOUNTS }
export const REFUND = {
  refund: ID,
  paymentJob: ID,
  created: MICROS,
  currency: 'EUR',
  amount: '5.00',
  description: 'Refund of order A-1',
  status: 'PENDING',
  error: null,
}
export const WHY: Why = {
  cause: 'customer-not-back',
  happened: 'The payment is open since 2026-01-31T10:00:00Z.',
  move: 'customer',
  todo: 'The customer pays.',
  todos: [{ do: 'let-pay', says: 'The customer pays.' }],
  also: ['It rains.'],
}
export const JOB = {
  paymentJob: ID,
  orderId: '1',
  orderNumber: 'A-1',
  created: MICROS,
  lastUpdate: MICROS,
  language: 'nl',
  currency: 'EUR',
  ...AMOUNTS,
  paymentMethod: 'ideal',
  status: 'PENDING',
  payUrl: 'https://hub/pay/j',
  attributes: { returnUrl: 'https://shop/return', reportUrl: 'https://shop/report' },
  payments: { creationDate: MICROS, status: 'PENDING', ...AMOUNTS, steps: [STEP] },
  error: null,
  pos: 'p',
  posName: 'Shop 1',
  mode: 'test',
  account: 'a',
  announcement: 'announced',
  reference: 'tr_1',
  stage: null,
  late: false,
  refunds: [REFUND],
  refundable: '7.50',
  otherPayments: [{ account: 'b', reference: null, amountPaid: '0.00' }],
  reports: [{ revision: 1, state: 'due', due: AT, attempts: [{ at: AT, outcome: '500' }] }],
  passedOver: ['b'],
  skipped: [],
  askedAt: AT,
  nextAskAt: AT,
  timers: { expires: AT, nextPull: AT, nextAnnouncement: null, nextReport: AT, purge: null },
  why: WHY,
}
export const JOURNAL = {
  paymentJob: 'j',
  entries: [
    {
      number: 1,
      at: '2026-01-31T10:00:00.000000Z',
      version: 1,
      facts: [
        { is: 'created', pos: 'p', order: { amount: 1250 } },
        { is: 'attempted', account: 'a' },
      ],
      hash: 'a1',
    },
    { number: 2, at: '2026-01-31T10:00:05.000000Z', version: 1, facts: [{ is: 'expired' }], hash: 'a2' },
  ],
}
export const UNDELIVERED = { paymentJob: 'j', pos: 'p', orderNumber: 'A-1', status: 'SUCCESS', givenUp: AT }
const FAILING_SHOP = { pos: 'p', name: 'Shop 1', owed: 2, givenUp: 1, since: AT, lastOutcome: '500' }
const FAILING_JOB = { paymentJob: 'j', pos: 'p', name: 'Shop 1', orderNumber: 'A-1', status: 'SUCCESS' }
export const FAILING = {
  shops: [FAILING_SHOP],
  reports: [
    { ...FAILING_JOB, owedSince: AT, givenUp: null },
    { ...FAILING_JOB, owedSince: AT, givenUp: AT },
  ],
}
export const HEALTH = {
  state: 'impaired',
  version: '0.3.0',
  parts: [{ part: 'D1 DB', state: 'failing', milliseconds: 3000, message: 'did not answer' }],
  accounts: [
    {
      account: 'a',
      psp: 'mollie',
      mode: 'live',
      state: 'working',
      since: AT,
      checked: AT,
      message: null,
      waiting: 1,
      notifications: { state: 'working', last: AT },
    },
  ],
  shops: [FAILING_SHOP],
  unknownAccounts: [],
}
export const ALERTS = {
  isOn: true,
  alerts: [
    { id: 'x', kind: 'shop-failing', subject: 'p', detail: 'fails', since: AT, told: AT, ended: null },
  ],
}
export const SETTINGS = {
  version: '0.3.0',
  settings: [{ name: 'HUB_HOSTS', value: '', meaning: 'hosts' }],
}
export const RETENTION = { days: 400, forgotten: [{ day: '2026-01-31', objects: 2, rows: 2 }] }
export const OPERATOR_TOKEN = {
  id: 't',
  name: 'Desk',
  role: 'viewer',
  created: AT,
  createdBy: 'x',
  revoked: null,
  used: null,
}
export const ME = { name: 'Desk', role: 'viewer', via: 'token', until: null }
export const ROTATED = { sealingKey: 'k', resealed: ['a'], failed: [], accounts: 1, copies: 0 }

export const SEALED = { sealingKey: 'k', accounts: 1, oldAccounts: ['a'] }
export const SEALING = { ...SEALED, copies: 2, oldCopies: ['pos:p'], next: 'pos:p' }

const WHO = {
  at: AT,
  by: 'anna',
  role: 'operator',
  via: 'token',
  token: 't',
  subject: 'p',
  request: 'r',
  previous: 'a',
}
const UPDATED = { ...WHO, action: 'pos.update', before: null, after: { name: 'Shop 2' } }
export const AUDIT = {
  entries: [
    { ...UPDATED, number: 3, result: 'begun', of: null, hash: 'c' },
    { ...UPDATED, number: 2, result: 'done', of: 1, before: { name: 'Shop 1' }, hash: 'b' },
    { ...UPDATED, number: 1, result: 'begun', of: null, hash: 'a' },
  ],
  unfinished: [3],
  unreadable: [],
  next: '1',
}
