import { type Answers, HOSTILE, POS, type World, agoOf } from './world.ts'

/** Points of sale, and how one of them routes. */
export function posAnswers({ now }: World): Answers {
  const ago = agoOf(now)
  const shop = { mode: 'test', signReturn: false, dialect: 'v2', disabled: null }
  return {
    'GET /pos': {
      pointsOfSale: [
        {
          ...shop,
          id: POS.de,
          name: 'Bäckerei Müller & Söhne',
          mode: 'live',
          created: ago(90_000),
          disabled: null,
        },
        { ...shop, id: POS.nl, name: HOSTILE, mode: 'live', created: ago(70_000), disabled: ago(100) },
        { ...shop, id: POS.test, name: 'Test till', mode: 'test', created: ago(30), disabled: null },
      ],
    },
    [`GET /pos/${POS.de}/terminals`]: {
      pos: POS.de,
      terminals: [
        { id: 'term_1', name: 'Counter', account: 'mollie-nl', isOn: true, isDefault: true },
        { id: 'term_2', name: HOSTILE, account: 'mollie-nl', isOn: false, isDefault: false },
        { id: 'term_3', name: 'Terrace', account: 'mollie-nl', isOn: null, isDefault: false },
      ],
    },
    [`POST /pos/${POS.de}/terminals`]: { pos: POS.de, terminals: [] },
    [`GET /pos/${POS.de}/routes`]: {
      pos: POS.de,
      mode: 'live',
      routes: [
        { paymentMethod: 'ideal', accounts: ['mollie-nl', 'stripe-eu'] },
        { paymentMethod: '*', accounts: ['stripe-eu'] },
      ],
    },
    'POST /pos': {
      ...shop,
      id: POS.test,
      name: 'New',
      created: ago(0),
      apiKey: 'K'.repeat(160),
      signingSecret: 'whsec_c2VjcmV0',
    },
  }
}
