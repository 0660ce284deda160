import { describe, expect, it } from 'vitest'
import { findingOf, postingsOf } from '../../src/books/matching.ts'
import { type PaymentRecord, explain, recordAt, amountsOf } from '../../src/books/record.ts'
import type { MoneyMove } from '../../src/psp/answer.ts'
import type { LineKind, PayoutLine } from '../../src/psp/payouts.ts'
import { WHERE, paidJob, reserved, reservedJob, seen } from '../support/played-job.ts'

const PAID: PaymentRecord = {
  currency: 'EUR',
  payment: [1250],
  refund: [],
  chargeback: [],
  reversal: [],
  failed: [],
}
function line(kind: LineKind, gross: number, fee = 0): PayoutLine {
  return { kind, at: 0, job: 'j', reference: null, orderNumber: null, gross, fee, text: '' }
}

/** Returns the findings of the lines of one payment and kind, after others were booked. */
function findings(
  lines: PayoutLine[],
  known: PaymentRecord | null,
  before: number[] = [],
  back: number[] = [],
) {
  const kind = lines[0]?.kind
  const explained =
    known && kind
      ? explain(
          amountsOf(known, kind, back),
          before,
          lines.map(({ gross }) => gross),
        )
      : []
  return lines.map((one, at) => findingOf(one, 'EUR', known, explained[at] ?? 0))
}

describe('a line of a payout', () => {
  it.each([
    ['a payment of the amount that was paid', line('payment', 1250, 30), PAID, null],
    ['a payment that is a cent off', line('payment', 1249, 30), PAID, 'amount-differs'],
    ['a payment that is unknown to the hub', line('payment', 1250), null, 'unknown'],
    ['a payment of which nothing is paid out', line('payment', 0), PAID, null],
    ['a payment in another currency', line('payment', 1300), { ...PAID, currency: 'USD' }, null],
    ['a payment with a high fee', line('payment', 1250, 113), PAID, 'fee-unusual'],
    ['a payment with a usual fee', line('payment', 1250, 112), PAID, null],
    ['a refund that the hub knows', line('refund', -500), { ...PAID, refund: [-500] }, null],
    ['one of several refunds', line('refund', -200), { ...PAID, refund: [-200, -300] }, null],
    ['several refunds as one', line('refund', -500), { ...PAID, refund: [-200, -10, -300] }, null],
    ['a refund that is a cent less', line('refund', -499), { ...PAID, refund: [-500] }, 'amount-differs'],
    ['a refund that is a cent more', line('refund', -501), { ...PAID, refund: [-500] }, 'refund-missing'],
    ['a refund that is unknown to the hub', line('refund', -1), PAID, 'refund-missing'],
    ['a refund in another currency', line('refund', -600), { ...PAID, currency: 'USD' }, null],
    ['a chargeback that the hub knows', line('chargeback', -1250), { ...PAID, chargeback: [-1250] }, null],
    [
      'a chargeback that is a cent more',
      line('chargeback', -1251),
      { ...PAID, chargeback: [-1250] },
      'amount-differs',
    ],
    ['a chargeback that is unknown to the hub', line('chargeback', -1250), PAID, 'amount-differs'],
    ['a chargeback that was won', line('reversal', 1250), { ...PAID, reversal: [1250] }, null],
    ['money back that is unknown to the hub', line('reversal', 1250), PAID, 'amount-differs'],
    ['a fee without a payment', line('fee', 0, 100), null, null],
    ['a correction without a payment', line('correction', 10), null, null],
  ])('%s', (_, told, known, finding) => {
    expect(findings([told], known)).toEqual([finding])
  })

  it.each([
    ['EUR', 1000, 100, 101],
    ['JPY', 1000, 100, 101],
    ['KWD', 1000, 550, 551],
  ])('in %s of %i has a usual fee of %i', (currency, gross, usual, unusual) => {
    const of = (fee: number) => findingOf(line('payment', gross, fee), currency, { currency }, gross)
    expect([of(usual), of(unusual)]).toEqual([null, 'fee-unusual'])
  })
})

