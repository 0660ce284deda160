import type { FailingReports } from '../../../src/contract/failing-reports.ts'
import type { HubHealth, Settings } from '../../../src/contract/hub-health.ts'
import { agoOf, type Answers, HOSTILE, JOB, POS, type World } from './world.ts'

/** The hub's health, and its settings. */
export function healthAnswers({ now }: World): Answers {
  const ago = agoOf(now)
  const shops = [
    {
      pos: POS.de,
      name: 'Bäckerei Müller & Söhne',
      mode: 'live' as const,
      owed: 14,
      givenUp: 3,
      since: ago(74),
      lastOutcome: '500',
    },
    {
      pos: POS.nl,
      name: HOSTILE,
      mode: 'live' as const,
      owed: 1,
      givenUp: 0,
      since: ago(3),
      lastOutcome: 'no answer in time',
    },
  ]
  const health: HubHealth = {
    state: 'impaired',
    unapplied: { live: [{ currency: 'EUR', amount: '727.51', payments: 7 }], test: [] },
    reservedEndsSoon: { live: [{ currency: 'EUR', amount: '80.00', payments: 2 }], test: [] },
    version: '0.4.0',
    parts: ['hub', 'KV', 'D1', 'queues'].map((part, place) => ({
      part,
      state: 'working',
      milliseconds: 4 + place * 7,
      message: null,
    })),
    accounts: [
      {
        account: 'mollie-nl',
        psp: 'mollie',
        mode: 'live',
        state: 'working',
        since: ago(90_000),
        checked: ago(12),
        message: null,
        waiting: 0,
        notifications: { state: 'working', last: ago(90) },
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
        notifications: { state: 'missing', last: null },
      },
    ],
    shops,
    unknownAccounts: [],
  }
  const failing: FailingReports = {
    shops: health.shops,
    reports: [JOB, JOB.replace('10', '11'), JOB.replace('10', '12')].map((paymentJob, place) => ({
      paymentJob,
      pos: POS.de,
      name: place === 1 ? HOSTILE : 'Bäckerei Müller & Söhne',
      mode: 'live' as const,
      orderNumber: place === 1 ? HOSTILE : `2026-11-00${place}`,
      status: 'SUCCESS',
      owedSince: ago(74 - place * 9),
      givenUp: place === 0 ? ago(1) : null,
    })),
    next: null,
  }
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
    'GET /health': health,
    'GET /settings': settings,
    'GET /reports/failing': failing,
    'GET /reports/undelivered': {
      undelivered: [{ paymentJob: JOB, pos: POS.de, orderNumber: 'A-1', status: 'SUCCESS', givenUp: ago(1) }],
    },
  }
}
