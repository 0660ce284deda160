import { describe, expect, it } from 'vitest'
import { CAUSES } from '../../../src/contract/causes.ts'
import { rowOf } from '../../../src/job/core/row.ts'
import { why } from '../../../src/job/core/why.ts'
import { type Job, AMOUNT, SILENT, TOOK, playedJob, seen } from '../../support/jobs/played-job.ts'
import { atTerminal, ended, told } from '../../support/jobs/why-jobs.ts'
import { unappliedOf } from '../../../src/job/core/money.ts'

function paidInPart(): Job {
  const job = playedJob()
  job.hears('other', { answer: seen('EXPIRED', 400) })
  job.report('200')
  return job
}

function paidTwice(): Job {
  const job = playedJob(['a', SILENT], ['mollie', TOOK])
  job.tries(['a', { ...TOOK, reference: 'a_1' }])
  job.hears('other', { answer: seen('SUCCESS') })
  job.hearsOf({ account: 'a', reference: 'a_1', why: 'duty' }, { answer: seen('SUCCESS') })
  job.report('200')
  return job
}

function overpaid(by: number): Job {
  const job = playedJob()
  job.hears('other', { answer: seen('SUCCESS', AMOUNT + by) })
  job.report('200')
  return job
}

/** Money that came after the end. The shop's receiver answers the report of it so; null for not at all. */
function paidLate(outcome: string | null = null): Job {
  const job = ended('EXPIRED')
  job.now += 1000
  job.hears('other', { answer: seen('SUCCESS') })
  job.now += 1000
  if (outcome !== null) job.report(outcome)
  return job
}

/** The shop accepts the late money, and another job of the order is paid too. */
function paidLateAgain(): Job {
  const job = paidLate('200')
  job.tell({ do: 'record-also-paid', job: 'other', paid: AMOUNT })
  job.report('200')
  return job
}

function moveOf({ state, now }: Job) {
  return CAUSES[why(state, now).main.cause].move
}

