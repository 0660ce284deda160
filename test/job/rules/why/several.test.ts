import { describe, expect, it } from 'vitest'
import { recordAnnouncement } from '../../../../src/job/rules/announcement.ts'
import { resend } from '../../../../src/job/rules/reporting.ts'
import { HOUR } from '../../../../src/contract/timestamp.ts'
import { why } from '../../../../src/job/rules/why/why.ts'
import { MIDDLE, SILENT, sampleJob, seen } from '../../../support/sample-job.ts'
import { SOON, failed, other, paid, pulled, reported, tried } from '../why-jobs.ts'
import { LEARNT, inTrouble, told } from './sentences.ts'

describe('of several causes the one that matters most is named', () => {
  it('that the shop does not know comes before what is wrong with the money', () => {
    const job = tried(paid(1500), failed('500'))
    expect(why(job, SOON)).toMatchObject({
      cause: 'receiver-answers-error',
      also: ['The customer paid EUR 2.50 more than was due.'],
    })
    expect(why(job, SOON).happened).toMatch(/^The customer paid EUR 15\.00 at sandbox/)
  })

  it('of a payment that is open, what keeps it open comes before an unknown part', () => {
    const job = tried(pulled(sampleJob(), seen('PENDING', 500)), failed('500'))
    const answer = why(job, SOON)
    expect(answer.cause).toBe('part-is-due')
    expect(answer.also).toEqual([expect.stringContaining('answered 500')])
  })

  it('what was told to the shop is said beside, with how its receiver answered', () => {
    expect(why(reported(paid()), SOON).happened).toContain(
      'The shop was told at 2026-01-31T10:00:20Z: its receiver answered 200.',
    )
  })

  it('accounts that were passed over are named, with what was wrong with each', () => {
    const waiting = { ...sampleJob(SILENT), passedOver: ['b'] }
    const announced = recordAnnouncement(
      waiting,
      'c',
      { is: 'announced', reference: 'tr_1', checkoutUrl: 'https://psp.nl/1', expiresAt: null },
      SOON,
      MIDDLE,
      ['sandbox'],
      ['sandbox', 'b'],
    )
    expect(announced.passedOver).toEqual(['b', 'sandbox'])
    expect(why(announced, SOON).happened).toContain(
      'The order went to c after b, which refused its credentials, and sandbox, which did not answer.',
    )
  })
})

it('a report that is sent again by an operator is about to be sent, whatever became of it before', () => {
  expect(why(resend(reported(paid()), SOON + HOUR), SOON + HOUR).cause).toBe('report-due')
})

describe('accounts that were not asked', () => {
  it('are named, with since when they had not answered', () => {
    const job = { ...paid(), asked: { skipped: [inTrouble('b')] } }
    expect(why(job, SOON).happened).toContain(
      ' b was passed over because it had not answered since 2026-01-31T09:55:00Z.',
    )
  })

  it('are not said to have been tried', () => {
    const due = sampleJob(SILENT)
    const job = { ...due, asked: { skipped: [inTrouble(due.account)] } }
    expect(why(job, SOON).happened).toContain('not tried yet, for it had not answered others.')
    expect(why(sampleJob(SILENT), SOON).happened).toContain('tried once')
  })
})

describe('accounts that did not take the order', () => {
  const took = `${LEARNT} The report to the shop is due since 2026-01-31T10:00:20Z, and about to be sent.`
  told([
    [
      'are named once each, with what was wrong with them',
      {
        ...paid(),
        passedOver: ['b', 'c'],
        otherPayments: [
          { ...other(0), account: 'c' },
          { ...other(0), account: 'x' },
        ],
        asked: {
          skipped: [inTrouble('sandbox'), inTrouble('b'), inTrouble('d')],
        },
      },
      SOON,
      'report-due',
      `${took} The order went to sandbox after b, which refused its credentials, and c, which did not answer. d was passed over because it had not answered since 2026-01-31T09:55:00Z.`,
    ],
  ])
})
