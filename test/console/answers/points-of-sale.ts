import { type Answers, BAKERY, HOSTILE, POS, answersTo } from './world.ts'

/** Points of sale, and the routes of one of them. */
export function posAnswers(): Answers {
  const shop = { mode: 'live', signReturn: false, dialect: 'v2', disabled: null, refundLimits: [] }
  const terminal = { account: 'mollie-nl', isDefault: false }
  const pointsOfSale = [
    { ...shop, id: POS.de, name: BAKERY },
    { ...shop, id: POS.nl, name: HOSTILE, disabled: 'yesterday' },
    { ...shop, id: POS.test, name: 'Test till', mode: 'test' },
  ]
  const key = { created: 'yesterday', expires: null, state: 'working' }
  const keys = [
    { ...key, can: ['create', 'read', 'capture', 'refund', 'cancel'] },
    { ...key, can: ['create'], expires: 'tomorrow', state: 'ends-soon' },
  ]
  return answersTo({
    'GET /pos': { pointsOfSale },
    ...Object.fromEntries(
      pointsOfSale.map((pos) => [
        `GET /pos/${pos.id}`,
        { ...pos, secretMade: 'yesterday', keys, refundsToday: [{ currency: 'EUR' }] },
      ]),
    ),
    [`GET /pos/${POS.de}/terminals`]: {
      terminals: [
        { ...terminal, id: 'term_1', name: 'Counter', isDefault: true },
        { ...terminal, id: 'term_2', name: HOSTILE, isOn: false },
        { ...terminal, id: 'term_3', name: 'Terrace', isOn: null },
      ],
    },
    [`POST /pos/${POS.de}/terminals`]: { pos: POS.de },
    [`GET /pos/${POS.de}/routes`]: {
      mode: 'live',
      routes: [
        { paymentMethod: 'ideal', accounts: ['mollie-nl', 'stripe-eu'] },
        { paymentMethod: '*', accounts: ['stripe-eu'] },
      ],
    },
    'POST /pos': { ...shop, id: POS.test, apiKey: 'K'.repeat(160) },
  })
}
