import { describe, expect, it } from 'vitest'
import { DAY, MINUTE } from '../../../src/contract/timestamp.ts'
import { givenBackIn, partsOfPayment } from '../../../src/job/core/parts.ts'
import { represent } from '../../../src/job/core/show.ts'
import { why } from '../../../src/job/core/why.ts'
import type { MoneyMove } from '../../../src/psp/answer.ts'
import {
  AMOUNT,
  type Job,
  SILENT,
  TOOK,
  paidJob,
  playedJob,
  reserved,
  seen,
} from '../../support/jobs/played-job.ts'
import { signedOnly } from '../../../src/job/core/signed-not-shown.ts'
import { ofKind } from '../../../src/job/core/payment.ts'

let moves = 0
/** A move of a payment's money, with its own id. */
function move(kind: MoneyMove['kind'], amount: number, more: Partial<MoneyMove> = {}): MoneyMove {
  return { id: `m${++moves}`, kind, amount, ...more }
}
const part = (reference: string, amount: number) => move('part', amount, { reference })
const back = (of: string, amount: number) => move('refund', amount, { of, reference: `back ${of} ${amount}` })
const cancelled = (of: string, amount: number) => move('refund', amount, { of, cancelled: true })
const chargeback = (reference: string, amount: number) => move('chargeback', amount, { reference })
const reversed = (reference: string, amount: number) => move('chargeback-reversed', amount, { reference })

/** A paid job with these moves, each from a separate notification. */
function jobWithMoves(...all: MoneyMove[]): Job {
  const job = paidJob()
  for (const one of all) job.notified({ moves: [one] })
  return job
}
function figuresOf(job: Job) {
  const { amountPaid, amountRefunded = '0.00', amountChargedBack = '0.00' } = represent(job.state)
  return [amountPaid, amountRefunded, amountChargedBack]
}
/** Returns the moves in every order. */
function ordersOf(all: readonly MoneyMove[]): MoneyMove[][] {
  if (all.length < 2) return [[...all]]
  return all.flatMap((one) => ordersOf(all.filter((other) => other !== one)).map((rest) => [one, ...rest]))
}

describe('an order of 12.50 that several payments may have paid', () => {
  it.each([
    ['only a card', [part('card', 1250)], '0.00', 1250],
    [
      'a card, after a gift card that was refunded',
      [part('gift', 500), back('gift', 500), part('card', 1250)],
      '0.00',
      1250,
    ],
    [
      'a card, after a gift card that was cancelled',
      [part('gift', 500), cancelled('gift', 500), part('card', 1250)],
      '0.00',
      1250,
    ],
    [
      'a card, after another that was refunded',
      [part('old', 1250), back('old', 1250), part('card', 1250)],
      '0.00',
      1250,
    ],
    [
      'a gift card and a card, after a gift card that was refunded',
      [part('old', 500), back('old', 500), part('gift', 500), part('card', 750)],
      '0.00',
      750,
    ],
    ['a card that was refunded in part', [part('card', 1250), back('card', 600)], '6.00', 650],
    [
      'a gift card, refunded in full, and a card',
      [part('gift', 500), part('card', 750), back('gift', 500)],
      '5.00',
      750,
    ],
    [
      'a gift card and a card that was refunded in part at the PSP',
      [part('gift', 500), part('card', 750), back('card', 600)],
      '6.00',
      500,
    ],
    [
      'a card, a gift card, and a refund that names neither of them',
      [part('gift', 500), part('card', 1250), move('refund', 500, { reference: 'unnamed' })],
      '5.00',
      750,
    ],
  ] as const)('%s: what went back, and what can go back at once', (_, all, refunded, rest) => {
    for (const order of ordersOf(all)) {
      const job = jobWithMoves(...order)
      expect(figuresOf(job)).toEqual(['12.50', refunded, '0.00'])
      expect(job.refund('more', rest + 1)).toMatchObject({ error: { is: 'too-much', rest } })
      expect(job.refund('rest', rest)).toMatchObject({ ok: true })
    }
  })

  it('is refunded at the payment that has money left', () => {
    const job = jobWithMoves(part('gift', 500), part('card', 750), back('card', 600))
    job.refund('r1', 200)
    expect(ofKind(job.state, 'refund')).toMatchObject([{ part: 'gift' }])
    for (const gone of [chargeback('d', 700), cancelled('card', 700)]) {
      const other = jobWithMoves(part('gift', 500), part('card', 750), { ...gone, of: 'card' })
      other.refund('r1', 100)
      expect(ofKind(other.state, 'refund')).toMatchObject([{ part: 'gift' }])
    }
    const anew = jobWithMoves(part('old', 1250), back('old', 1250), part('card', 1250))
    expect(anew.state.payments[0]?.other).toBe('card')
  })
})

