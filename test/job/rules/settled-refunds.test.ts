import type { MoneyMove, RefundAnswer } from '../../../src/psp/answer.ts'
import { describe, expect, it } from 'vitest'
import { settledBy } from '../../../src/job/rules/money-back.ts'
import { recordPullResult } from '../../../src/job/rules/pull.ts'
import { recordTotals } from '../../../src/job/rules/record-money-back.ts'
import type { Refund } from '../../../src/job/rules/refund.ts'
import {
  beginRefund,
  findRefund,
  planNextCheck,
  recordRefund,
  refundable,
} from '../../../src/job/rules/refund-request.ts'
import type { Job } from '../../../src/job/rules/job.ts'
import { DAY, HOUR, MINUTE } from '../../../src/contract/timestamp.ts'
import { pullSooner } from '../../../src/job/rules/transition.ts'
import { AMOUNT, MIDDLE, NOW, SILENT, jobIn, sampleJob, seen, traceOf } from '../../support/sample-job.ts'

const LATER = NOW + HOUR
const refund: Refund = {
  id: 'r1',
  fingerprint: 'f',
  call: 'c',
  amount: 500,
  description: 'Refund',
  at: NOW,
  state: 'pending',
  reference: 're_1',
  error: null,
  checks: 0,
  checkAt: LATER,
}
function move(kind: MoneyMove['kind'], changes: Partial<MoneyMove> = {}): MoneyMove {
  return {
    id: 'm1',
    kind,
    amount: 500,
    ...changes,
  }
}

describe('a refund and the moves that a PSP tells of', () => {
  it.each([
    ['of its id', { refund: 'r1' }],
    ['of its reference', { reference: 're_1' }],
  ])('is done by one %s', (_, changes) => {
    expect(settledBy(refund, [move('refund', changes)])).toEqual({ ...refund, state: 'done', checkAt: null })
  })

  it.each<[string, MoneyMove]>([
    ['another reference', move('refund', { reference: 're_2' })],
    ['another refund', move('refund', { refund: 'r2' })],
    ['nothing that is known', move('refund')],
    ['a chargeback', move('chargeback', { refund: 'r1' })],
  ])('stays as it is where a move is of %s', (_, other) => {
    expect(settledBy(refund, [other])).toBe(refund)
  })

  it('fails by a failure, whatever was told before, and keeps the first error', () => {
    const failure = move('refund-failed', { refund: 'r1', error: 'The account is closed.' })
    const failed = settledBy({ ...refund, state: 'done' }, [move('refund', { refund: 'r1' }), failure])
    expect(failed).toMatchObject({ state: 'failed', error: 'The account is closed.', checkAt: null })
    const again = move('refund-failed', { refund: 'r1', error: 'Another reason.' })
    expect(settledBy(failed, [again])).toBe(failed)
  })

  it('that is done is done once', () => {
    const done: Refund = { ...refund, state: 'done', checkAt: null }
    expect(settledBy(done, [move('refund', { refund: 'r1' })])).toBe(done)
  })
})

const paid = jobIn('SUCCESS')
function begun(job: Job, id: string, amount: number): Job {
  const wanted = { id, fingerprint: 'f', call: 'c', amount, description: 'Refund' }
  const result = beginRefund(job, wanted, NOW, MIDDLE)
  if (!result.ok) throw new Error(result.error.is)
  return result.value
}
const one = begun(paid, 'r1', 500)
const TAKEN: RefundAnswer = { is: 'taken', reference: 're_1', state: 'pending' }
const FAILED: RefundAnswer = { is: 'failed', message: 'The account is closed.' }

describe('the answer of a PSP to a refund', () => {
  it.each([
    ['took it', TAKEN],
    ['says that it failed', FAILED],
  ])('has the totals asked for two minutes later where the PSP %s', (_, answer) => {
    expect(recordRefund(one, 'r1', answer, LATER).pullAt).toBe(LATER + 2 * MINUTE)
  })

  it('has nothing asked for where the PSP refused it: no money has moved', () => {
    const refused = recordRefund(one, 'r1', { is: 'refused', message: 'No.' }, LATER)
    expect(refused.pullAt).toBe(one.pullAt)
  })

  it('has it pending, also without a reference', () => {
    const job = recordRefund(one, 'r1', { is: 'taken', reference: null, state: 'pending' }, LATER)
    expect(findRefund(job, 'r1')).toMatchObject({ state: 'pending', reference: null })
  })

  it('that it failed is told once, with what was said first', () => {
    const failed = recordRefund(one, 'r1', FAILED, LATER)
    expect(recordRefund(failed, 'r1', { ...FAILED, message: 'Another reason.' }, LATER + 1)).toBe(failed)
  })

  it('that it is unknown after ten minutes says so in the refund', () => {
    const lost = recordRefund(one, 'r1', { is: 'unknown' }, NOW + 10 * MINUTE)
    expect(findRefund(lost, 'r1')).toMatchObject({
      state: 'failed',
      error: 'The payment service provider was not reached.',
    })
    expect(recordRefund(one, 'r1', { is: 'unknown' }, NOW + 10 * MINUTE - 1)).toBe(one)
  })
})

describe('the next check of a refund', () => {
  it('is planned for that one alone', () => {
    const job = planNextCheck(begun(one, 'r2', 100), 'r2', LATER, MIDDLE)
    expect(job.moneyBack?.refunds.map(({ checks }) => checks)).toEqual([0, 1])
  })

  it('ends with its thirtieth day', () => {
    const at = (now: number) => findRefund(planNextCheck(one, 'r1', now, MIDDLE), 'r1')?.checkAt
    expect(at(NOW + 30 * DAY)).toBeNull()
    expect(at(NOW + 30 * DAY - 1)).toBeGreaterThan(NOW + 30 * DAY)
  })

  it('is nothing for a job without refunds', () => {
    expect(planNextCheck(paid, 'r1', LATER, MIDDLE)).toBe(paid)
  })
})

it('what was refunded elsewhere is not taken for a refund of the hub while only some of those are settled', () => {
  const elsewhere = recordTotals(paid, { refunded: 300 }, NOW)
  const done = recordRefund(begun(elsewhere, 'r1', 100), 'r1', { ...TAKEN, state: 'done' }, NOW)
  const asking = begun(done, 'r2', 100)
  expect(refundable(recordTotals(asking, { refunded: 400 }, LATER))).toBe(AMOUNT - 500)
})

describe('the result of a pull', () => {
  it.each([['unavailable', SILENT] as const, ['unknown', { is: 'unknown' }] as const])(
    'for a refund changes nothing where the answer is %s, also no pull that is planned',
    (_, answer) => {
      const planned = pullSooner(one, LATER)
      expect(recordPullResult(planned, 'refund', { answer, stopped: false }, LATER)).toBe(planned)
    },
  )

  it('at the end shows a part that was paid by then, where the payment could not be stopped', () => {
    const result = { answer: seen('PENDING', 500), stopped: true }
    const job = recordPullResult(sampleJob(), 'expiry', result, LATER)
    expect(traceOf(job)).toEqual(['Start PENDING 0', 'Statuspull PENDING 500'])
  })

  it('at the end shows a part that was paid by then, and then the end', () => {
    const job = recordPullResult(
      sampleJob(),
      'expiry',
      { answer: seen('CANCELLED', 500), stopped: true },
      LATER,
    )
    expect(traceOf(job)).toEqual(['Start PENDING 0', 'Statuspull PENDING 500', 'Expire EXPIRED 500'])
  })
})
