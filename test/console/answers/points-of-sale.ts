import { type Answers, HOSTILE, POS, type World, agoOf } from './world.ts'

/** Points of sale, and how one of them routes. */
export function posAnswers({ now, isEmpty }: World): Answers {
  const ago = agoOf(now)
  return {
    'GET /pos': {
      pointsOfSale: isEmpty
        ? []
        : [
            {
              id: POS.de,
              name: 'Bäckerei Müller & Söhne',
              mode: 'live',
              signReturn: true,
              dialect: 'v2',
              created: ago(90_000),
              disabled: null,
            },
            {
              id: POS.nl,
              name: HOSTILE,
              mode: 'live',
              signReturn: false,
              dialect: 'v2',
              created: ago(70_000),
              disabled: ago(100),
            },
            {
              id: POS.test,
              name: 'Test till',
              mode: 'test',
              signReturn: false,
              dialect: 'v2',
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
    'POST /pos': {
      id: POS.test,
      name: 'New',
      mode: 'test',
      signReturn: false,
      dialect: 'v2',
      created: ago(0),
      disabled: null,
      apiKey: 'K'.repeat(160),
      signingSecret: 'whsec_c2VjcmV0',
    },
  }
}
