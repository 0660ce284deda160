import { type Answers, BAKERY, HOSTILE, JOB, POS, type World, agoOf, answersTo, euros } from './world.ts'

/** The hub's health, its failures and its settings. */
export function healthAnswers({ now }: World): Answers {
  const ago = agoOf(now)
  const bakery = { pos: POS.de, name: BAKERY, mode: 'live' }
  const shops = [
    { ...bakery, owed: 14, givenUp: 3, since: ago(74), lastOutcome: '500' },
    { ...bakery, pos: POS.nl, name: HOSTILE, givenUp: 0, since: ago(3), lastOutcome: 'no answer in time' },
  ]
  const [sum] = euros('727.51')
  return answersTo({
    'GET /health': {
      state: 'impaired',
      unapplied: { live: [{ ...sum, payments: 7 }], test: [] },
      reservedEndsSoon: { live: [{ ...sum, payments: 2 }], test: [] },
      parts: ['hub', 'KV', 'D1', 'queues'].map((part) => ({ part, message: null })),
      accounts: [
        {
          account: 'mollie-nl',
          mode: 'live',
          message: null,
          waiting: 0,
        },
        {
          account: 'stripe-eu',
          mode: 'live',
          state: 'refused',
          since: ago(22),
          message: `Invalid API Key provided: sk_live_****abcd ${HOSTILE}`,
          waiting: 7,
          notifications: { state: 'missing' },
        },
      ],
      shops,
      unknownAccounts: [],
      credentials: [
        {
          kind: 'api-key',
          id: POS.nl,
          name: HOSTILE,
          created: ago(9),
          expires: ago(-60),
          state: 'ends-soon',
        },
        { kind: 'operator-token', id: 't1', name: HOSTILE, created: ago(9), expires: null, state: 'old' },
      ],
    },
    'GET /settings': {
      settings: [
        { name: 'RETENTION_DAYS', value: '400' },
        { name: 'HUB_HOSTS', value: '' },
      ],
    },
    'GET /reports/failing': {
      shops,
      reports: [0, 1, 2].map((place) => ({
        ...bakery,
        ...(place === 1 && { name: HOSTILE, orderNumber: HOSTILE }),
        paymentJob: JOB.replace('10', `1${place}`),
        status: 'SUCCESS',
        owedSince: ago(74 - place * 9),
        givenUp: place === 0 ? ago(1) : null,
      })),
    },
    'GET /reports/undelivered': { undelivered: [{ paymentJob: JOB, pos: POS.de, givenUp: ago(1) }] },
  })
}