describe('money that pays no order', () => {
  it.each([
    ['a part of an order that ended', paidInPart, 400],
    ['more than was due', () => overpaid(100), 100],
    ['a second payment', paidTwice, AMOUNT],
    ['money that came after the end of an order paid twice', paidLateAgain, AMOUNT],
  ] as const)("%s is the operator's move, by so much", (_, make, amount) => {
    const job = make()
    expect(unappliedOf(job.state)).toBe(amount)
    expect(moveOf(job)).toBe('operator')
  })

  it.each([
    ['what was paid as ordered', () => told()],
    ['an unpaid order', () => ended('EXPIRED')],
  ] as const)('%s has none', (_, make) => {
    expect(unappliedOf(make().state)).toBe(0)
  })

  it.each([
    ['a tip', AMOUNT + 200, 0],
    ['what was paid on top of a tip', AMOUNT + 300, 100],
  ])('%s at a terminal is listed only if it is no tip', (_, paid, listed) => {
    const job = atTerminal()
    job.hears('other', { answer: seen('SUCCESS', paid, { tip: 200 }) })
    expect(rowOf(job.state)).toMatchObject({ tip: 200, unapplied: listed })
  })

  it.each([null, '500', '410'])('money after the end counts while the shop has answered %s', (outcome) => {
    expect(unappliedOf(paidLate(outcome).state)).toBe(AMOUNT)
  })

  it('money after the end pays its order once the shop has accepted the report, and stays so', () => {
    const job = paidLate('200')
    job.now += 1000
    job.hears('other', { answer: seen('SUCCESS', AMOUNT, { refunded: 100 }) })
    expect(job.state.report?.state).toBe('due')
    expect(unappliedOf(job.state)).toBe(0)
    job.report('500')
    expect(unappliedOf(job.state)).toBe(0)
  })

  it('a part counts only once the customer cannot pay the rest any more', () => {
    const job = playedJob()
    job.hears('other', { answer: seen('PENDING', 400) })
    expect(unappliedOf(job.state)).toBe(0)
  })

  it.each([
    ['a part', paidInPart, 400],
    ['the surplus', () => overpaid(100), 100],
    ['the second payment', paidTwice, AMOUNT],
    ['what came late and twice', paidLateAgain, AMOUNT],
  ] as const)(
    '%s needs no action once it has gone back, but does again if the refund fails',
    (_, make, amount) => {
      const job = make()
      job.refund('r1', amount)
      expect(unappliedOf(job.state)).toBe(0)
      expect(moveOf(job)).not.toBe('operator')
      job.answered('r1', { is: 'failed', message: 'Closed.' })
      expect(unappliedOf(job.state)).toBe(amount)
      expect(moveOf(job)).toBe('operator')
    },
  )

  it('half of the money stays once half went back', () => {
    const job = paidInPart()
    job.refund('r1', 150)
    expect(unappliedOf(job.state)).toBe(250)
  })

  it('money that the bank took back does not count', () => {
    const job = paidLate()
    job.hears('other', { answer: seen('SUCCESS', AMOUNT, { chargedBack: AMOUNT }) })
    expect(unappliedOf(job.state)).toBe(0)
  })

  it('money counts no more once another job of the order number has collected the rest', () => {
    const job = paidInPart()
    job.tell({ do: 'record-also-paid', job: 'other', paid: AMOUNT - 400 })
    expect(unappliedOf(job.state)).toBe(0)
    expect(moveOf(job)).not.toBe('operator')
    job.tell({ do: 'record-also-paid', job: 'other', paid: 0 })
    expect(unappliedOf(job.state)).toBe(400)
  })

  it('another job that was paid in full does not explain the part', () => {
    const job = paidInPart()
    job.tell({ do: 'record-also-paid', job: 'other', paid: AMOUNT })
    expect(unappliedOf(job.state)).toBe(400)
  })

  it('nor does one that has only some of the rest', () => {
    const job = paidInPart()
    job.tell({ do: 'record-also-paid', job: 'other', paid: 100 })
    expect(unappliedOf(job.state)).toBe(400)
  })

  it('another job that has refunded everything does not explain what came late', () => {
    const job = paidLate()
    for (const paid of [500, 0]) job.tell({ do: 'record-also-paid', job: 'other', paid })
    expect(unappliedOf(job.state)).toBe(AMOUNT)
  })

  it('what has surely gone back does not count, in part or in full', () => {
    const job = paidLate()
    for (const [refunded, left] of [
      [500, AMOUNT - 500],
      [AMOUNT, 0],
    ] as const) {
      job.hears('other', { answer: seen('SUCCESS', AMOUNT, { refunded }) })
      expect(unappliedOf(job.state)).toBe(left)
    }
  })

  it('what an operator cleared does not count; what comes after that does', () => {
    const job = paidInPart()
    job.tell({ do: 'clear-money' })
    expect(unappliedOf(job.state)).toBe(0)
    expect(moveOf(job)).toBe('nobody')
    job.hears('other', { answer: seen('EXPIRED', 600) })
    expect(unappliedOf(job.state)).toBe(200)
  })

  it('clearing adds no entry if there is nothing to clear, or a second time', () => {
    const paid = told()
    const before = paid.state.entry.number
    paid.tell({ do: 'clear-money' })
    expect(paid.state.entry.number).toBe(before)
    const job = paidInPart()
    job.tell({ do: 'clear-money' })
    const once = job.state.entry.number
    job.tell({ do: 'clear-money' })
    expect(job.state.entry.number).toBe(once)
  })
})

describe('another job of the order number', () => {
  it('that was paid is a new report for the shop, with a later time', () => {
    const job = told()
    const before = job.state
    job.tell({ do: 'record-also-paid', job: 'other', paid: AMOUNT })
    expect(job.state.revision).toBe(before.revision + 1)
    expect(job.state.report?.state).toBe('due')
    expect(job.state.updated).toBeGreaterThan(before.updated)
    const { updated } = job.state
    job.now += 1000
    job.tell({ do: 'record-also-paid', job: 'other', paid: 500 })
    expect(job.state.updated).toBe(updated)
  })

  it('adds no entry a second time, and a fourth job is not kept', () => {
    const job = told()
    for (const other of ['a', 'a', 'b', 'c', 'd', 'e'])
      job.tell({ do: 'record-also-paid', job: other, paid: AMOUNT })
    expect(job.state.alsoPaid.map((one) => one.job)).toEqual(['a', 'b', 'c'])
  })

  it('that has no money is no news', () => {
    const job = told()
    const before = job.state
    job.tell({ do: 'record-also-paid', job: 'other', paid: 0 })
    expect(job.state).toEqual(before)
  })
})
