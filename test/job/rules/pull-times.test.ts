import { describe, expect, it } from 'vitest'
import { type Job, isFinal } from '../../../src/job/rules/job.ts'
import { recordPullResult } from '../../../src/job/rules/pull.ts'
import { DAY, HOUR } from '../../../src/contract/timestamp.ts'
import { endPulls, planNextPull, postponePull, pullSooner } from '../../../src/job/rules/transition.ts'
import { AMOUNT, NOW, SILENT, jobIn, sampleJob, seen } from '../../support/sample-job.ts'

const open: Job = { ...sampleJob(), pullAt: NOW + HOUR }
const ended = { ...jobIn('CANCELLED'), pullAt: NOW + HOUR }

describe('a pull that is asked for', () => {
  it('is brought forward, and never put off', () => {
    expect(pullSooner(open, NOW + 1).pullAt).toBe(NOW + 1)
    expect(pullSooner(open, NOW + HOUR)).toBe(open)
    expect(pullSooner(open, NOW + DAY)).toBe(open)
  })

  it('is planned where none was', () => {
    expect(pullSooner(jobIn('CANCELLED'), NOW + DAY).pullAt).toBe(NOW + DAY)
  })
})

describe('a pull that the PSP asks to be spared', () => {
  const spared = (retryAfter: number | undefined, job = open) =>
    postponePull(job, retryAfter === undefined ? SILENT : { ...SILENT, retryAfter }, NOW)

  it('is put off, for a day at most', () => {
    expect(spared(2 * 3600).pullAt).toBe(NOW + 2 * HOUR)
    expect(spared(9 * 86_400).pullAt).toBe(NOW + DAY)
  })

  it('is not brought forward by that', () => {
    expect(spared(60)).toBe(open)
    expect(spared(undefined)).toBe(open)
  })

  it('is not planned where there is none', () => {
    const none: Job = { ...jobIn('CANCELLED'), pullAt: null }
    expect(spared(3600, none)).toBe(none)
    expect(spared(undefined, none)).toBe(none)
  })
})

describe('a pull of the schedule that was answered', () => {
  it('leaves the next one of an open job planned', () => {
    expect(isFinal(open.status)).toBe(false)
    expect(endPulls(open, NOW)).toBe(open)
    const answer = seen('PENDING')
    const after = recordPullResult(open, 'schedule', { answer, stopped: false }, NOW + 60_000)
    expect(after).toMatchObject({ status: 'PENDING', pullAt: NOW + HOUR })
  })

  it('leaves none of a job that has ended', () => {
    expect(endPulls(ended, NOW).pullAt).toBeNull()
    const answer = seen('SUCCESS', AMOUNT)
    const after = recordPullResult(open, 'schedule', { answer, stopped: false }, NOW + 60_000)
    expect(after).toMatchObject({ status: 'SUCCESS', pullAt: null })
  })

  it('leaves one that was asked for while the PSP was answering: it may be of something newer', () => {
    const notified = pullSooner(ended, NOW + 2000)
    expect(endPulls(notified, NOW)).toBe(notified)
  })
})

describe('a pull of a paid job that is asked for long after its last change', () => {
  const paid = jobIn('SUCCESS')
  const later = NOW + 100 * DAY

  it('is repeated while the PSP does not answer, for three days', () => {
    const asked = pullSooner(paid, later)
    expect(planNextPull(asked, later, 0.5).pullAt).toBe(later + DAY)
    expect(planNextPull(asked, later + 3 * DAY, 0.5).pullAt).toBeNull()
  })

  it('is not repeated once the PSP has answered', () => {
    const asked = planNextPull(pullSooner(paid, later), later, 0.5)
    const { pullAt, askedForPullAt } = endPulls(asked, later)
    expect([pullAt, askedForPullAt]).toEqual([null, undefined])
  })
})
