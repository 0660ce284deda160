import type { Ask } from '../../src/console/api.ts'
import type { AuditEntry } from '../../src/operator-api/contract/audit.ts'
import type { FigureRow, Figures } from '../../src/operator-api/contract/figures.ts'
import type { FailingReports, HubHealth, Settings } from '../../src/operator-api/contract/health.ts'
import type { Weather } from '../../src/operator-api/contract/weather.ts'
import type { Me } from '../../src/operator-api/contract/operators.ts'

/** What a shop, a customer or a PSP may write to make a page show something else than it is. */
export const HOSTILE = `<img src=x onerror=alert(1)>"'\u202etxt.exe`

const POS = { de: 'd1'.repeat(16), nl: 'a2'.repeat(16), test: 'c3'.repeat(16) }
export const JOB = '0193f3c2-7a51-8c5e-9b1d-2f6a8e4d7c10'

type Fixtures = {
  now?: number
  role?: Me['role']
  answers?: Readonly<Record<string, unknown>>
  isEmpty?: boolean
}

/**
 * The operator API as the console meets it: it answers what its contract promises, and keeps what it was asked. `answers` replaces an
 * answer, by method and path; null is an address that it does not have.
 */
export const operatorApiDouble = ({
  now = Date.now(),
  role = 'operator',
  answers = {},
  isEmpty = false,
}: Fixtures = {}) => {
  const asked: { method: string; path: string; headers: Headers; body: string }[] = []
  const all: Readonly<Record<string, unknown>> = { ...fixtures(now, role, isEmpty), ...answers }
  const ask: Ask = async (request) => {
    const { pathname, searchParams } = new URL(request.url)
    const path = `${request.method} ${pathname.replace('/operator/v1', '')}`
    asked.push({
      method: request.method,
      path: pathname,
      headers: request.headers,
      body: await request.text(),
    })
    const answer = all[`${path}?by=${searchParams.get('by')}`] ?? all[path]
    if (answer instanceof Response) return answer.clone()
    return answer === undefined || answer === null
      ? Response.json(
          {
            code: 'address-unknown',
            status: 404,
            title: 'Not found',
            detail: 'There is nothing at this address.',
          },
          { status: 404 },
        )
      : Response.json(answer)
  }
  return { ask, asked }
}