describe('a part of an order', () => {
  it('has what refunds by the hub leave, even if the PSP reports these as well', () => {
    const job = jobWithMoves(part('gift', 500), part('card', 750))
    job.refund('r1', 600)
    job.answered('r1', { is: 'taken', reference: 're_1', state: 'pending' })
    job.notified({ moves: [move('refund', 600, { of: 'card', reference: 're_1' })] })
    for (const id of ['r2', 'r3']) job.refund(id)
    expect(ofKind(job.state, 'refund').map(({ part: of, amount }) => [of, amount])).toEqual([
      ['card', 600],
      ['gift', 500],
      ['card', 150],
    ])
  })

  it('is charged back if a later event of the dispute names it, and the first did not', () => {
    const dispute = (kind: 'chargeback' | 'chargeback-reversed') =>
      move(kind, 500, { reference: 'd', of: 'gift' })
    const job = jobWithMoves(
      part('gift', 500),
      part('card', 750),
      chargeback('d', 500),
      dispute('chargeback-reversed'),
      dispute('chargeback'),
    )
    job.refund('r1', 700)
    job.refund('r2', 50)
    expect(ofKind(job.state, 'refund')).toMatchObject([{ part: 'card' }, { part: 'card' }])
  })

  it('is booked with the others, or as money that came and went if it was refunded in full', () => {
    const gift = [part('gift', 500), part('card', 750)]
    const anew = [part('old', 500), back('old', 500), ...gift]
    const amounts = (all: readonly MoneyMove[]) => partsOfPayment(all, AMOUNT).map(({ amount }) => amount)
    expect([amounts(gift), givenBackIn(gift, AMOUNT)]).toEqual([[500, 750], []])
    expect([amounts(anew), givenBackIn(anew, AMOUNT)]).toEqual([[500, 750], [500]])
  })
})

describe('money that counted as paid and is not the shop’s', () => {
  it.each([
    ['in full', [cancelled('card', 1250)], '12.50', '0.00'],
    ['reported twice', [cancelled('card', 1250), cancelled('card', 1250)], '12.50', '0.00'],
    ['that was not captured', [cancelled('card', 750)], '7.50', '0.00'],
    ['whose payment is unknown', [cancelled('unknown', 1250)], '12.50', '0.00'],
    ['and refunded as well', [cancelled('card', 1250), back('card', 1250)], '12.50', '0.00'],
    [
      'no more than the shop has',
      [cancelled('card', 750), cancelled('unknown', 750), chargeback('d', 500)],
      '7.50',
      '5.00',
    ],
    [
      'nothing of what was charged back',
      [move('chargeback', 1250, { reference: 'd', of: 'card' }), cancelled('unknown', 1250)],
      '0.00',
      '12.50',
    ],
    ['whose capture had failed', [cancelled('card', 1250), chargeback('capture', 1250)], '0.00', '12.50'],
  ] as const)('is refunded, by a report: %s', (_, all, refunded, chargedBack) => {
    for (const order of ordersOf([part('card', 1250), ...all])) {
      const job = jobWithMoves(...order)
      expect(figuresOf(job)).toEqual(['12.50', refunded, chargedBack])
      expect(job.due('report')).toBeLessThanOrEqual(0)
      expect(job.trace().at(-1)).toMatch(/^(Refund|Chargeback) SUCCESS 1250$/)
    }
  })

  it('counts once the payment is seen as paid', () => {
    const job = playedJob()
    job.notified({ moves: [part('card', AMOUNT), cancelled('card', AMOUNT)] })
    expect(figuresOf(job)).toEqual(['0.00', '0.00', '0.00'])
    job.hears('duty', { answer: seen('SUCCESS') })
    expect(figuresOf(job)).toEqual(['12.50', '12.50', '0.00'])
  })
})

