import { describe, expect, it } from 'vitest'
import { findingOf, postingsOf } from '../../src/books/matching.ts'
import { type PaymentRecord, explain, recordAt, unbooked } from '../../src/books/record.ts'
import type { MoneyMove } from '../../src/psp/answer.ts'
import type { LineKind, PayoutLine } from '../../src/psp/payouts/payouts.ts'
import { WHERE, paidJob, reserved, reservedJob, seen } from '../support/jobs/played-job.ts'

const moved = (kind: LineKind, ...amounts: number[]) => amounts.map((gross) => ({ kind, gross }))
function known(...items: PaymentRecord['items']): PaymentRecord {
  return { currency: 'EUR', items }
}
const PAID = known(...moved('payment', 1250))
const paidAnd = (kind: LineKind, ...amounts: number[]) => known(...PAID.items, ...moved(kind, ...amounts))
function line(kind: LineKind, gross: number, fee = 0): PayoutLine {
  return { kind, at: 0, job: 'j', reference: null, orderNumber: null, gross, fee, text: '' }
}

/** Returns the findings of the lines of one payment, after others were booked. */
function findings(lines: PayoutLine[], record: PaymentRecord | null, ...before: PayoutLine[]) {
  const explained = record ? explain(record, before, lines) : []
  return lines.map((one, at) => findingOf(one, 'EUR', record, explained[at] ?? 0))
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
    ['a refund that the hub knows', line('refund', -500), paidAnd('refund', -500), null],
    ['one of several refunds', line('refund', -200), paidAnd('refund', -200, -300), null],
    ['several refunds as one', line('refund', -500), paidAnd('refund', -200, -300), null],
    ['some of several', line('refund', -500), paidAnd('refund', -200, -10, -300), 'amount-differs'],
    ['a refund that is a cent less', line('refund', -499), paidAnd('refund', -500), 'amount-differs'],
    ['a refund that is a cent more', line('refund', -501), paidAnd('refund', -500), 'refund-missing'],
    ['a refund that is unknown to the hub', line('refund', -1), PAID, 'refund-missing'],
    ['a refund in another currency', line('refund', -600), { ...PAID, currency: 'USD' }, null],
    ['a chargeback that the hub knows', line('chargeback', -1250), paidAnd('chargeback', -1250), null],
    [
      'a chargeback of a cent more',
      line('chargeback', -1251),
      paidAnd('chargeback', -1250),
      'amount-differs',
    ],
    ['a chargeback that is unknown to the hub', line('chargeback', -1250), PAID, 'amount-differs'],
    ['a chargeback that was won', line('reversal', 1250), paidAnd('reversal', 1250), null],
    ['money back that is unknown to the hub', line('reversal', 1250), PAID, 'amount-differs'],
    ['a fee without a payment', line('fee', 0, 100), null, null],
    ['a correction without a payment', line('correction', 10), null, null],
  ])('%s', (_, told, record, finding) => {
    expect(findings([told], record)).toEqual([finding])
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
    ['but not if they are a cent off', [500], [], [300, 201], [no, no]],
    ['nor if a third line makes it more', [500], [], [300, 200, 200], [no, no, no]],
    ['a line that a correction took back', [400], [400, -400], [400], [yes]],
    ['but not a line that a correction completed', [400], [399, 1], [400], [no]],
    ['the sum of many amounts', Array.from({ length: 40 }, () => 5), [], [200, 5], [no, yes]],
  ])('%s', (_, payment, before, lines, found) => {
    const signed = (sign: 1 | -1, all: number[]) =>
      all.map((gross) => line(sign === 1 ? 'payment' : 'chargeback', sign * gross))
    for (const sign of [1, -1] as const)
      expect(findings(signed(sign, lines), known(...signed(sign, payment)), ...signed(sign, before))).toEqual(
        found,
      )
  })

  it('a refund that failed explains only a line that the PSP pays back', () => {
    const record = known(
      { kind: 'refund', gross: -200, needs: 'reversal' },
      { kind: 'reversal', gross: 200, needs: 'refund' },
    )
    const [gone, back] = [line('refund', -200), line('reversal', 200)]
    expect(findings([gone], record)).toEqual(['refund-missing'])
    expect(findings([back], record)).toEqual(['amount-differs'])
    expect(findings([gone, back, line('refund', -200)], record)).toEqual([null, null, 'refund-missing'])
    expect(findings([back], record, gone)).toEqual([null])
    expect(findings([gone, line('reversal', 300)], record)).toEqual(['refund-missing', 'amount-differs'])
  })
})

