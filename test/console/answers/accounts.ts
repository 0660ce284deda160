import { type Answers, BAKERY, HOSTILE, POS, answersTo } from './world.ts'

/** Accounts and PSPs. */
export function accountAnswers(): Answers {
  const live = { mode: 'live', currencies: null }
  const counter = { id: 'term_1', account: 'mollie-nl', name: 'Counter', alertHours: null }
  const terminals = [
    { ...counter, pointsOfSale: [{ id: POS.de, name: BAKERY }] },
    { ...counter, id: 'term_2', name: HOSTILE, isOn: false, alertHours: '09:00-18:00', pointsOfSale: [] },
    { ...counter, id: 'term_3', name: 'Terrace', isListed: false, isOn: null },
    { ...counter, id: 'term_4', name: 'New', isAdded: false, isOn: null, pointsOfSale: [] },
  ]
  const apiKey = { name: 'apiKey', description: 'The API key.', optional: false }
  const webhookSecret = { name: 'webhookSecret', description: 'What notifications are signed with.' }
  return answersTo({
    'GET /terminals': { terminals: terminals.slice(0, 3) },
    'GET /accounts/mollie-nl/terminals': { message: null, setUp: null, terminals },
    'POST /accounts/mollie-nl/terminals': counter,
    'POST /accounts/mollie-nl/terminals/term_2/remove': { id: 'term_2' },
    'GET /accounts/stripe-eu/terminals': {
      result: 'none',
      message: null,
      setUp: 'Set the terminals up at the PSP.',
      terminals: [],
    },
    'GET /accounts': {
      accounts: [
        { ...live, id: 'mollie-nl', psp: 'mollie' },
        { ...live, id: 'stripe-eu', psp: 'stripe', currencies: ['EUR', 'USD'] },
        { ...live, id: 'adyen-fallback', psp: 'adyen' },
      ],
    },
    'GET /psps': {
      psps: [
        { psp: 'adyen', credentials: [apiKey] },
        { psp: 'mollie', credentials: [apiKey, webhookSecret] },
        { psp: 'stripe', credentials: [] },
      ],
    },
  })
}
