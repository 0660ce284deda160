import { describe, expect, it } from 'vitest'
import { findingOf, postingsOf } from '../../src/books/matching.ts'
import type { LineKind, PayoutLine } from '../../src/psp/payouts.ts'

const PAID = { currency: 'EUR', payment: [1250], refund: [], chargeback: [], reversal: [] }
function line(kind: LineKind, gross: number, fee = 0): PayoutLine {
  return { kind, at: 0, job: 'j', reference: null, orderNumber: null, gross, fee, text: '' }
}

describe('a line of a payout', () => {
  it.each([
    ['a payment of what was paid', line('payment', 1250, 30), PAID, null],
    ['a payment that is a cent off', line('payment', 1249, 30), PAID, 'amount-differs'],
    ['a payment that the hub does not have', line('payment', 1250), null, 'unknown'],
    ['a payment in another currency', line('payment', 1300), { ...PAID, currency: 'USD' }, null],
    ['a payment with a high fee', line('payment', 1250, 113), PAID, 'fee-unusual'],
    ['a payment with a fee that may be', line('payment', 1250, 112), PAID, null],
    ['a refund that the hub knows', line('refund', -500), { ...PAID, refund: [-500] }, null],
    ['one of several refunds', line('refund', -200), { ...PAID, refund: [-200, -300, -500] }, null],
    ['a refund that is a cent less', line('refund', -499), { ...PAID, refund: [-500] }, 'amount-differs'],
    ['a refund that is a cent more', line('refund', -501), { ...PAID, refund: [-500] }, 'refund-missing'],
    ['a refund that the hub does not know', line('refund', -1), PAID, 'refund-missing'],
    ['a refund in another currency', line('refund', -600), { ...PAID, currency: 'USD' }, null],
    ['a chargeback that the hub knows', line('chargeback', -1250), { ...PAID, chargeback: [-1250] }, null],
    [
      'a chargeback that is a cent more',
      line('chargeback', -1251),
      { ...PAID, chargeback: [-1250] },
      'amount-differs',
    ],
    ['a chargeback that the hub does not know', line('chargeback', -1250), PAID, 'amount-differs'],
    ['a chargeback that was won', line('reversal', 1250), { ...PAID, reversal: [1250] }, null],
    ['money back that the hub does not know', line('reversal', 1250), PAID, 'amount-differs'],
    ['a fee of nobody', line('fee', 0, 100), null, null],
    ['a correction of nobody', line('correction', 10), null, null],
  ])('%s', (_, told, known, finding) => {
    expect(findingOf(told, 'EUR', known, told.gross)).toBe(finding)
  })
})

it.each([
  ['payment', 1250, 'amount-differs'],
  ['refund', -1250, 'refund-missing'],
  ['chargeback', -1250, 'amount-differs'],
] as const)('a %s that comes a second time is not explained', (kind, gross, finding) => {
  const known = { ...PAID, refund: [-1250], chargeback: [-1250] }
  expect(findingOf(line(kind, gross), 'EUR', known, 2 * gross)).toBe(finding)
  expect(findingOf(line(kind, gross), 'EUR', { ...known, currency: 'USD' }, 2 * gross)).toBe(null)
})

describe('a journal', () => {
  const sums = [
    { kind: 'payment' as const, gross: 10_000, fee: 300 },
    { kind: 'refund' as const, gross: -1000, fee: 0 },
    { kind: 'chargeback' as const, gross: -500, fee: 1500 },
    { kind: 'reversal' as const, gross: 200, fee: 0 },
    { kind: 'fee' as const, gross: 0, fee: 100 },
    { kind: 'correction' as const, gross: 10, fee: 0 },
  ]
  it.each([6810, 6809, 0, -5])('of a payout of %i comes to zero, with what is not explained', (amount) => {
    const postings = postingsOf(amount, sums)
    expect(postings.reduce((sum, one) => sum + one.amount, 0)).toBe(0)
    const rest = postings.find(({ post }) => post === 'unexplained')?.amount ?? 0
    expect(rest).toBe(6810 - amount)
  })
})
