import { noteAnswer } from '../../../src/job/rules/pull.ts'
import { describe, expect, it } from 'vitest'
import { recordAnnouncement } from '../../../src/job/rules/announcement.ts'
import { isWorthSaving } from '../../../src/job/rules/job.ts'
import type { PullAnswer } from '../../../src/psp/answer.ts'
import { HOUR, MINUTE } from '../../../src/contract/timestamp.ts'
import { why } from '../../../src/job/rules/why/why.ts'
import { MIDDLE, NOW, SILENT, sampleJob, seen } from '../../support/sample-job.ts'
import { SOON, pulled, notAnswered, REFUSED_KEY } from './why-jobs.ts'

describe('what the PSP did not answer', () => {
  it('counts no longer once it has answered', () => {
    const job = pulled(notAnswered(sampleJob()), seen('PENDING'), NOW + 3 * MINUTE)
    expect(why(noteAnswer(job, seen('PENDING'), NOW + 3 * MINUTE), NOW + 4 * MINUTE).cause).toBe(
      'customer-not-back',
    )
  })

  it('is saved when it begins and when it ends, and not each time', () => {
    const before = sampleJob()
    const first = notAnswered(before)
    const second = notAnswered(first, NOW + 3 * MINUTE)
    expect(isWorthSaving(before, first)).toBe(true)
    expect(isWorthSaving(first, second)).toBe(false)
    expect(isWorthSaving(second, noteAnswer(second, REFUSED_KEY, NOW + HOUR))).toBe(true)
    expect(isWorthSaving(second, noteAnswer(second, seen('PENDING'), NOW + HOUR))).toBe(true)
  })

  it('is one pull for all who asked together', () => {
    const once = notAnswered(sampleJob())
    expect(noteAnswer(once, SILENT, NOW + MINUTE + 1999)).toBe(once)
    expect(noteAnswer(once, SILENT, NOW + MINUTE + 2000).unanswered).toMatchObject({ pulls: 2 })
    const twice = noteAnswer(once, SILENT, NOW + 3 * MINUTE)
    expect(twice.unanswered).toMatchObject({ since: NOW + MINUTE, last: NOW + 3 * MINUTE, pulls: 2 })
  })
})

it('a PSP that does not know the payment has no words, and one that does not answer may have some', () => {
  const at = NOW + MINUTE
  const messageAfter = (answer: PullAnswer) => noteAnswer(sampleJob(), answer, at).unanswered?.message
  expect(messageAfter({ is: 'unknown' })).toBe('')
  expect(messageAfter(SILENT)).toBe('No answer in time.')
})

it('an account that refuses its key is told from a PSP that is silent, as soon as either changes', () => {
  const refused = recordAnnouncement(sampleJob(SILENT), 'sandbox', REFUSED_KEY, SOON, MIDDLE)
  expect(refused).toMatchObject({ error: 'Unauthorized', announcement: { is: 'due', accountRefused: true } })
  expect(recordAnnouncement(refused, 'sandbox', REFUSED_KEY, SOON + 9, MIDDLE)).toBe(refused)
  const silent = recordAnnouncement(refused, 'sandbox', SILENT, SOON + 9, MIDDLE)
  expect(silent.announcement).toEqual({ is: 'due', tries: 1, at: NOW + 10_000 })
})
