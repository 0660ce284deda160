import type { RefundAnswer } from '../../../src/psp/answer.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Job } from '../../../src/job/rules/job.ts'
import {
  type WantedRefund,
  beginRefund,
  findRefund,
  nextRefundCheck,
  planNextCheck,
  recordRefund,
  refundable,
} from '../../../src/job/rules/refund-request.ts'
import { recordTotals } from '../../../src/job/rules/record-money-back.ts'
import { DAY, HOUR, MINUTE } from '../../../src/contract/timestamp.ts'
import { AMOUNT, MIDDLE, NOW, SILENT, jobIn, sampleJob } from '../../support/sample-job.ts'

const paid = jobIn('SUCCESS')
function wanted(id: string, amount: number | null = null, changes: Partial<WantedRefund> = {}) {
  return {
    id,
    fingerprint: `fingerprint of ${amount}`,
    call: `call of ${id}`,
    amount,
    description: 'Refund of order A-7',
    ...changes,
  }
}
function begin(job: Job, ...[id, amount, changes]: Parameters<typeof wanted>) {
  return beginRefund(job, wanted(id, amount, changes), NOW, MIDDLE)
}
function begun(job: Job, ...args: Parameters<typeof wanted>): Job {
  const result = begin(job, ...args)
  if (!result.ok) throw new Error(`refused: ${result.error.is}`)
  return result.value
}
const TAKEN: RefundAnswer = { is: 'taken', reference: 're_1', state: 'pending' }
const DONE: RefundAnswer = { is: 'taken', reference: 're_1', state: 'done' }
const FAILED: RefundAnswer = { is: 'failed', message: 'The account is closed.' }
const REFUSED: RefundAnswer = { is: 'refused', message: 'The balance is too low.' }