describe('each movement explains once', () => {
  const [yes, no] = [null, 'amount-differs']
  it.each<[string, record: number[], before: number[], lines: number[], found: (string | null)[]]>([
    ['the parts of a payment', [400, 850], [], [400, 850], [yes, yes]],
    ['its sum', [400, 850], [], [1250], [yes]],
    ['one part without the others', [400, 850], [], [850], [yes]],
    ['but no part twice', [400, 850], [], [400, 400], [yes, no]],
    ['but not a part after the sum', [400, 850], [1250], [400], [no]],
    ['nor the sum after a part', [400, 850], [850], [1250], [no]],
    ['nor a part and the sum, in any order', [400, 850], [], [1250, 400], [no, yes]],
    ['two lines that the hub learnt of as one', [500], [], [300, 200], [yes, yes]],
    ['in two payouts too', [500], [300], [200], [yes]],
    ['and two such pairs', [500, 400], [], [300, 100, 200, 300], [yes, yes, yes, yes]],
    ['but not if they are a cent off', [500], [], [300, 201], [no, no]],
    ['nor a third line', [500], [], [300, 200, 200], [yes, yes, no]],
    ['a line that a correction took back', [400], [400, -400], [400], [yes]],
    ['but not a line that a correction completed', [400], [399, 1], [400], [no]],
    ['each of many amounts', Array.from({ length: 40 }, (_, at) => at + 1), [], [7, 40, 7], [yes, yes, no]],
    ['the sum of many amounts', Array.from({ length: 40 }, () => 5), [], [200, 5], [no, yes]],
  ])('%s', (_, payment, before, lines, found) => {
    const told = lines.map((gross) => line('payment', gross))
    expect(findings(told, { ...PAID, payment }, before)).toEqual(found)
    const back = told.map((one) => line('chargeback', -one.gross))
    const chargeback = payment.map((amount) => -amount)
    expect(
      findings(
        back,
        { ...PAID, chargeback },
        before.map((one) => -one),
      ),
    ).toEqual(found)
  })

  it('a refund that failed explains only a line that the PSP pays back', () => {
    const known = { ...PAID, failed: [-200] }
    expect(findings([line('refund', -200)], known)).toEqual(['refund-missing'])
    expect(findings([line('refund', -200), line('refund', -200)], known, [], [200])).toEqual([
      null,
      'refund-missing',
    ])
    expect(findings([line('refund', -200)], known, [], [300])).toEqual(['refund-missing'])
  })
})

describe('an order of 12.50 that several payments may have paid', () => {
  let moves = 0
  const move = (kind: MoneyMove['kind'], amount: number, more: Partial<MoneyMove>): MoneyMove => ({
    id: `m${++moves}`,
    kind,
    amount,
    ...more,
  })
  const part = (reference: string, amount: number) => move('part', amount, { reference })
  const back = (of: string, amount: number) => move('refund', amount, { of, reference: `back ${of}` })
  it.each([
    ['only a card', [part('card', 1250)]],
    ['a gift card and a card', [part('gift', 400), part('card', 850)]],
    ['a card, after a gift card that went back', [part('gift', 400), back('gift', 400), part('card', 1250)]],
    ['a card, after another that went back', [part('old', 1250), back('old', 1250), part('card', 1250)]],
    [
      'two cards, after a gift card that went back',
      [part('old', 400), back('old', 400), part('gift', 400), part('card', 850)],
    ],
    [
      'a gift card that went back later, and a card',
      [part('gift', 400), part('card', 850), back('gift', 400)],
    ],
    ['a card, of which a part went back', [part('card', 1250), back('card', 600)]],
  ])('%s: each payment and refund has a line', (_, told) => {
    const job = paidJob()
    for (const one of told) job.notified({ moves: [one] })
    const known = recordAt(job.state, WHERE.account)
    const linesOf = (kind: 'payment' | 'refund', sign: number, of: MoneyMove['kind']) =>
      told.flatMap((one) => (one.kind === of ? [line(kind, sign * one.amount)] : []))
    for (const lines of [linesOf('payment', 1, 'part'), linesOf('refund', -1, 'refund')]) {
      expect(findings(lines, known)).toEqual(lines.map(() => null))
      const [first] = lines
      if (first) expect(findings([...lines, first], known)).toContainEqual(expect.any(String))
    }
  })
})

