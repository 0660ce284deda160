import { describe, expect, it } from 'vitest'
import { recordAnnouncement } from '../../../src/job/rules/announcement.ts'
import { isNewlyOverpaid, isWorthSaving } from '../../../src/job/rules/job.ts'
import { AMOUNT, MIDDLE, NOW, SILENT, sampleJob } from '../../support/sample-job.ts'

describe('a job whose next pull has moved', () => {
  const job = sampleJob()
  const at = (pullAt: number | null) => ({ ...job, pullAt })

  it.each([
    ['sooner', NOW + 2, NOW + 1, true],
    ['not at all', NOW + 2, NOW + 2, false],
    ['later', NOW + 1, NOW + 2, false],
    ['from never', null, NOW + 1, true],
    ['to never', NOW + 1, null, true],
    ['from never to never', null, null, false],
  ])('%s is worth saving: from %s to %s, %s', (_, before, after, is) => {
    expect(isWorthSaving(at(before), at(after))).toBe(is)
  })
})

describe('a job is newly overpaid', () => {
  const paid = (amount: number) => ({ ...sampleJob(), paid: amount })

  it.each([
    [null, AMOUNT, false],
    [null, AMOUNT + 1, true],
    [0, AMOUNT, false],
    [AMOUNT, AMOUNT + 1, true],
    [AMOUNT + 1, AMOUNT + 1, false],
    [AMOUNT + 1, AMOUNT + 2, true],
  ])('when %s was paid before and %s is now: %s', (before, after, is) => {
    expect(isNewlyOverpaid(before === null ? null : paid(before), paid(after))).toBe(is)
  })
})

it('a PSP that is silent once more, at the same accounts, changes nothing', () => {
  const job = { ...sampleJob(SILENT), passedOver: ['b'] }
  expect(recordAnnouncement(job, 'sandbox', SILENT, NOW + 1, MIDDLE, [], ['b'])).toBe(job)
})
