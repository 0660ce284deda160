import { expect, it } from 'vitest'
import { type JobMoney, moneyWords, sumText } from '../../src/contract/job-money.ts'

const PAID: JobMoney = {
  status: 'SUCCESS',
  amount: '20.00',
  paid: '20.00',
  tip: '0.00',
  released: '0.00',
  refunded: '0.00',
  chargedBack: '0.00',
  unapplied: '0.00',
}

it.each<[string, Partial<JobMoney>, string, string[]]>([
  ['paid as ordered', {}, '20.00', []],
  ['not paid', { status: 'PENDING', paid: '0.00' }, '20.00', []],
  ['captured in part', { paid: '7.50', released: '12.50' }, '7.50 of 20.00', ['released 12.50 released']],
  ['paid with a tip', { paid: '22.00', tip: '2.00' }, '22.00', ['tip 2.00 tip']],
  ['refunded in part', { refunded: '5.00' }, '20.00', ['refunded 5.00 of 20.00 refunded']],
  ['refunded', { refunded: '20.00' }, '20.00', ['refunded refunded']],
  ['charged back', { chargedBack: '20.00' }, '20.00', ['chargedBack charged back']],
  [
    'charged back after a refund',
    { refunded: '5.00', chargedBack: '15.00' },
    '20.00',
    ['chargedBack 15.00 of 20.00 charged back', 'refunded 5.00 of 20.00 refunded'],
  ],
])('a payment that was %s shows what became of its money', (_, changes, sum, words) => {
  const money = { ...PAID, ...changes }
  expect(sumText(money, (amount) => amount)).toBe(sum)
  expect(moneyWords(money, (amount) => amount).map(({ name, text }) => `${name} ${text}`)).toEqual(words)
})
