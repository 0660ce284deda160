import { describe, expect, it } from 'vitest'
import { recordAnnouncement } from '../../../src/job/rules/announcement.ts'
import type { Job } from '../../../src/job/rules/job.ts'
import {
  type OtherPlace,
  lookSooner,
  nextOtherLook,
  planOtherLook,
  recordOther,
  rememberOthers,
} from '../../../src/job/rules/other-payments.ts'
import { plan } from '../../../src/job/rules/plan.ts'
import { isToBeStopped } from '../../../src/job/rules/pull.ts'
import { refundable } from '../../../src/job/rules/refund-request.ts'
import { nextPspWork, nextWake, purgeAt } from '../../../src/job/rules/timers.ts'
import { DAY, HOUR, MINUTE } from '../../../src/contract/timestamp.ts'
import { recordPull } from '../../../src/job/rules/transition.ts'
import {
  AMOUNT,
  ANNOUNCED,
  MIDDLE,
  NOW,
  RETENTION,
  SILENT,
  UNDER_WAY,
  jobIn,
  sampleJob,
  seen,
  seenForNow,
} from '../../support/sample-job.ts'
import { other } from './why-jobs.ts'

const AT_FIRST: OtherPlace = { account: 'first', reference: null }
/** Announced at the sandbox, after the first account of the route did not answer. */
const failedOver = rememberOthers(sampleJob(), [AT_FIRST], NOW)
function held(answer: Parameters<typeof seen>[0], paid = 0) {
  return { is: 'held', reference: 'tr_9', answer: seen(answer, paid) } as const
}
function looks(job: Job) {
  return (job.otherPayments ?? []).map(({ account, at }) => [account, at])
}

describe('an account that did not answer when an order was announced', () => {
  it('is looked after once another account has the payment', () => {
    const waiting = recordAnnouncement(sampleJob(SILENT), 'first', SILENT, NOW, MIDDLE, ['first', 'second'])
    expect(nextOtherLook(waiting)).toBeNull()
    const announced = recordAnnouncement(waiting, 'second', ANNOUNCED, NOW + MINUTE, MIDDLE, [])
    expect(looks(announced)).toEqual([['first', NOW]])
    expect(nextWake({ ...announced, indexAt: null }, RETENTION)).toBe(NOW)
    expect(plan(announced, NOW, MIDDLE, RETENTION).work).toMatchObject({ other: AT_FIRST })
  })

  it('is looked after when the job ends without a payment', () => {
    const waiting = rememberOthers(sampleJob(SILENT), [AT_FIRST], NOW)
    expect(nextOtherLook(waiting)).toBeNull()
    expect(nextOtherLook({ ...waiting, status: 'EXPIRED' })).toMatchObject({ at: NOW })
  })

  it('is remembered at the account of the job itself as long as that has not announced it', () => {
    const waiting = rememberOthers(sampleJob(SILENT), [{ account: 'sandbox', reference: null }], NOW)
    expect(waiting.otherPayments).toMatchObject([{ account: 'sandbox', reference: null }])
  })

  it('is remembered once', () => {
    expect(rememberOthers(failedOver, [AT_FIRST], NOW + HOUR)).toBe(failedOver)
    expect(rememberOthers(sampleJob(), [{ account: 'sandbox', reference: null }], NOW)).toEqual(sampleJob())
  })

  it('is looked at again after 1 and 10 minutes, 1 and 6 hours, and daily for thirty days', () => {
    let job = failedOver
    const times: number[] = []
    for (let look = nextOtherLook(job); look !== null; look = nextOtherLook(job)) {
      times.push(look.at - NOW)
      job = recordOther(
        planOtherLook(job, AT_FIRST, look.at, MIDDLE),
        AT_FIRST,
        { is: 'unavailable' },
        look.at,
      )
    }
    expect(times.slice(0, 6)).toEqual([0, MINUTE, 11 * MINUTE, 71 * MINUTE, 431 * MINUTE, 431 * MINUTE + DAY])
    expect(times.at(-1)).toBe(431 * MINUTE + 30 * DAY)
  })

  it.each([
    ['has no payment', { is: 'none' } as const],
    ['has stopped it for good', held('CANCELLED')],
  ])('is left in peace once it %s', (_, found) => {
    expect(nextOtherLook(recordOther(failedOver, AT_FIRST, found, NOW))).toBeNull()
  })

  it.each([
    ['says nothing', { is: 'unavailable' } as const],
    ['does not know the payment', { is: 'held', reference: 'tr_9', answer: { is: 'unknown' } } as const],
    ['could not stop it', held('PENDING')],
    ['has money under way', { is: 'held', reference: 'tr_9', answer: UNDER_WAY } as const],
    ['may still get money', { is: 'held', reference: 'tr_9', answer: seenForNow('EXPIRED') } as const],
  ])('is looked at again when it %s', (_, found) => {
    const planned = planOtherLook(failedOver, AT_FIRST, NOW, MIDDLE)
    expect(nextOtherLook(recordOther(planned, AT_FIRST, found, NOW))).toMatchObject({ at: NOW + MINUTE })
  })

  it('is looked at at once when it notifies', () => {
    const planned = planOtherLook(failedOver, AT_FIRST, NOW + DAY, MIDDLE)
    expect(nextOtherLook(lookSooner(planned, 'first', NOW + DAY))).toMatchObject({ at: NOW + DAY })
    expect(lookSooner(planned, 'third', NOW + DAY)).toBe(planned)
  })

  it('is looked at once more when it notifies after its looks have ended', () => {
    const ended = recordOther(failedOver, AT_FIRST, { is: 'none' }, NOW)
    const revived = lookSooner(ended, 'first', NOW + DAY)
    expect(looks(revived)).toEqual([['first', NOW + DAY]])
    expect(nextOtherLook(recordOther(revived, AT_FIRST, { is: 'none' }, NOW + DAY))).toBeNull()
  })

  it('is not looked at later when it notifies while a look is due already', () => {
    expect(lookSooner(failedOver, 'first', NOW + HOUR)).toBe(failedOver)
  })

  it('holds up the purge of its job', () => {
    const ended: Job = { ...rememberOthers(jobIn('CANCELLED'), [AT_FIRST], NOW), reports: [] }
    expect(purgeAt(ended, RETENTION)).toBeNull()
    expect(purgeAt(recordOther(ended, AT_FIRST, { is: 'none' }, NOW), RETENTION)).not.toBeNull()
  })
})