describe('a refund is begun', () => {
  it('with the amount that is asked for, before the PSP is', () => {
    const job = begun(paid, 'r1', 500)
    expect(findRefund(job, 'r1')).toMatchObject({ amount: 500, state: 'asking', reference: null })
    expect(refundable(job)).toBe(AMOUNT - 500)
  })

  it('with all that is left where no amount is asked for', () => {
    const job = begun(begun(paid, 'r1', 500), 'r2')
    expect(findRefund(job, 'r2')?.amount).toBe(AMOUNT - 500)
    expect(refundable(job)).toBe(0)
  })

  it('once: the same id again is the refund that is there', () => {
    const job = begun(paid, 'r1', 500)
    expect(begun(job, 'r1', 500, { call: 'another' })).toBe(job)
  })

  it('not under the id of another refund', () => {
    expect(begin(begun(paid, 'r1', 500), 'r1', 600)).toEqual({ ok: false, error: { is: 'other-refund' } })
  })

  it('not of what was not paid', () => {
    expect(begin(sampleJob(), 'r1')).toEqual({ ok: false, error: { is: 'unpaid' } })
  })

  it('not of more than is left, and the rest is told', () => {
    expect(begin(paid, 'r1', AMOUNT + 1)).toEqual({ ok: false, error: { is: 'too-much', rest: AMOUNT } })
    expect(begin(begun(paid, 'r1', 500), 'r2', AMOUNT - 499)).toEqual({
      ok: false,
      error: { is: 'too-much', rest: AMOUNT - 500 },
    })
    expect(begin(begun(paid, 'r1'), 'r2')).toEqual({ ok: false, error: { is: 'nothing-left' } })
  })

  it('not of what was refunded elsewhere or charged back', () => {
    const back = recordTotals(paid, { refunded: 300, chargedBack: 200 }, NOW + HOUR)
    expect(refundable(back)).toBe(AMOUNT - 500)
  })

  it('a hundred times at most, those that failed included', () => {
    let job = paid
    for (let times = 0; times < 100; times++) {
      job = recordRefund(begun(job, `r${times}`, 1), `r${times}`, REFUSED, NOW)
    }
    expect(begin(job, 'r100', 1)).toEqual({ ok: false, error: { is: 'too-many' } })
    expect(begin(job, 'r99', 1).ok).toBe(true)
  })

  it('again of what failed', () => {
    const job = recordRefund(begun(paid, 'r1'), 'r1', REFUSED, NOW)
    expect(refundable(job)).toBe(AMOUNT)
  })

  it('of what the PSP has counted already, without counting it twice', () => {
    const done = recordRefund(begun(paid, 'r1', 500), 'r1', DONE, NOW)
    const counted = recordTotals(done, { refunded: 500 }, NOW + HOUR)
    expect(refundable(counted)).toBe(AMOUNT - 500)
    const others = recordTotals(counted, { refunded: 700 }, NOW + HOUR)
    expect(refundable(others)).toBe(AMOUNT - 700)
    expect(refundable(begun(others, 'r2', 100))).toBe(AMOUNT - 800)
  })

  it.each<[string, RefundAnswer]>([
    ['was refused', REFUSED],
    ['never reached the PSP', { is: 'unknown' }],
  ])('of what somebody refunded elsewhere while a refund here was asked for that %s', (_, answer) => {
    const both = recordTotals(begun(paid, 'r1', 500), { refunded: 250 }, NOW + HOUR)
    const job = recordRefund(both, 'r1', answer, NOW + 2 * HOUR)
    expect(findRefund(job, 'r1')?.state).toBe('failed')
    expect(refundable(job)).toBe(AMOUNT - 250)
  })

  it('of what somebody refunded elsewhere, once a refund here of the same amount has failed', () => {
    const both = recordTotals(begun(paid, 'r1', 500), { refunded: 500 }, NOW + HOUR)
    const failed = recordRefund(both, 'r1', FAILED, NOW + 2 * HOUR)
    const job = recordTotals(failed, { refunded: 500 }, NOW + 3 * HOUR)
    expect(refundable(job)).toBe(AMOUNT - 500)
    expect(job.revision).toBe(both.revision)
  })

  it('of what somebody refunded elsewhere while a refund here is unsettled', () => {
    const elsewhere = recordTotals(paid, { refunded: 300 }, NOW + HOUR)
    const asking = begun(elsewhere, 'r1', 300)
    expect(refundable(recordTotals(asking, { refunded: 300 }, NOW + HOUR))).toBe(AMOUNT - 600)
    expect(refundable(recordTotals(asking, { refunded: 600 }, NOW + HOUR))).toBe(AMOUNT - 600)
  })

  it('of what somebody refunded elsewhere, whatever total changes before a refund here is settled', () => {
    const elsewhere = recordTotals(paid, { refunded: 300 }, NOW + HOUR)
    const pending = recordRefund(begun(elsewhere, 'r1', 500), 'r1', TAKEN, NOW + HOUR)
    const rest = (job: Job, refunded: number, chargedBack = 0) =>
      refundable(recordTotals(job, { refunded, chargedBack }, NOW + 2 * HOUR))
    expect(rest(pending, 400)).toBe(AMOUNT - 800)
    expect(rest(pending, 300, 100)).toBe(AMOUNT - 900)
    expect(rest(pending, 900)).toBe(AMOUNT - 900)
    const done = recordRefund(pending, 'r1', DONE, NOW + HOUR)
    expect(rest(done, 500)).toBe(AMOUNT - 500)
  })
})

