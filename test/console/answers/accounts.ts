import type { Weather } from '../../../src/contract/hub-health.ts'
import { agoOf, type Answers, type World } from './world.ts'

/** Accounts, how they take orders, and the PSPs that they can be at. */
export function accountAnswers({ now, isEmpty }: World): Answers {
  const ago = agoOf(now)
  const accounts = [
    { id: 'mollie-nl', psp: 'mollie', mode: 'live', sealingKey: 'k1', created: ago(90_000) },
    { id: 'stripe-eu', psp: 'stripe', mode: 'live', sealingKey: 'k1', created: ago(80_000) },
    { id: 'adyen-fallback', psp: 'adyen', mode: 'live', sealingKey: 'k1', created: ago(9000) },
  ]
  return {
    'GET /accounts': { accounts: isEmpty ? [] : accounts },
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
  }
}