describe('a line that names its transfer', () => {
  const refund = (id: string, gross: number) => ({ kind: 'refund' as const, gross, ids: [id, `hub-${id}`] })
  const of = (transfer: string, gross: number) => ({ ...line('refund', gross), transfer })
  const record = known(refund('re_1', -500), refund('re_2', -500), refund('re_3', -300))
  it.each<[string, before: PayoutLine[], lines: PayoutLine[], found: (string | null)[]]>([
    ['is explained by it', [], [of('re_2', -500)], [null]],
    ['as the hub named it, too', [], [of('hub-re_2', -500)], [null]],
    ['although one of its amount is booked', [of('re_1', -500)], [of('re_2', -500)], [null]],
    ['in either order', [of('re_2', -500)], [of('re_1', -500)], [null]],
    ['but not twice', [], [of('re_3', -300), of('re_3', -300)], [null, 'refund-missing']],
    ['nor in a second payout', [of('re_3', -300)], [of('re_3', -300)], ['refund-missing']],
    ['nor by another one of its amount', [], [of('re_1', -300)], ['amount-differs']],
    ['nor for less than the line has', [], [of('re_3', -500)], ['refund-missing']],
    ['and is left to it', [], [line('refund', -500), of('re_1', -500)], [null, null]],
    ['or by its amount if the hub does not know it', [], [of('re_9', -300)], [null]],
  ])('%s', (_, before, lines, found) => {
    expect(findings(lines, record, ...before)).toEqual(found)
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
    const record = recordAt(job.state, WHERE.account)
    const linesOf = (kind: 'payment' | 'refund', sign: number, of: MoneyMove['kind']) =>
      told.flatMap((one) => (one.kind === of ? [line(kind, sign * one.amount)] : []))
    for (const lines of [linesOf('payment', 1, 'part'), linesOf('refund', -1, 'refund')]) {
      expect(findings(lines, record)).toEqual(lines.map(() => null))
      const [first] = lines
      if (first) expect(findings([...lines, first], record)).toContainEqual(expect.any(String))
    }
  })
})

describe('an order of 12.50 that is captured in parts', () => {
  const job = reservedJob()
  const capture = (id: string, amount: number, state: 'done' | 'failed' = 'done') => ({ id, amount, state })
  const hears = (paid: number, ...list: ReturnType<typeof capture>[]) =>
    job.hears('other', { answer: reserved(paid, { transfers: { capture: list } }) })
  hears(900, capture('c1', 500), capture('c2', 400))
  hears(1250, capture('c1', 500), capture('c2', 400, 'failed'), capture('c3', 750))
  const record = recordAt(job.state, WHERE.account)
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
    expect(findings(told, record, ...before.map((gross) => line('payment', gross)))).toEqual(found)
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
  const record = recordAt(job.state, WHERE.account)
  expect(findings([line('refund', -200)], record)).toEqual([null])
  expect(findings([line('chargeback', -500)], record)).toEqual([null])
  expect(findings([line('reversal', 500)], record)).toEqual([null])
})

it('a second chargeback of a dispute has a line of its own', () => {
  const job = paidJob()
  const dispute = { reference: 'd1', amount: 500 }
  for (const [id, kind] of [
    ['first', 'chargeback'],
    ['won', 'chargeback-reversed'],
    ['second', 'chargeback'],
  ] as const)
    job.notified({ moves: [{ id, kind, ...dispute }] })
  const lines = [line('chargeback', -500), line('reversal', 500), line('chargeback', -500)]
  expect(findings(lines, recordAt(job.state, WHERE.account))).toEqual([null, null, null])
})

it('of a sum, what no line has yet is open', () => {
  const open = unbooked(paidAnd('chargeback', -800), [line('payment', 1250), line('chargeback', -300)])
  expect(open).toMatchObject([{ kind: 'chargeback', gross: -500 }])
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
