import { createServer } from 'node:http'
import {
  ACCOUNT,
  ALERTS,
  AUDIT,
  FAILING,
  FIGURES,
  HEALTH,
  JOB,
  JOURNAL,
  LISTED,
  ME,
  MONTH,
  OPERATOR_TOKEN,
  PAGE,
  POINTS,
  POS,
  REFUND,
  RETENTION,
  ROTATED,
  ROUTES,
  SEALING,
  SETTINGS,
  UNDELIVERED,
} from './sample-answers.ts'

const NOTHING = { ...AUDIT, entries: [], unfinished: [], next: null }

/** What the double of a hub answers, by method and path. */
const ANSWERS: Readonly<Record<string, object>> = {
  'POST /pos': { ...POS, apiKey: 'key', signingSecret: 'secret' },
  'GET /pos': { pointsOfSale: POINTS },
  'POST /pos/p': POS,
  'POST /pos/p/enable': { id: 'p', disabled: false },
  'POST /pos/-p/disable': { id: '-p', disabled: true },
  'POST /pos/p/keys': { id: 'p', apiKey: 'key' },
  'POST /pos/p/keys/revoke': { id: 'p', revoked: 1 },
  'POST /pos/p/secret': { id: 'p', signingSecret: 'secret' },
  'POST /pos/p/routes': ROUTES,
  'GET /pos/p%2Fq/routes': ROUTES,
  'GET /psps': {
    psps: [{ psp: 'mollie', credentials: [{ name: 'apiKey', description: '', optional: false }] }],
  },
  'GET /accounts': { accounts: [ACCOUNT] },
  'POST /accounts/a/check': {
    id: 'a',
    result: 'working',
    message: null,
    notifications: { state: 'none', last: null },
  },
  'POST /accounts/a/remove?force=1': { id: 'a', removed: true },
  'POST /sealing/rotate': ROTATED,
  'GET /sealing': SEALING,
  'GET /sealing?after=pos%3Ap': { ...SEALING, oldAccounts: [], oldCopies: ['pos:q'], next: null },
  'GET /jobs?order_number=-1&limit=3': { jobs: [LISTED], next: 'place' },
  'GET /jobs?amount=9.95': { jobs: [], next: 'first' },
  'GET /jobs?amount=9.95&after=first': { jobs: [], next: 'second' },
  'GET /jobs?amount=9.95&after=second': { jobs: [LISTED], next: 'third' },
  'GET /jobs?q=A+1': { jobs: [LISTED], next: null },
  'GET /figures?from=2026-01-31T00%3A00%3A00.000Z&by=psp': FIGURES,
  'GET /jobs?order_number=j&limit=2': { jobs: [LISTED], next: null },
  'GET /jobs?order_number=two&limit=2': { jobs: [LISTED, LISTED], next: null },
  'GET /jobs?order_number=none&limit=2': { jobs: [], next: null },
  'GET /jobs?account=sh%C3%B6p&limit=1': { jobs: [], next: null },
  'GET /jobs?order_number=p1': { jobs: [LISTED], next: null },
  [`POST /jobs/${JOB.paymentJob}/erase`]: { paymentJob: JOB.paymentJob, erased: true },
  [`POST /jobs/${JOB.paymentJob}/personal`]: { paymentJob: JOB.paymentJob, ipAddress: '203.0.113.7' },
  [`GET /jobs/${JOB.paymentJob}/journal`]: JOURNAL,
  'GET /jobs/j': JOB,
  'GET /jobs/j?at=2026-01-31T10%3A00%3A00.000Z': { ...JOB, status: 'EXPIRED' },
  'GET /jobs/j/journal': JOURNAL,
  'POST /jobs/j/resend': JOB,
  'POST /jobs/j/pull': JOB,
  'POST /jobs/j/announce': JOB,
  'POST /accounts/a/announce': { announced: 2, waiting: 0, next: 'x' },
  'POST /accounts/a/announce?after=x': { announced: 1, waiting: 0, next: null },
  [`POST /jobs/${JOB.paymentJob}/cancel`]: JOB,
  [`POST /jobs/${JOB.paymentJob}/refunds`]: REFUND,
  'GET /reports/undelivered?from=2026-01-31T00%3A00%3A00.000Z&to=2026-02-01T00%3A00%3A00.000Z': {
    undelivered: [UNDELIVERED],
  },
  'GET /reports/failing': { ...FAILING, next: null },
  'GET /health': HEALTH,
  'GET /alerts': ALERTS,
  'POST /alerts/test': { delivered: true, outcome: '200' },
  'POST /alerts/secret': { signingSecret: 'secret' },
  'GET /settings': SETTINGS,
  'GET /index/days': { days: ['2026-01-30', '2026-01-31'] },
  'GET /index/2026-01-31/verify': PAGE,
  'GET /audit?from=2026-01-31T00%3A00%3A00.000Z&subject=p': AUDIT,
  'GET /audit?subject=shop+2': NOTHING,
  'GET /audit?subject=shop+2&limit=1': NOTHING,
  'GET /audit?by=ana': NOTHING,
  'GET /audit?by=ana&limit=1': NOTHING,
  'GET /audit?limit=200': AUDIT,
  'GET /audit/verify?after=0': {
    entries: 2,
    unfinished: [],
    wrong: null,
    head: { number: 2, hash: 'b' },
    next: '2',
  },
  'GET /audit/verify?after=2': {
    entries: 1,
    unfinished: [3],
    wrong: null,
    head: { number: 3, hash: 'c' },
    next: null,
  },
  'GET /audit/verify?after=3': {
    entries: 0,
    unfinished: [],
    wrong: null,
    head: { number: 3, hash: 'c' },
    next: null,
  },
  'GET /audit/verify?after=9': {
    entries: 0,
    unfinished: [],
    wrong: { number: 10, reason: 'is missing' },
    head: { number: 9, hash: 'z' },
    next: null,
  },
  'POST /index/2026-01-30/rebuild': { ...PAGE, wrong: [], wrongHours: [], next: 'x' },
  'POST /index/2026-01-30/rebuild?after=x': { ...PAGE, wrong: [], wrongHours: [] },
  'POST /index/2026-01-31/rebuild': { ...PAGE, wrong: [], wrongHours: [] },
  'GET /retention': RETENTION,
  'POST /books/accounts/a/fetch': { payouts: 1, lines: 3, next: null },
  'GET /books/months/2026-01': MONTH,
  'GET /books/open?days=14': { jobs: [], more: false },
  'GET /books/payouts/po_1': { payout: MONTH.payouts[0], lines: [], next: null },
  'POST /books/months/2026-01/close': MONTH,
  'GET /me': ME,
  'GET /tokens': { tokens: [OPERATOR_TOKEN] },
  'POST /tokens': { ...OPERATOR_TOKEN, token: 'hub_op_x' },
  'POST /tokens/t/revoke': OPERATOR_TOKEN,
}

/** The bodies that the double was sent. */
export const bodies: unknown[] = []

/** A double of a hub, for the CLI in this process. */
export const hubDouble = createServer((request, response) => {
  let body = ''
  request.on('data', (chunk: Buffer) => (body += chunk.toString()))
  request.on('end', () => {
    if (body !== '') bodies.push(JSON.parse(body))
    const answer = ANSWERS[`${request.method} ${request.url?.replace('/operator/v1', '').replace(/\?$/, '')}`]
    response.statusCode = answer ? 200 : 404
    response.end(
      JSON.stringify(answer ?? { title: '', status: 404, detail: 'none', error: 'none', field: '' }),
    )
  })
})
