import type { MoneyBackTotals, MoneyMove } from '../../../src/psp/answer.ts'
import { describe, expect, it } from 'vitest'
import type { Job } from '../../../src/job/rules/job.ts'
import { NOTHING_BACK } from '../../../src/job/rules/money-back.ts'
import { countMoves, recordTold, recordTotals } from '../../../src/job/rules/record-money-back.ts'
import { beginRefund, findRefund } from '../../../src/job/rules/refund-request.ts'
import { represent } from '../../../src/job/rules/representation.ts'
import { HOUR } from '../../../src/contract/timestamp.ts'
import { recordPull } from '../../../src/job/rules/transition.ts'
import { AMOUNT, MIDDLE, NOW, jobIn, sampleJob, seen } from '../../support/sample-job.ts'
import { withRefund } from './why-jobs.ts'

const paid = jobIn('SUCCESS')
const LATER = NOW + HOUR
function back(job: Job) {
  return (job.moneyBack?.steps ?? []).map(
    ({ action, refunded, chargedBack }) => `${action} ${refunded} ${chargedBack}`,
  )
}

describe('money that went back', () => {
  it('is a step and a report, and leaves status and amount as they are', () => {
    const job = recordTotals(paid, { refunded: 500 }, LATER)
    expect(job).toMatchObject({
      status: 'SUCCESS',
      paid: AMOUNT,
      revision: paid.revision + 1,
      updated: LATER * 1000,
    })
    expect(back(job)).toEqual(['Refund 500 0'])
    expect(job.reports).toHaveLength(paid.reports.length + 1)
  })

  it('by refund and by chargeback at once is two steps and two reports', () => {
    const job = recordTotals(paid, { refunded: 500, chargedBack: 200 }, LATER)
    expect(back(job)).toEqual(['Refund 500 0', 'Chargeback 500 200'])
    expect(job.revision).toBe(paid.revision + 2)
  })

  it('is told once', () => {
    const job = recordTotals(paid, { refunded: 500 }, LATER)
    expect(recordTotals(job, { refunded: 500 }, LATER + HOUR)).toBe(job)
    expect(recordTotals(paid, { refunded: 0, chargedBack: 0 }, LATER)).toBe(paid)
    expect(recordTotals(paid, {}, LATER)).toBe(paid)
  })

  it('may come back: a chargeback is reversed, a refund fails', () => {
    const job = recordTotals(paid, { refunded: 500, chargedBack: 200 }, LATER)
    expect(back(recordTotals(job, { refunded: 0, chargedBack: 0 }, LATER + HOUR)).slice(2)).toEqual([
      'Refund 0 200',
      'Chargeback 0 0',
    ])
  })

  it('that is seen before the payment was ever seen paid is told after it', () => {
    const job = recordPull(sampleJob(), 'Statuspull', { ...seen('SUCCESS', AMOUNT), refunded: 300 }, LATER)
    expect(represent(job).payments.steps.map(({ action, status }) => `${action} ${status}`)).toEqual([
      'Start PENDING',
      'Statuspull SUCCESS',
      'Refund SUCCESS',
    ])
    expect(job.reports.map(({ revision }) => revision)).toEqual([2, 3])
  })

  it('counts for nothing while nothing was paid', () => {
    expect(recordTotals(sampleJob(), { refunded: 500 }, LATER)).toEqual(sampleJob())
  })
})

it('whose refund it was is not asked anew where only a chargeback is told', () => {
  const moneyBack = { ...NOTHING_BACK, ...withRefund('failed').moneyBack, refunded: 500 }
  const told = (totals: MoneyBackTotals) => recordTotals({ ...paid, moneyBack }, totals, LATER).moneyBack
  expect(told({ chargedBack: 200 })).toMatchObject({ chargedBack: 200, elsewhere: 0 })
  expect(told({ refunded: 500, chargedBack: 200 })).toMatchObject({ chargedBack: 200, elsewhere: 500 })
})