describe('money that arrives at another account', () => {
  it('counts for the job, once', () => {
    const paid = recordOther(failedOver, AT_FIRST, held('SUCCESS', AMOUNT), NOW + HOUR)
    expect(paid).toMatchObject({ status: 'SUCCESS', paid: AMOUNT })
    expect(nextOtherLook(paid)).toBeNull()
    const place = { account: 'first', reference: 'tr_9' }
    expect(recordOther(paid, place, held('SUCCESS', AMOUNT), NOW + HOUR).paid).toBe(AMOUNT)
  })

  it.each([
    ['open', held('PENDING')],
    ['stopped', held('CANCELLED')],
    ['paid in part', held('SUCCESS', AMOUNT / 2)],
  ])('stays counted when that account says later that the payment is %s', (_, later) => {
    const paid = recordOther(failedOver, AT_FIRST, held('SUCCESS', AMOUNT), NOW + HOUR)
    const place = { account: 'first', reference: 'tr_9' }
    const again = recordOther(paid, place, later, NOW + DAY)
    expect(again).toMatchObject({ status: 'SUCCESS', paid: AMOUNT, otherPayments: [{ paid: AMOUNT }] })
    expect(again.revision).toBe(paid.revision)
    expect(recordOther(again, place, held('SUCCESS', AMOUNT), NOW + 2 * DAY).paid).toBe(AMOUNT)
  })

  it('is too much when the job was paid already, and when it is paid after that', () => {
    const twice = { status: 'SUCCESS', paid: 2 * AMOUNT }
    const own = seen('SUCCESS', AMOUNT)
    const ownFirst = recordPull(failedOver, 'Return', own, NOW + MINUTE)
    expect(recordOther(ownFirst, AT_FIRST, held('SUCCESS', AMOUNT), NOW + HOUR)).toMatchObject(twice)
    const otherFirst = recordOther(failedOver, AT_FIRST, held('SUCCESS', AMOUNT), NOW + MINUTE)
    expect(recordPull(otherFirst, 'Return', own, NOW + HOUR)).toMatchObject(twice)
  })

  it('has the own payment of the job looked at, which may be open still', () => {
    const paid = recordOther(failedOver, AT_FIRST, held('SUCCESS', AMOUNT), NOW + HOUR)
    expect(nextPspWork(paid)).toEqual({ work: 'pull', at: NOW + HOUR })
    expect(isToBeStopped(paid, 'schedule', seen('PENDING'))).toBe(true)
    expect(isToBeStopped(paid, 'schedule', UNDER_WAY)).toBe(false)
  })

  it('counts once when it is found in two ways', () => {
    const both = rememberOthers(failedOver, [{ account: 'first', reference: 'tr_9' }], NOW)
    const found = held('SUCCESS', AMOUNT)
    const once = recordOther(both, { account: 'first', reference: 'tr_9' }, found, NOW + HOUR)
    expect(recordOther(once, AT_FIRST, found, NOW + HOUR).paid).toBe(AMOUNT)
  })

  it('cannot be refunded at the own account of the job', () => {
    expect(refundable(recordOther(failedOver, AT_FIRST, held('SUCCESS', AMOUNT), NOW + HOUR))).toBe(0)
  })

  it('is late when the job had ended', () => {
    const ended = rememberOthers(jobIn('CANCELLED'), [AT_FIRST], NOW)
    expect(recordOther(ended, AT_FIRST, held('SUCCESS', AMOUNT), NOW + DAY)).toMatchObject({
      status: 'SUCCESS',
      late: true,
    })
  })
})

describe('what another account holds', () => {
  it('is added to what a pull finds, and to nothing where it finds nothing', () => {
    const job = { ...sampleJob(), otherPayments: [other(500)] }
    expect(recordPull(job, 'Statuspull', seen('PENDING', 250), NOW + 1).paid).toBe(750)
    expect(recordPull(job, 'Statuspull', seen('PENDING', 0), NOW + 1).paid).toBe(0)
  })

  it('is looked after where there is any', () => {
    expect(nextOtherLook(sampleJob())).toBeNull()
    const planned = { ...other(0), at: NOW + HOUR }
    expect(nextOtherLook({ ...sampleJob(), otherPayments: [other(0), planned] })).toEqual({
      other: planned,
      at: NOW + HOUR,
    })
  })
})