const fixtures = (now: number, role: Me['role'], isEmpty: boolean): Record<string, unknown> => {
  const ago = (minutes: number, seconds = 0) =>
    new Date(now - minutes * 60_000 - seconds * 1000).toISOString()
  const me: Me = {
    name: role === 'viewer' ? 'Noor (viewer)' : 'Anna de Vries',
    role,
    via: 'session',
    until: ago(-480),
  }
  const row = (key: string, name: string, success: number, failure: number, pending: number): FigureRow => ({
    key,
    name,
    created: success + failure + pending + Math.floor(failure / 2) + 1,
    pending,
    success,
    failure,
    cancelled: Math.floor(failure / 2),
    expired: 1,
    successRate: success / (success + failure + Math.floor(failure / 2) + 1),
    medianSeconds: 38.4,
    paid: [{ currency: 'EUR', amount: `${success * 41}.50` }],
  })
  const hours = Array.from({ length: 24 }, (_, place) => {
    const at = Math.ceil(now / 3_600_000) * 3_600_000 - (24 - place) * 3_600_000
    const busy = Math.max(0, Math.round(60 * Math.sin((place / 23) * Math.PI) + ((place * 37) % 17) - 6))
    return row(new Date(at).toISOString(), '', busy, Math.round(busy / 9), place > 21 ? 6 : 0)
  }).filter(({ success }) => success > 0)
  const total = {
    ...row('all', 'All', 731, 74, 12),
    paid: [
      { currency: 'EUR', amount: '38412.90' },
      { currency: 'CHF', amount: '1210.00' },
    ],
  }
  const figures: Figures = {
    from: ago(1440),
    to: ago(0),
    by: 'hour',
    mode: 'live',
    rows: isEmpty ? [] : hours,
    total: isEmpty ? { ...total, created: 0, successRate: null, medianSeconds: null, paid: [] } : total,
  }
  const shops = [
    {
      pos: POS.de,
      name: 'Bäckerei Müller & Söhne',
      owed: 14,
      givenUp: 3,
      since: ago(74),
      lastOutcome: '500',
    },
    { pos: POS.nl, name: HOSTILE, owed: 1, givenUp: 0, since: ago(3), lastOutcome: 'no answer in time' },
  ]
  const accounts = [
    { id: 'mollie-nl', psp: 'mollie', mode: 'live', sealingKey: 'k1', created: ago(90_000) },
    { id: 'stripe-eu', psp: 'stripe', mode: 'live', sealingKey: 'k1', created: ago(80_000) },
    { id: 'adyen-fallback', psp: 'adyen', mode: 'live', sealingKey: 'k1', created: ago(9000) },
  ]
  const health: HubHealth = {
    state: isEmpty ? 'working' : 'impaired',
    version: '0.4.0',
    parts: ['hub', 'KV', 'D1', 'queues'].map((part, place) => ({
      part,
      state: 'working',
      milliseconds: 4 + place * 7,
      message: null,
    })),
    accounts: isEmpty
      ? []
      : [
          {
            account: 'mollie-nl',
            psp: 'mollie',
            mode: 'live',
            state: 'working',
            since: ago(90_000),
            checked: ago(12),
            message: null,
            waiting: 0,
          },
          {
            account: 'stripe-eu',
            psp: 'stripe',
            mode: 'live',
            state: 'refused',
            since: ago(22),
            checked: ago(2),
            message: `Invalid API Key provided: sk_live_****abcd ${HOSTILE}`,
            waiting: 7,
          },
        ],
    shops: isEmpty ? [] : shops,
  }
  const failing: FailingReports = {
    shops: health.shops,
    reports: isEmpty
      ? []
      : [JOB, JOB.replace('10', '11'), JOB.replace('10', '12')].map((paymentJob, place) => ({
          paymentJob,
          pos: POS.de,
          name: place === 1 ? HOSTILE : 'Bäckerei Müller & Söhne',
          orderNumber: place === 1 ? HOSTILE : `2026-11-00${place}`,
          status: 'SUCCESS',
          owedSince: ago(74 - place * 9),
          givenUp: place === 0 ? ago(1) : null,
        })),
    next: null,
  }
  const statuses = [
    'SUCCESS',
    'SUCCESS',
    'PENDING',
    'FAILURE',
    'SUCCESS',
    'CANCELLED',
    'EXPIRED',
    'SUCCESS',
    'SUCCESS',
    'SUCCESS',
  ]
  const jobs = statuses.map((status, place) => ({
    id: JOB.replace('10', String(10 + place)),
    created: ago(place * 47),
    pos: POS.de,
    posName: place === 4 ? HOSTILE : place % 3 ? 'Bäckerei Müller & Söhne' : 'Fietsen van Dijk',
    account: place === 5 ? 'sandbox' : 'mollie-nl',
    reference: 'tr_8s7df',
    paymentMethod: place % 2 ? 'ideal' : 'creditcard',
    orderId: String(1000 + place),
    orderNumber: place === 4 ? HOSTILE : `A-${1000 + place}`,
    currency: place === 3 ? 'JPY' : 'EUR',
    amount: place === 3 ? '12800.00' : `${place * 313 + 12}.50`,
    paid: '0.00',
    status,
    updated: ago(place * 47),
    owedSince: place === 1 ? ago(60) : null,
    givenUp: place === 7 ? ago(60) : null,
  }))
  const step = (seconds: number, action: string, status: string, paid: string, more: object = {}) => ({
    creationDate: new Date(now - 5_400_000 + seconds * 1000).toISOString().replace('Z', '123Z'),
    action,
    status,
    amountDue: paid === '0.00' ? '1234.50' : '0.00',
    amountPaid: paid,
    ...more,
  })
  const job = {
    paymentJob: JOB,
    orderId: '1001',
    orderNumber: 'A-1001',
    created: ago(90),
    lastUpdate: ago(20),
    language: 'nl',
    currency: 'EUR',
    amountDue: '0.00',
    amountPaid: '1234.50',
    amountRefunded: '34.50',
    paymentMethod: 'ideal',
    status: 'SUCCESS',
    payUrl: `https://pay.example.com/pay/${JOB}`,
    attributes: {
      returnUrl: 'https://shop.example.com/thanks?order=1001',
      reportUrl: 'https://shop.example.com/webhooks/payment-hub/report',
    },
    payments: {
      creationDate: ago(90),
      status: 'SUCCESS',
      amountDue: '0.00',
      amountPaid: '1234.50',
      steps: [
        step(0, 'Start', 'PENDING', '0.00', { transactionId: 'x' }),
        step(64, 'Statuspull', 'PENDING', '0.00', { stage: 'underway' }),
        step(81.4, 'Return', 'SUCCESS', '1234.50'),
        step(4100, 'Refund', 'SUCCESS', '1234.50', { amountRefunded: '34.50' }),
      ],
    },
    error: null,
    pos: POS.de,
    posName: 'Bäckerei Müller & Söhne',
    account: 'mollie-nl',
    announcement: 'announced',
    reference: 'tr_7UhSN1zuXS',
    stage: null,
    late: false,
    refunds: [
      {
        refund: 'r1',
        paymentJob: JOB,
        created: ago(21),
        currency: 'EUR',
        amount: '34.50',
        description: 'Bread was stale',
        status: 'SUCCESS',
        error: null,
      },
      {
        refund: 'r2',
        paymentJob: JOB,
        created: ago(20),
        currency: 'EUR',
        amount: '12.00',
        description: HOSTILE,
        status: 'FAILURE',
        error: 'The PSP refused it: insufficient balance',
      },
    ],
    otherPayments: [{ account: 'stripe-eu', reference: null, amountPaid: '0.00' }],
    reports: [
      {
        revision: 1,
        state: 'delivered',
        due: null,
        attempts: [{ at: ago(88), outcome: '200', milliseconds: 212, answer: 'ok' }],
      },
      {
        revision: 2,
        state: 'waiting',
        due: ago(-25),
        attempts: [
          {
            at: ago(60),
            outcome: '500',
            milliseconds: 1840,
            answer: `<h1>Internal Server Error</h1> ${HOSTILE}`,
          },
          { at: ago(55), outcome: 'no answer in time', milliseconds: 15_000 },
        ],
      },
    ],
    passedOver: ['stripe-eu'],
    skipped: [],
    timers: {
      expires: null,
      nextPull: ago(-300),
      nextAnnouncement: null,
      nextReport: ago(-25),
      purge: ago(-400 * 1440),
    },
    why: {
      cause: 'report-refused',
      happened:
        'The payment was paid at 2026-01-31T14:02:00Z. The shop does not know: its receiver answered 500 to the report.',
      move: 'shop',
      todo: 'Ask the shop to look at its receiver. The hub tries again by itself; when the receiver works, send the report again.',
      also: ['34.50 EUR went back to the customer.'],
    },
  }
  const entry = (
    number: number,
    action: string,
    result: AuditEntry['result'],
    more: object = {},
  ): AuditEntry => ({
    number,
    at: ago(number * 3),
    by: 'Anna de Vries',
    role: 'operator',
    via: 'access',
    action,
    subject: POS.de,
    result,
    of: result === 'begun' ? null : number - 1,
    request: 'r',
    before: null,
    after: null,
    previous: 'ab'.repeat(32),
    hash: 'cd'.repeat(32),
    ...more,
  })
  const settings: Settings = {
    version: '0.4.0',
    settings: [
      {
        name: 'RETENTION_DAYS',
        value: '400',
        meaning: 'A job is purged this many days after its last change.',
      },
      { name: 'INDEX_SHARDS', value: 'DB', meaning: 'The D1 databases that the index of jobs is in.' },
      { name: 'HUB_HOSTS', value: '', meaning: 'Every host name that leads to the hub.' },
    ],
  }
  return {
    'GET /me': me,
    'GET /figures': figures,
    ...(isEmpty
      ? {}
      : {
          'GET /figures?by=account': {
            ...figures,
            rows: [row('mollie-nl', 'mollie-nl', 612, 31, 8), row('stripe-eu', 'stripe-eu', 119, 43, 4)],
          },
          'GET /figures?by=method': {
            ...figures,
            rows: [
              row('ideal', 'ideal', 511, 20, 9),
              row('creditcard', 'creditcard', 201, 54, 3),
              row('x', HOSTILE, 19, 0, 0),
            ],
          },
        }),
    'GET /health': health,
    'GET /weather': {
      from: ago(24 * 60),
      to: ago(0),
      accounts: isEmpty
        ? []
        : [
            {
              account: 'stripe-eu',
              psp: 'stripe',
              mode: 'live',
              paymentMethod: 'card',
              state: 'silent',
              since: ago(3),
              lastFault: ago(1),
              asked: 40,
              missed: 10,
              availability: 0.75,
              p50: 310,
              p95: 1900,
            },
          ],
    } satisfies Weather,
    'GET /settings': settings,
    'GET /retention': { days: 400, forgotten: [] },
    'GET /jobs': { jobs: isEmpty ? [] : jobs, next: isEmpty ? null : `${ago(1000)}-${JOB}` },
    [`GET /jobs/${JOB}`]: job,
    'GET /reports/failing': failing,
    'GET /reports/undelivered': {
      undelivered: [{ paymentJob: JOB, pos: POS.de, orderNumber: 'A-1', status: 'SUCCESS', givenUp: ago(1) }],
    },
    'GET /pos': {
      pointsOfSale: isEmpty
        ? []
        : [
            {
              id: POS.de,
              name: 'Bäckerei Müller & Söhne',
              mode: 'live',
              signReturn: true,
              created: ago(90_000),
              disabled: null,
            },
            {
              id: POS.nl,
              name: HOSTILE,
              mode: 'live',
              signReturn: false,
              created: ago(70_000),
              disabled: ago(100),
            },
            {
              id: POS.test,
              name: 'Test till',
              mode: 'test',
              signReturn: false,
              created: ago(30),
              disabled: null,
            },
          ],
    },
    [`GET /pos/${POS.de}/routes`]: {
      pos: POS.de,
      mode: 'live',
      routes: [
        { paymentMethod: 'ideal', accounts: ['mollie-nl', 'stripe-eu'] },
        { paymentMethod: '*', accounts: ['stripe-eu'] },
      ],
    },
    'GET /accounts': { accounts: isEmpty ? [] : accounts },
    'GET /psps': {
      psps: [
        { psp: 'adyen', credentials: [{ name: 'apiKey', description: 'The API key.', optional: false }] },
        {
          psp: 'mollie',
          credentials: [
            { name: 'apiKey', description: 'The API key of the profile, live_… or test_….', optional: false },
            { name: 'webhookSecret', description: 'What notifications are signed with.', optional: true },
          ],
        },
        { psp: 'stripe', credentials: [] },
      ],
    },
    'GET /audit': {
      entries: isEmpty
        ? []
        : [
            entry(412, 'pos.route', 'done', {
              before: { ideal: ['mollie-nl'] },
              after: { ideal: ['mollie-nl', 'stripe-eu'] },
            }),
            entry(411, 'pos.route', 'begun'),
            entry(410, 'job.refund', 'refused', { by: HOSTILE }),
            entry(409, 'psp.rekey', 'failed'),
          ],
      next: null,
    },
    'GET /audit/verify': {
      entries: 412,
      wrong: null,
      head: { number: 412, hash: 'cd'.repeat(32) },
      next: null,
    },
    'GET /tokens': {
      tokens: isEmpty
        ? []
        : [
            {
              id: 't1',
              name: 'CI of the shop',
              role: 'viewer',
              created: ago(5000),
              createdBy: 'Anna de Vries',
              revoked: null,
            },
            {
              id: 't2',
              name: HOSTILE,
              role: 'operator',
              created: ago(9000),
              createdBy: 'OPERATOR_TOKEN',
              revoked: ago(3),
            },
          ],
    },
    'POST /pos': {
      id: POS.test,
      name: 'New',
      mode: 'test',
      signReturn: false,
      created: ago(0),
      disabled: null,
      apiKey: 'K'.repeat(160),
      signingSecret: 'whsec_c2VjcmV0',
    },
  }
}
