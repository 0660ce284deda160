import { type Answers, type World, agoOf } from './world.ts'

/** Accounts, and the PSPs that they can be at. */
export function accountAnswers({ now }: World): Answers {
  const ago = agoOf(now)
  const accounts = [
    {
      id: 'mollie-nl',
      psp: 'mollie',
      mode: 'live',
      currencies: null,
      sealingKey: 'k1',
      created: ago(90_000),
    },
    {
      id: 'stripe-eu',
      psp: 'stripe',
      mode: 'live',
      currencies: ['EUR', 'USD'],
      sealingKey: 'k1',
      created: ago(80_000),
    },
    {
      id: 'adyen-fallback',
      psp: 'adyen',
      mode: 'live',
      currencies: null,
      sealingKey: 'k1',
      created: ago(9000),
    },
  ]
  return {
    'GET /accounts': { accounts },
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
