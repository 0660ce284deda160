import { type Answers, HOSTILE, POS, type World, agoOf } from './world.ts'

/** Accounts, and the PSPs that the hub knows. */
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
  const terminal = {
    id: 'term_1',
    account: 'mollie-nl',
    name: 'Counter',
    isAdded: true,
    isListed: true,
    isOn: true,
    alertHours: null,
    pointsOfSale: [{ id: POS.de, name: 'Bäckerei Müller & Söhne' }],
  }
  const others = [
    { ...terminal, id: 'term_2', name: HOSTILE, isOn: false, alertHours: '09:00-18:00', pointsOfSale: [] },
    { ...terminal, id: 'term_3', name: 'Terrace', isListed: false, isOn: null },
    { ...terminal, id: 'term_4', name: 'New', isAdded: false, isOn: null, pointsOfSale: [] },
  ]
  return {
    'GET /terminals': { terminals: [terminal, ...others.slice(0, 2)] },
    'GET /accounts/mollie-nl/terminals': {
      result: 'listed',
      message: null,
      setUp: null,
      terminals: [terminal, ...others],
    },
    'POST /accounts/mollie-nl/terminals': terminal,
    'POST /accounts/mollie-nl/terminals/term_2/remove': { id: 'term_2', removed: true },
    'GET /accounts/stripe-eu/terminals': {
      result: 'none',
      message: null,
      setUp: 'Set the terminals up at the PSP.',
      terminals: [],
    },
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