describe('disputes', () => {
  it.each([
    [
      'one that is won twice, next to another',
      [chargeback('a', 500), reversed('a', 500), reversed('a', 500), chargeback('b', 500)],
      '5.00',
    ],
    [
      'one that is won without a first event, next to a capture that failed',
      [reversed('a', 450), chargeback('capture', 1250)],
      '12.50',
    ],
    ['one that is lost again', [chargeback('a', 500), reversed('a', 500), chargeback('a', 500)], '5.00'],
    ['two that are lost', [chargeback('a', 500), chargeback('b', 300)], '8.00'],
  ] as const)('each count by themselves: %s', (_, all, chargedBack) => {
    for (const order of ordersOf(all))
      expect(figuresOf(jobWithMoves(...order))).toEqual(['12.50', '0.00', chargedBack])
  })

  it('of release 1.0 have their reference only in their id', () => {
    const won = move('chargeback-reversed', 500, { reference: 'dispute' })
    const job = jobWithMoves(
      { id: 'CHARGEBACK:true:dispute', kind: 'chargeback', amount: 500 },
      won,
      chargeback('b', 300),
    )
    expect(figuresOf(job)).toEqual(['12.50', '0.00', '3.00'])
  })
})

describe('a payment that the PSP signed as paid', () => {
  function signed(): Job {
    const job = playedJob()
    job.notified({ payment: 'card', claims: 'SUCCESS', moves: [part('card', AMOUNT)] })
    return job
  }

  it.each([
    ['cancelled', cancelled('card', AMOUNT)],
    ['cancelled in part', cancelled('card', 300)],
    ['cancelled, by an event without a payment,', move('refund', AMOUNT, { cancelled: true })],
    ['refunded in part', back('card', 300)],
  ])('and %s is claimed no more', (_, gone) => {
    const job = signed()
    job.notified({ moves: [gone] })
    job.hears('duty', { answer: seen('PENDING') })
    expect(job.state.payments[0]?.asks.prompted).toBeNull()
  })

  it.each([
    ['once its API, asked since, still does not show it', { answer: seen('PENDING') }, true],
    ['not before the hub has asked', undefined, false],
    ['not if its API shows the money, open as it is', { answer: seen('PENDING', AMOUNT) }, false],
    ['not if its API shows that the money is reserved', { answer: reserved() }, false],
  ])('is shown to the operator, %s', (_, answer, isTold) => {
    for (const news of [{ claims: 'SUCCESS' } as const, { moves: [part('card', AMOUNT)] }]) {
      const job = playedJob()
      job.notified(news)
      if (answer) job.hears('duty', answer)
      expect(why(job.state, job.now).main.cause === 'signed-not-shown').toBe(isTold)
    }
  })

  it('is shown even after an older answer made the hub ask once more', () => {
    const job = playedJob()
    job.notified({ claims: 'SUCCESS' })
    job.now += MINUTE
    job.hears('duty', { answer: seen('PENDING') })
    job.hearsOf({ asked: job.now - 1000 }, { answer: seen('PENDING', 0, { refunded: 100 }) })
    job.now += MINUTE
    job.hears('duty', { answer: seen('PENDING') })
    expect(why(job.state, job.now).main.cause).toBe('signed-not-shown')
  })

  it('is not shown if another payment paid the order', () => {
    const job = playedJob(['a', SILENT], ['mollie', TOOK])
    job.tries(['a', TOOK])
    job.notified({ claims: 'SUCCESS', moves: [part('card', AMOUNT)] })
    job.hears('duty', { answer: seen('PENDING') })
    expect(signedOnly(job.state)).toBeDefined()
    job.hearsOf({ account: 'a' }, { answer: seen('SUCCESS') })
    expect(signedOnly(job.state)).toBeUndefined()
  })

  it('as a part of an ended order is shown to the operator until it is refunded', () => {
    const job = playedJob()
    job.notified({ payment: 'gift', claims: 'SUCCESS', moves: [part('gift', 500)] })
    job.hears('duty', { answer: seen('PENDING') })
    expect(why(job.state, job.now).main.cause).toBe('customer-not-back')
    job.now += DAY
    job.hears('duty', { answer: seen('EXPIRED', 0, { closed: false }) })
    job.report('200')
    for (const gone of [cancelled('other', 500), cancelled('gift', 300)]) {
      expect(why(job.state, job.now).main.cause).toBe('signed-not-shown')
      job.notified({ moves: [gone] })
      job.now += MINUTE
      job.hears('duty', { answer: seen('EXPIRED', 0, { closed: false }) })
    }
    expect(why(job.state, job.now).main.cause).toBe('signed-not-shown')
    job.notified({ moves: [cancelled('gift', 200)] })
    job.hears('duty', { answer: seen('EXPIRED', 0, { closed: false }) })
    expect(why(job.state, job.now).main.cause).toBe('expired')
  })
})
