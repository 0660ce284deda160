import { expect, it } from 'vitest'
import { showJournal } from '../../src/cli/journal.ts'
import { textOf, viewOf } from '../../src/programs/view.ts'
import type { Fact } from '../../src/job/core/facts.ts'

const VIEW = viewOf(process.stdout, true)
const AT = Date.UTC(2026, 0, 31, 10)
const PAYMENT = { account: 'shop-mollie', reference: 'tr_7UhSN1zuXS' }
const ID = '7f3c0b1e-2d4a-4b5c-8d6e-9f0a1b2c3d4e'

const CREATED: Fact = {
  is: 'created',
  id: '5b0c2f34-5d5a-4c0e-9a39-0d6f3f0b7c11',
  transactionId: ID,
  fingerprint: 'f',
  pos: 'p',
  origin: 'https://hub.example.com',
  link: 'l',
  isLive: true,
  order: {
    timestamp: '1790000000',
    currency: 'EUR',
    amount: 1250,
    returnUrl: 'https://shop/return',
    reportUrl: 'https://shop/report',
    paymentMethod: 'ideal',
    orderId: '1001',
    orderNumber: 'A-1001',
    language: 'nl',
    ipAddress: '',
  },
  personalHash: 'h',
}
const ASKED = { asked: AT, ...PAYMENT }
const PAID = { status: 'SUCCESS', paid: 1250, expiresAt: null } as const
/** A payment that was paid and partly refunded. */
const FACTS: readonly (readonly Fact[])[] = [
  [
    CREATED,
    {
      is: 'attempted',
      account: 'shop-mollie',
      asked: AT,
      ms: 212,
      outcome: { is: 'took', reference: 'tr_7UhSN1zuXS', checkoutUrl: 'https://pay', expiresAt: null },
    },
  ],
  [{ is: 'returned' }, { is: 'seen', ...ASKED, answer: PAID, back: true }],
  [{ is: 'row-written', entry: 2 }],
  [{ is: 'report-tried', revision: 1, began: AT, ms: 48, outcome: '200', result: 'delivered' }],
  [
    {
      is: 'instructed',
      kind: 'refund',
      id: ID,
      fingerprint: 'f',
      call: 'c',
      amount: 500,
      description: 'A shirt came back',
      ...PAYMENT,
    },
  ],
  [{ is: 'instruction-answered', id: ID, asked: AT, outcome: { is: 'taken', reference: 're_4qqhO89gsT' } }],
  [{ is: 'notified', came: AT, ...PAYMENT }],
  [{ is: 'seen', ...ASKED, answer: { ...PAID, refunded: 500 } }],
  [
    {
      is: 'report-tried',
      revision: 2,
      began: AT,
      ms: 31,
      outcome: '500',
      result: 'failed',
      answer: 'out of memory',
      notBefore: AT + 90_000,
    },
  ],
]

function shown(facts: readonly (readonly { is: string }[])[]): string[] {
  const entries = facts.map((some, at) => ({
    number: at + 1,
    at: new Date(AT + at * 1000).toISOString().replace('Z', '000Z'),
    version: 1,
    facts: some.map((fact) => ({ ...fact })),
    hash: `hash ${at + 1}`,
  }))
  return textOf(showJournal({ paymentJob: ID, entries }, VIEW)).split('\n')
}

it('shows one fact a line, in words, with its time and amounts in their currency', () => {
  const lines = shown(FACTS).slice(2)
  expect(lines).toEqual(
    [
      /^1 +2026-01-31 10:00:00Z +created +order A-1001 of EUR 12\.50 by ideal$/,
      /^1 .* attempted +shop-mollie took the order as tr_7UhSN1zuXS after 212 ms$/,
      /^2 +2026-01-31 10:00:01Z +returned +the customer came back$/,
      /^2 .* seen +shop-mollie says of tr_7UhSN1zuXS: SUCCESS, EUR 12\.50 paid$/,
      /^3 .* row written +the index has entry 2$/,
      /^4 .* report tried +report 1 delivered: 200 after 48 ms$/,
      /^5 .* instructed +refund of EUR 5\.00 of tr_7UhSN1zuXS at shop-mollie, 7f3c/,
      /^6 .* instruction answered +7f3c.*: taken, re_4qqhO89gsT$/,
      /^7 .* notified +shop-mollie sent a notification of tr_7UhSN1zuXS$/,
      /^8 .* seen .*: SUCCESS, EUR 12\.50 paid, EUR 5\.00 refunded$/,
      /^9 .*report 2 failed: 500 after 31 ms, out of memory, not again before 2026-01-31 10:01:30Z$/,
      /^$/,
      /^hash of all: hash 9$/,
    ].map((line) => expect.stringMatching(line) as string),
  )
})

const MOVE = { id: 'm', kind: 'chargeback-reversed', amount: 100, currency: 'USD', error: 'no' } as const
it.each<[Fact | { is: string }, string]>([
  [
    {
      is: 'attempted',
      account: 'a',
      asked: AT,
      ms: 1,
      outcome: { is: 'no-answer', message: 'It is down.', notBefore: AT },
    },
    'a did not answer: It is down., not again before 2026-01-31 10:00:00Z',
  ],
  [
    { is: 'attempted', account: 'a', asked: AT, ms: 1, outcome: { is: 'refused', message: 'No.' } },
    'a refused',
  ],
  [
    {
      is: 'attempted',
      account: 'a',
      asked: AT,
      ms: 0,
      outcome: { is: 'not-asked', since: AT, tooMany: true },
    },
    'too many',
  ],
  [
    { is: 'notified', came: AT, ...PAYMENT, moves: [MOVE] },
    'tr_7UhSN1zuXS, chargeback reversed of USD 1.00 (no)',
  ],
  [{ is: 'unanswered', ...ASKED, how: 'silent', message: 'It is down.' }, 'did not say how tr_7'],
  [
    {
      is: 'stopped',
      ...ASKED,
      why: 'gave-up',
      answer: { status: 'CANCELLED', paid: 0, expiresAt: null, closed: true },
    },
    'tr_7UhSN1zuXS at shop-mollie (gave up): CANCELLED',
  ],
  [{ is: 'cancel-asked', by: 'shop' }, 'the shop wants to stop the payment'],
  [{ is: 'cleared', amount: 250 }, 'EUR 2.50 that paid no order'],
  [{ is: 'time-asked', to: 60_000 }, 'the clock of the job is 60 seconds ahead'],
  [{ is: 'of-a-later-release', what: 'x' } as { is: string }, '{"what":"x"}'],
])('says in words what %j is', (fact, words) => {
  expect(shown([[CREATED], [fact]])[3]).toContain(words)
})

it('shows facts of a later release as they are, and amounts in minor units without a currency', () => {
  const lines = shown([
    [{ ...CREATED, order: { of: 'a later release' } } as { is: string }],
    [{ is: 'cleared', amount: 250 } as Fact],
  ])
  expect(lines[2]).toMatch(/created +\{"id":/)
  expect(lines[3]).toMatch(/cleared +250 minor units that paid no order/)
})

it('cuts a long text', () => {
  const message = 'No. '.repeat(100)
  const [line = ''] = shown([
    [CREATED],
    [{ is: 'attempted', account: 'a', asked: AT, ms: 1, outcome: { is: 'refused', message } } as Fact],
  ]).slice(3)
  expect(line.length).toBeLessThan(220)
  expect(line.endsWith('…')).toBe(true)
})