describe('an order of 12.50 that is captured in parts', () => {
  const job = reservedJob()
  for (const paid of [500, 900, 500, 1250]) job.hears('other', { answer: reserved(paid) })
  const known = recordAt(job.state, WHERE.account)
  const [yes, no] = [null, 'amount-differs']
  it.each<[string, lines: number[], before: number[], found: (string | null)[]]>([
    ['each part has a line', [500, 750], [], [yes, yes]],
    ['a line may be for all parts', [1250], [], [yes]],
    ['a part that failed explains no line', [500, 400], [], [yes, no]],
    ['nor does it after it was paid out, while the others have their lines', [750], [500, 400], [yes]],
    ['nor does the whole reservation', [1500], [], [no]],
    ['the next part, after the PSP took back what was not captured', [500], [1500, -750], [yes]],
  ])('%s', (_, lines, before, found) => {
    const told = lines.map((gross) => line('payment', gross))
    expect(findings(told, known, before)).toEqual(found)
  })

  it('also has its captures if several payments are reserved for it', () => {
    const ours = reservedJob()
    const parts = [400, 850].map(
      (amount) => ({ id: `p${amount}`, kind: 'part', reference: `r${amount}`, amount }) as const,
    )
    const captures = [500, 400].map(
      (amount) => ({ id: `c${amount}`, kind: 'capture', reference: `c${amount}`, amount }) as const,
    )
    for (const moves of [parts, captures]) ours.notified({ moves: [...moves] })
    const lines = [line('payment', 500), line('payment', 400)]
    expect(findings(lines, recordAt(ours.state, WHERE.account))).toEqual([yes, yes])
  })

  it('has nothing for reserved money that was not captured', () => {
    expect(findings([line('payment', 1250)], recordAt(reservedJob().state, WHERE.account))).toEqual([no])
  })
})

it('a chargeback that was won is not a failed refund', () => {
  const job = paidJob()
  job.hears('other', { answer: seen('SUCCESS', 1250, { refunded: 200, chargedBack: 500 }) })
  job.now += 60_000
  job.hears('other', { answer: seen('SUCCESS', 1250, { refunded: 200, chargedBack: 0 }) })
  const known = recordAt(job.state, WHERE.account)
  expect(findings([line('refund', -200)], known)).toEqual([null])
  expect(findings([line('chargeback', -500)], known)).toEqual([null])
  expect(findings([line('reversal', 500)], known)).toEqual([null])
})

describe('a journal', () => {
  it('has no income from a payment that is unknown, and takes a payout that the bank returned off the bank', () => {
    const unknown = { kind: 'payment' as const, gross: 1000, fee: 30, finding: 'unknown' as const }
    const back = { kind: 'correction' as const, gross: 500, fee: 0, finding: 'payout-returned' as const }
    expect(postingsOf(1470, [unknown, back])).toEqual([
      { post: 'bank', amount: 970 },
      { post: 'unexplained', amount: -1000 },
      { post: 'fees', amount: 30 },
    ])
  })

  const sums = [
    { kind: 'payment' as const, gross: 10_000, fee: 300 },
    { kind: 'refund' as const, gross: -1000, fee: 0 },
    { kind: 'chargeback' as const, gross: -500, fee: 1500 },
    { kind: 'reversal' as const, gross: 200, fee: 0 },
    { kind: 'fee' as const, gross: 0, fee: 100 },
    { kind: 'correction' as const, gross: 10, fee: 0 },
  ]
  it.each([6810, 6809, 0, -5])(
    'of a payout of %i sums to zero, with a posting for the unexplained rest',
    (amount) => {
      const postings = postingsOf(amount, sums)
      expect(postings.reduce((sum, one) => sum + one.amount, 0)).toBe(0)
      const rest = postings.find(({ post }) => post === 'unexplained')?.amount ?? 0
      expect(rest).toBe(6810 - amount)
    },
  )
})
