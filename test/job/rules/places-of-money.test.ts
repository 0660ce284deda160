import { describe, expect, it } from 'vitest'
import type { Job } from '../../../src/job/rules/job.ts'
import {
  type OtherPlace,
  lookSooner,
  nextOtherLook,
  planOtherLook,
  recordOther,
  rememberOthers,
} from '../../../src/job/rules/other-payments.ts'
import type { PullAnswer } from '../../../src/psp/answer.ts'
import { DAY, HOUR, MINUTE } from '../../../src/contract/timestamp.ts'
import { recordPull } from '../../../src/job/rules/transition.ts'
import { AMOUNT, MIDDLE, NOW, SILENT, jobIn, sampleJob, seen, traceOf } from '../../support/sample-job.ts'

const FIRST: OtherPlace = { account: 'first', reference: null }
const SECOND: OtherPlace = { account: 'second', reference: null }
const FIRST_9: OtherPlace = { account: 'first', reference: 'tr_9' }
const LATER = NOW + HOUR
const failedOver = rememberOthers(sampleJob(), [FIRST], NOW)
function held(answer: PullAnswer) {
  return { is: 'held', reference: 'tr_9', answer } as const
}
function others({ otherPayments = [] }: Job) {
  return otherPayments.map(({ account, reference, tries, at }) => [account, reference, tries, at])
}

describe('the places of payments beside that of the job', () => {
  it('are told apart by account and reference', () => {
    const job = rememberOthers(sampleJob(), [FIRST, SECOND, FIRST_9], NOW)
    const at = NOW + MINUTE
    expect(others(planOtherLook(job, FIRST, NOW, MIDDLE))).toEqual([
      ['first', null, 1, at],
      ['second', null, 0, NOW],
      ['first', 'tr_9', 0, NOW],
    ])
    expect(others(rememberOthers(job, [FIRST_9, { ...FIRST, reference: 'tr_10' }], at))).toHaveLength(4)
  })

  it('lose the one that became the job’s own when another comes', () => {
    const waiting = rememberOthers(sampleJob(SILENT), [{ account: 'sandbox', reference: null }], NOW)
    const announced = { ...waiting, announcement: sampleJob().announcement }
    expect(others(rememberOthers(announced, [SECOND], NOW))).toEqual([['second', null, 0, NOW]])
  })

  it('are looked at in the order of their times', () => {
    const times = [3, 1, 2].map((at) => ({ account: `a${at}`, reference: null, paid: 0, tries: 0, at }))
    expect(nextOtherLook({ ...failedOver, otherPayments: times })).toMatchObject({ at: 1 })
  })

  it('are looked after until the thirtieth day', () => {
    const planned = (now: number) => nextOtherLook(planOtherLook(failedOver, FIRST, now, MIDDLE))
    expect(planned(NOW + 30 * DAY)).toBeNull()
    expect(planned(NOW + 30 * DAY - 1)).not.toBeNull()
  })

  it('are none where the job knows of none', () => {
    const job = sampleJob()
    expect(recordOther(job, FIRST, { is: 'none' }, LATER)).toBe(job)
    expect(planOtherLook(job, FIRST, LATER, MIDDLE).otherPayments).toEqual([])
  })

  it('are as they were where a look is due right now', () => {
    expect(lookSooner(failedOver, 'first', NOW)).toBe(failedOver)
  })
})

describe('what is found at another account', () => {
  it('is a payment that it says nothing of: its reference is kept', () => {
    const found = recordOther(failedOver, FIRST, held({ is: 'unknown' }), LATER)
    expect(found.otherPayments).toEqual([{ account: 'first', reference: 'tr_9', paid: 0, tries: 0, at: NOW }])
  })

  it('is looked at again where the PSP does not say that its end is for good', () => {
    const found = held({ is: 'observed', status: 'EXPIRED', paid: 0, expiresAt: null })
    expect(nextOtherLook(recordOther(failedOver, FIRST, found, LATER))).not.toBeNull()
  })

  it('is counted at the place that it is known at, and the place without a reference is done with', () => {
    const both = rememberOthers(failedOver, [FIRST_9], NOW)
    const found = held(seen('SUCCESS', AMOUNT))
    const once = recordOther(both, FIRST_9, found, LATER)
    expect(once).toMatchObject({ status: 'SUCCESS', paid: AMOUNT })
    expect(recordOther(once, FIRST, found, LATER).otherPayments).toEqual([
      { account: 'first', reference: null, paid: 0, tries: 0, at: null },
      { account: 'first', reference: 'tr_9', paid: AMOUNT, tries: 0, at: null },
    ])
  })

  it('counts as a part of what is due, and the own payment of the job goes on', () => {
    const part = recordOther(failedOver, FIRST, held(seen('PENDING', 500)), LATER)
    expect(part).toMatchObject({ status: 'PENDING', paid: 500, pullAt: failedOver.pullAt })
    expect(traceOf(part).at(-1)).toBe('Statuspull PENDING 500')
    const whole = recordOther(part, FIRST_9, held(seen('SUCCESS', AMOUNT)), LATER + 1)
    expect(whole).toMatchObject({ status: 'SUCCESS', paid: AMOUNT, pullAt: LATER + 1 })
    expect(traceOf(whole).at(-1)).toBe(`Statuspull SUCCESS ${AMOUNT}`)
  })

  it('asks for no pull where it is no news', () => {
    const own = recordPull(failedOver, 'Return', seen('SUCCESS', AMOUNT), NOW + MINUTE)
    const found = recordOther(own, FIRST, held(seen('PENDING')), LATER)
    expect([found.pullAt, found.askedForPullAt]).toEqual([own.pullAt, own.askedForPullAt])
  })

  it.each([
    ['has no payment of its own', { ...sampleJob(SILENT), status: 'EXPIRED' as const }],
    ['has one that was stopped for good', jobIn('CANCELLED')],
  ])('asks for no pull where the job %s', (_, job) => {
    const paid = recordOther(rememberOthers(job, [FIRST], NOW), FIRST, held(seen('SUCCESS', AMOUNT)), LATER)
    expect(paid).toMatchObject({ status: 'SUCCESS', pullAt: job.pullAt })
    expect(paid.askedForPullAt).toBeUndefined()
  })
})