describe('what only notifications tell', () => {
  const refund: MoneyMove = { id: 'a:REFUND', kind: 'refund', amount: 500 }
  const failed: MoneyMove = { id: 'a:REFUND_FAILED', kind: 'refund-failed', amount: 500 }
  const chargeback: MoneyMove = { id: 'b', kind: 'chargeback', amount: AMOUNT }
  const reversed: MoneyMove = { id: 'c', kind: 'chargeback-reversed', amount: AMOUNT }
  const told = (job: Job, ...moves: MoneyMove[]) => countMoves(recordTold(job, { moves }), LATER)

  it.each<[string, MoneyMove[], number, number]>([
    ['a refund', [refund], 500, 0],
    ['the same refund twice', [refund, refund], 500, 0],
    ['two refunds', [refund, { ...refund, id: 'd' }], 1000, 0],
    ['a refund that failed', [refund, failed], 0, 0],
    ['a refund that failed, in the other order', [failed, refund], 0, 0],
    [
      'a failure that is told by two events takes back no other refund',
      [
        { id: 'A:R', kind: 'refund', amount: 500, reference: 'A' },
        { id: 'B:R', kind: 'refund', amount: 500, reference: 'B' },
        { id: 'A:F', kind: 'refund-failed', amount: 500, reference: 'A' },
        { id: 'A:V', kind: 'refund-failed', amount: 500, reference: 'A' },
      ],
      500,
      0,
    ],
    ['a chargeback', [chargeback], 0, AMOUNT],
    ['a chargeback that was reversed', [chargeback, reversed], 0, 0],
  ])('is counted: %s', (_, moves, refunded, chargedBack) => {
    const job = moves.reduce((before, move) => told(before, move), paid)
    expect(job.moneyBack).toMatchObject({ refunded, chargedBack })
  })

  it('is remembered before the payment is seen paid, and counted then', () => {
    const job = told(sampleJob(), refund)
    expect(job.moneyBack).toMatchObject({ refunded: 0, moves: [refund] })
    expect(back(recordPull(job, 'Statuspull', seen('SUCCESS', AMOUNT), LATER))).toEqual(['Refund 500 0'])
  })

  it('is the reference of the payment', () => {
    const job = recordTold(paid, { payment: 'psp-1' })
    expect(job.moneyBack?.payment).toBe('psp-1')
    expect(recordTold(job, { payment: 'psp-1' })).toBe(job)
  })

  it('leaves the reference of the payment as it is where it names none', () => {
    const job = recordTold(recordTold(paid, { payment: 'psp-1' }), { moves: [refund] })
    expect(job.moneyBack).toMatchObject({ payment: 'psp-1', moves: [refund] })
    expect(recordTold(job, { payment: 'psp-2' }).moneyBack).toMatchObject({
      payment: 'psp-2',
      moves: [refund],
    })
  })

  it('settles a refund that was asked for here', () => {
    const wanted = { id: 'r1', fingerprint: 'f', call: 'c', amount: 500, description: 'd' }
    const asked = beginRefund(paid, wanted, NOW, MIDDLE)
    if (!asked.ok) throw new Error('refused')
    const done = told(asked.value, { ...refund, refund: 'r1' })
    expect(findRefund(done, 'r1')).toMatchObject({ state: 'done', checkAt: null })
    const undone = told(done, { ...failed, refund: 'r1', error: 'Account closed' })
    expect(findRefund(undone, 'r1')).toMatchObject({ state: 'failed', error: 'Account closed' })
  })
})

describe('the answer to a point of sale', () => {
  it('stays as it is documented while nothing went back', () => {
    const members = JSON.stringify(
      represent(recordTotals(recordTold(paid, { payment: 'x' }), { refunded: 0 }, LATER)),
    )
    expect(members).toBe(JSON.stringify(represent(paid)))
  })

  it('has what was refunded and charged back, as a whole and in its steps', () => {
    const job = recordTotals(paid, { refunded: 500, chargedBack: 200 }, LATER)
    const shown = represent(job)
    const amounts = { amountRefunded: '5.00', amountChargedBack: '2.00' }
    expect(shown).toMatchObject({ amountPaid: '12.50', amountDue: '0.00', status: 'SUCCESS', ...amounts })
    expect(shown.payments).toMatchObject(amounts)
    expect(shown.payments.steps.slice(2)).toEqual([
      {
        creationDate: expect.any(String) as string,
        action: 'Refund',
        status: 'SUCCESS',
        amountDue: '0.00',
        amountPaid: '12.50',
        amountRefunded: '5.00',
      },
      {
        creationDate: expect.any(String) as string,
        action: 'Chargeback',
        status: 'SUCCESS',
        amountDue: '0.00',
        amountPaid: '12.50',
        ...amounts,
      },
    ])
    const times = shown.payments.steps.map(({ creationDate }) => creationDate)
    expect(times).toEqual(times.toSorted())
    expect(shown.payments.creationDate).toBe(times.at(-1))
  })

  it('keeps its steps in order of time when more follow', () => {
    const job = recordPull(
      recordTotals(paid, { refunded: 500 }, LATER),
      'Return',
      seen('SUCCESS', AMOUNT),
      LATER + HOUR,
    )
    expect(represent(job).payments.steps.map(({ action }) => action)).toEqual([
      'Start',
      'Statuspull',
      'Refund',
      'Return',
    ])
  })
})
