import type { MoneyMove } from '../../../src/psp/answer.ts'
import { describe, expect, it } from 'vitest'
import type { Job } from '../../../src/job/rules/job.ts'
import { countMoves, recordTold } from '../../../src/job/rules/record-money-back.ts'
import { beginRefund, findRefund, recordRefund } from '../../../src/job/rules/refund-request.ts'
import { AMOUNT, MIDDLE, NOW, jobIn } from '../../support/sample-job.ts'

const LATER = NOW + 60_000
const PAID = jobIn('SUCCESS')

function move(changes: Partial<MoneyMove> = {}): MoneyMove {
  return {
    id: 'REFUND:1',
    kind: 'refund',
    amount: 500,
    currency: 'EUR',
    ...changes,
  }
}
const FAILED: MoneyMove = {
  id: 'REFUND_FAILED:1',
  kind: 'refund-failed',
  amount: 500,
  error: 'No such account',
}

function told(job: Job, ...moves: MoneyMove[]): Job {
  return countMoves(recordTold(job, { moves }), LATER)
}
function refunding(id: string): Job {
  const begun = beginRefund(
    PAID,
    { id, fingerprint: 'f', call: 'c', amount: 500, description: 'R' },
    NOW,
    MIDDLE,
  )
  if (!begun.ok) throw new Error(begun.error.is)
  return begun.value
}

describe('moves of money that notifications tell', () => {
  it('are counted once, told again or twice in one notification', () => {
    const once = told(PAID, move(), move())
    expect(once.moneyBack).toMatchObject({ refunded: 500, chargedBack: 0 })
    expect(told(once, move())).toBe(once)
  })

  it('in another currency than that of the job are not counted, and settle nothing', () => {
    const job = refunding('r1')
    expect(told(job, move({ currency: 'USD', refund: 'r1' }))).toBe(job)
  })

  it('without a currency are in that of the job', () => {
    const { currency: _, ...bare } = move()
    expect(told(PAID, bare).moneyBack).toMatchObject({ refunded: 500 })
  })

  it('take back what a refund that fails had counted', () => {
    expect(told(told(PAID, move()), FAILED).moneyBack).toMatchObject({ refunded: 0 })
  })

  it('are counted before the payment was seen paid, once it is', () => {
    const open = told(jobIn('PENDING'), move({ id: 'CHARGEBACK:1', kind: 'chargeback', amount: AMOUNT }))
    expect(open.moneyBack).toMatchObject({ chargedBack: 0, moves: [{ amount: AMOUNT }] })
    expect(countMoves({ ...open, paid: AMOUNT }, LATER).moneyBack).toMatchObject({ chargedBack: AMOUNT })
  })
})

describe('a refund of the hub', () => {
  const stateOf = (job: Job) => findRefund(job, 'r1')

  it('is settled by the move that names it', () => {
    expect(stateOf(told(refunding('r1'), move({ refund: 'r1' })))).toMatchObject({
      state: 'done',
      checkAt: null,
    })
  })

  it("is settled by the move that has the PSP's id of it, whichever is known first", () => {
    const taken = { is: 'taken', reference: 'psp1', state: 'pending' } as const
    const about = move({ reference: 'psp1' })
    const before = told(recordRefund(refunding('r1'), 'r1', taken, LATER), about)
    const after = recordRefund(told(refunding('r1'), about), 'r1', taken, LATER)
    expect(stateOf(before)).toMatchObject({ state: 'done', reference: 'psp1' })
    expect(stateOf(after)).toMatchObject({ state: 'done', reference: 'psp1', checkAt: null })
  })

  it('has failed when its PSP says so later, whatever a move told before', () => {
    const done = told(refunding('r1'), move({ refund: 'r1' }))
    const failed = recordRefund(done, 'r1', { is: 'failed', message: 'Returned' }, LATER)
    expect(stateOf(failed)).toMatchObject({ state: 'failed', error: 'Returned' })
  })

  it('is not settled by the move of another one', () => {
    const job = told(refunding('r1'), move({ refund: 'r2', reference: 'psp2' }))
    expect(stateOf(job)).toMatchObject({ state: 'asking' })
  })

  it.each([
    ['after', [move({ refund: 'r1' }), { ...FAILED, refund: 'r1' }]],
    ['before', [{ ...FAILED, refund: 'r1' }, move({ refund: 'r1' })]],
  ])('has failed when its failure is told %s its success', (_, moves) => {
    const job = moves.reduce((current, one) => told(current, one), refunding('r1'))
    expect(stateOf(job)).toMatchObject({ state: 'failed', error: 'No such account', checkAt: null })
    expect(job.moneyBack).toMatchObject({ refunded: 0 })
  })
})