describe('the answer of the PSP to a refund', () => {
  const asking = begun(paid, 'r1', 500)
  const after = (...answers: RefundAnswer[]) =>
    findRefund(
      answers.reduce((job, answer) => recordRefund(job, 'r1', answer, NOW + MINUTE), asking),
      'r1',
    )

  it.each<[string, RefundAnswer[], string]>([
    ['taken', [TAKEN], 'pending'],
    ['done', [DONE], 'done'],
    ['taken and then done', [TAKEN, DONE], 'done'],
    ['done and then heard of late', [DONE, TAKEN], 'done'],
    ['refused', [REFUSED], 'failed'],
    ['taken, and failed', [TAKEN, FAILED], 'failed'],
    ['done, and failed after all', [DONE, FAILED], 'failed'],
    ['failed and then heard of late', [FAILED, TAKEN], 'failed'],
    ['no answer', [SILENT], 'asking'],
    ['not known yet', [{ is: 'unknown' }], 'asking'],
    ['taken, and not found', [TAKEN, { is: 'unknown' }], 'pending'],
  ])('%s', (_, answers, state) => {
    expect(after(...answers)?.state).toBe(state)
  })

  it('says why a refund failed', () => {
    expect(after(REFUSED)).toMatchObject({ error: 'The balance is too low.', checkAt: null })
  })

  it('is not waited for when the PSP still does not know the refund after ten minutes', () => {
    const unknown = (now: number) => findRefund(recordRefund(asking, 'r1', { is: 'unknown' }, now), 'r1')
    expect(unknown(NOW + 10 * MINUTE - 1)?.state).toBe('asking')
    expect(unknown(NOW + 10 * MINUTE)?.state).toBe('failed')
  })

  it.each([
    ['taken', TAKEN],
    ['done', DONE],
  ])(
    'leaves a refund %s, however long the PSP then does not know it: it may be paid out yet',
    (_, answer) => {
      const job = recordRefund(asking, 'r1', answer, NOW)
      for (const later of [10 * MINUTE, HOUR, 30 * DAY]) {
        expect(recordRefund(job, 'r1', { is: 'unknown' }, NOW + later)).toBe(job)
      }
      expect(refundable(job)).toBe(AMOUNT - 500)
    },
  )

  it('about an unknown refund changes nothing', () => {
    expect(recordRefund(asking, 'r2', DONE, NOW)).toBe(asking)
    expect(recordRefund(paid, 'r1', DONE, NOW)).toBe(paid)
  })
})

describe('what became of a refund is asked', () => {
  it('after 1 and 10 minutes, 1 and 6 hours, then daily for thirty days', () => {
    let job = recordRefund(begun(paid, 'r1'), 'r1', TAKEN, NOW)
    const checks: number[] = []
    for (let check = nextRefundCheck(job); check !== null; check = nextRefundCheck(job)) {
      checks.push(check.at - NOW)
      job = planNextCheck(job, check.id, check.at, MIDDLE)
    }
    const start = [MINUTE, 11 * MINUTE, 71 * MINUTE, 431 * MINUTE]
    expect(checks.slice(0, 5)).toEqual([...start, 431 * MINUTE + DAY])
    expect(checks.at(-1)).toBe(431 * MINUTE + 30 * DAY)
  })

  it('no more once it is settled', () => {
    for (const answer of [DONE, FAILED]) {
      expect(nextRefundCheck(recordRefund(begun(paid, 'r1'), 'r1', answer, NOW))).toBeNull()
    }
  })
})

it('however refunds are asked for and answered, never more is committed than was paid', () => {
  const answers = fc.constantFrom<RefundAnswer>(TAKEN, DONE, FAILED, REFUSED, SILENT, { is: 'unknown' })
  const events = fc.array(
    fc.oneof(
      fc.record({ ask: fc.option(fc.integer({ min: 1, max: AMOUNT })), id: fc.nat(8) }),
      fc.record({ answer: answers, id: fc.nat(8) }),
    ),
    { maxLength: 40 },
  )
  fc.assert(
    fc.property(events, (history) => {
      let job = paid
      for (const event of history) {
        const id = `r${event.id}`
        if ('answer' in event) job = recordRefund(job, id, event.answer, NOW + HOUR)
        else {
          const result = begin(job, id, event.ask)
          if (result.ok) job = result.value
        }
        const live = (job.moneyBack?.refunds ?? []).filter(({ state }) => state !== 'failed')
        expect(live.reduce((sum, { amount }) => sum + amount, 0)).toBeLessThanOrEqual(AMOUNT)
      }
    }),
  )
})
