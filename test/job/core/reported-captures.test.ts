import { describe, expect, it } from 'vitest'
import { represent } from '../../../src/job/core/show.ts'
import type { MoneyMove } from '../../../src/psp/answer.ts'
import {
  type Job,
  AMOUNT,
  SILENT,
  TOOK,
  playedJob,
  playedOrder,
  reserved,
  reservedJob,
  seen,
} from '../../support/jobs/played-job.ts'
import { money, answers } from '../../support/jobs/reserved-job.ts'
import { OF_RESERVED, ofKind } from '../../../src/job/core/payment.ts'

describe('captures that only notifications report', () => {
  const move = (
    id: string,
    kind: MoneyMove['kind'],
    amount: number,
    more: Partial<MoneyMove> = {},
  ): MoneyMove => ({
    id,
    kind,
    amount,
    reference: id,
    of: 'card',
    ...more,
  })
  const notify = (job: Job, ...moves: MoneyMove[]) => {
    job.now += 1000
    return job.notified({ moves })
  }

  it('count by their moves, in parts, and settle the requested captures', () => {
    const job = reservedJob()
    job.wants('capture', 'c1', { amount: 500 })
    job.answered('c1', { is: 'taken', reference: 'A', state: 'pending' })
    notify(job, move('A', 'capture', 500))
    expect(ofKind(job.state, ...OF_RESERVED)).toMatchObject([{ state: 'done' }])
    answers(job, reserved(0))
    expect(money(job)).toMatchObject({ status: 'PENDING', paid: '5.00', due: '7.50' })
    expect(job.owed()).not.toContain('instruct')
    notify(job, move('B', 'capture', 750))
    expect(money(job)).toMatchObject({ status: 'SUCCESS', paid: '12.50' })
    expect(job.trace()).toEqual(expect.arrayContaining(['Capture PENDING 500', 'Capture SUCCESS 1250']))
  })

  it('count once, however often they are reported', () => {
    const job = reservedJob()
    notify(job, move('A', 'capture', 500), move('A', 'capture', 500, { id: 'again' }))
    expect(money(job)).toMatchObject({ paid: '5.00' })
  })

  it.each([
    ['before the hub knows that the money is reserved', { capture: 'manual' } as const, []],
    ['of an order that captures by itself, whose money is reserved', {}, [reserved()]],
  ])('count even %s', (_, order, before) => {
    const job = playedOrder(order)
    for (const answer of before) answers(job, answer)
    notify(job, move('A', 'capture', 500))
    answers(job, reserved())
    expect(money(job)).toMatchObject({ paid: '5.00' })
  })

  it('and what was released since add up to what was reserved: nothing of it went back', () => {
    const job = reservedJob()
    notify(job, move('A', 'capture', 500))
    notify(job, move('X', 'refund', AMOUNT, { cancelled: true }))
    expect(money(job)).toMatchObject({
      status: 'SUCCESS',
      paid: '5.00',
      released: '7.50',
      refunded: undefined,
    })
    expect(represent(job.state).payments.steps.at(-1)).toMatchObject({ amountReleased: '7.50' })
  })

  it('release the rest only once a final one was made', () => {
    const job = reservedJob()
    job.wants('capture', 'c1', { amount: 500 })
    job.wants('capture', 'c2', { amount: 300, final: true })
    notify(job, move('A', 'capture', 500, { instruction: 'c1' }))
    expect(money(job)).toMatchObject({ status: 'PENDING', paid: '5.00', released: undefined })
    notify(job, move('B', 'capture', 300, { instruction: 'c2' }))
    expect(money(job)).toMatchObject({ status: 'SUCCESS', paid: '8.00', released: '4.50' })
    expect(represent(job.state).payments.steps.at(-1)).toMatchObject({ amountReleased: '4.50' })
  })

  it('and what is released meanwhile have a step each; a notification without news has none', () => {
    const job = reservedJob()
    notify(job, move('P', 'part', AMOUNT))
    notify(job, move('X', 'refund', 200, { cancelled: true }))
    expect(job.trace().slice(2)).toEqual(['Release PENDING 0'])
    const fresh = playedJob()
    fresh.notified()
    expect(fresh.trace()).toEqual(['Start PENDING 0'])
  })

  it('by hand release the rest without a notification, unless a second one shows that they did not', () => {
    const job = reservedJob()
    notify(job, move('A', 'capture', 500))
    expect(money(job)).toMatchObject({ status: 'SUCCESS', paid: '5.00', released: '7.50' })
    expect(job.wants('capture', 'c1')).toMatchObject({ error: { is: 'nothing-left' } })
    notify(job, move('B', 'capture', 750))
    expect(money(job)).toMatchObject({ status: 'SUCCESS', paid: '12.50', released: undefined })
  })

  it('that are final release the rest without a notification', () => {
    const job = reservedJob()
    job.wants('capture', 'c1', { amount: 500 }, ['mollie'])
    notify(job, move('A', 'capture', 500, { instruction: 'c1' }))
    expect(money(job)).toMatchObject({ status: 'SUCCESS', paid: '5.00', released: '7.50', due: '0.00' })
  })

  it('that fail after all take their money out again; a later one counts', () => {
    const job = playedJob()
    job.hears('other', { answer: seen('SUCCESS') })
    const steps = [
      [move('P', 'part', AMOUNT), undefined],
      [move('A', 'capture-failed', 500), '5.00'],
      [move('A', 'capture', 500, { id: 'late' }), '5.00'],
      [move('B', 'capture', 500), undefined],
      [move('B', 'capture-failed', 500, { id: 'again' }), '5.00'],
      [move('A', 'capture', 500, { id: 'last' }), '5.00'],
    ] as const
    for (const [one, refunded] of steps) {
      notify(job, one)
      expect(money(job)).toMatchObject({ status: 'SUCCESS', paid: '12.50' })
      expect(money(job).refunded).toBe(refunded)
    }
    expect(represent(job.state)).not.toHaveProperty('amountChargedBack')
  })

  it('that fail are not made up for by one of another payment of the order', () => {
    const job = playedJob()
    job.hears('other', { answer: seen('SUCCESS') })
    const gift = { of: 'gift' }
    notify(job, move('gift', 'part', 500), move('card', 'part', 750))
    notify(job, move('A', 'capture-failed', 500, gift), move('B', 'capture', 750))
    expect(money(job)).toMatchObject({ paid: '12.50', refunded: '5.00' })
    notify(job, move('C', 'capture', 500, gift))
    expect(money(job)).toMatchObject({ paid: '12.50', refunded: undefined })
  })

  it('that were made and failed in one notification take their money out again', () => {
    const job = playedJob()
    job.hears('other', { answer: seen('SUCCESS') })
    notify(job, move('A', 'capture', AMOUNT), move('A', 'capture-failed', AMOUNT, { id: 'A!' }))
    expect(money(job)).toMatchObject({ status: 'SUCCESS', paid: '12.50', refunded: '12.50' })
  })

  it('at a PSP that captures automatically are not made up for, once cancelled, by money reserved elsewhere', () => {
    const job = playedJob(['a', SILENT], ['mollie', TOOK])
    job.tries(['a', TOOK])
    job.hears('other', { answer: seen('SUCCESS') })
    notify(job, move('X', 'refund', AMOUNT, { cancelled: true }))
    job.hearsOf({ account: 'a', why: 'duty' }, { answer: reserved() })
    expect(job.state.payments).toMatchObject([{ lost: AMOUNT }, { authorized: AMOUNT }])
    expect(job.due('release')).toBe(0)
    expect(job.owed()).not.toContain('capture')
  })

  it('of a payment that its PSP captures automatically are no news', () => {
    const job = playedJob()
    job.hears('other', { answer: seen('SUCCESS') })
    const before = job.state.payments[0]?.moves
    notify(job, move('A', 'capture', AMOUNT))
    expect(job.state.payments[0]?.moves).toEqual(before)
  })

  it.each([
    ['by the wish of the shop, is CANCELLED', { instruction: 'r1' }, 'CANCELLED'],
    ['by hand at the PSP, is CANCELLED', { id: 'TECHNICAL_CANCEL:true:X' }, 'CANCELLED'],
    ['because its time was up, is EXPIRED', { expired: true }, 'EXPIRED'],
    ['because its time was up, as 1.1 stored it, is EXPIRED', { id: 'EXPIRE:true:X' }, 'EXPIRED'],
  ] as const)('that all was let go %s', (_, how, status) => {
    const job = reservedJob()
    if ('instruction' in how) job.wants('release', how.instruction)
    notify(job, move('X', 'refund', AMOUNT, { cancelled: true, ...how }))
    expect(money(job)).toMatchObject({ status, paid: '0.00', released: '12.50', refunded: undefined })
    answers(job, reserved(0))
    expect(job.owed()).not.toContain('release')
  })

  it('that all was cancelled counts, even if the PSP also says that its time was up', () => {
    const ends = [{ expired: true }, { id: 'CANCELLATION:true:X' }] as const
    for (const order of [ends, ends.toReversed()]) {
      const job = reservedJob()
      const moves = order.map((how, at) => move(`X${at}`, 'refund', AMOUNT, { cancelled: true, ...how }))
      notify(job, ...moves)
      expect(money(job)).toMatchObject({ status: 'CANCELLED', released: '12.50' })
    }
  })

  it('say that a release was refused: it fails, and the hub tries again', () => {
    const job = reservedJob()
    job.wants('release', 'r1')
    job.answered('r1', { is: 'taken', reference: 'X', state: 'pending' })
    notify(job, move('X', 'release-failed', 0, { error: 'No.' }))
    expect(ofKind(job.state, ...OF_RESERVED)).toMatchObject([{ state: 'failed', error: 'No.' }])
    expect(job.owed()).toContain('release')
  })

  it('that fail last, of a paid order, show as money that went back', () => {
    const job = reservedJob()
    job.wants('capture', 'c1')
    notify(job, move('A', 'capture', AMOUNT, { instruction: 'c1' }))
    expect(money(job)).toMatchObject({ status: 'SUCCESS' })
    notify(job, move('A', 'capture-failed', AMOUNT, { id: 'A!', error: 'No.' }))
    expect(money(job)).toMatchObject({ status: 'SUCCESS', paid: '12.50', refunded: '12.50' })
    expect(job.refund('r1')).toMatchObject({ error: { is: 'nothing-left' } })
    expect(job.wants('capture', 'c2')).toMatchObject({ value: [{ amount: AMOUNT }] })
    notify(job, move('B', 'capture', AMOUNT, { instruction: 'c2' }))
    expect(money(job)).toMatchObject({ status: 'SUCCESS', paid: '12.50', refunded: undefined })
  })
})
