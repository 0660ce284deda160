import { describe, expect, it } from 'vitest'
import { apply } from '../../src/domain/apply.ts'
import type { Job, Observation } from '../../src/domain/job.ts'
import { nextOtherLook } from '../../src/domain/other-payments.ts'
import { expire, recordPull } from '../../src/domain/transition.ts'
import { DAY, HOUR, MINUTE } from '../../src/domain/timestamp.ts'
import { AMOUNT, NOW, UNDER_WAY, jobIn, sampleJob, seen } from '../support/sample-job.ts'
import { other } from './why-jobs.ts'

const END = NOW + HOUR + MINUTE
const LATER = END + HOUR
const saw = (job: Job, status: Observation['status'], paid: number): Job =>
  apply(job, 'Statuspull', { status, paid }, LATER)

describe('money that came after the end of a payment', () => {
  const expired = expire(sampleJob(), END)

  it('marks the job late', () => {
    expect(saw(expired, 'SUCCESS', AMOUNT).late).toBe(true)
    expect(saw(expired, 'EXPIRED', 500).late).toBe(true)
  })

  it('does not where the job was paid before: more is no delay', () => {
    const more = saw(jobIn('SUCCESS'), 'SUCCESS', AMOUNT + 1)
    expect(more.paid).toBe(AMOUNT + 1)
    expect(more.late).toBeUndefined()
  })

  it('does not where all of it had come by then, and only the word for it changed', () => {
    const paid = { ...expired, paid: AMOUNT }
    expect(saw(paid, 'SUCCESS', AMOUNT)).toMatchObject({ status: 'SUCCESS', paid: AMOUNT })
    expect(saw(paid, 'SUCCESS', AMOUNT).late).toBeUndefined()
  })

  it('leaves a pull that was asked for where no end is new', () => {
    const asked = { ...jobIn('SUCCESS'), pullAt: NOW + DAY }
    expect(saw(asked, 'SUCCESS', AMOUNT + 1).pullAt).toBe(NOW + DAY)
  })
})

it('a payment that is still to be paid in full has no stage by a word that is not PENDING', () => {
  const stage = { is: 'underway' as const, patience: DAY }
  const job = apply(sampleJob(), 'Statuspull', { status: 'SUCCESS', paid: 500, stage }, NOW + 1)
  expect(job).toMatchObject({ status: 'PENDING', paid: 500 })
  expect(job.stage).toBeUndefined()
  expect(recordPull(sampleJob(), 'Statuspull', UNDER_WAY, NOW + 1).stage?.is).toBe('underway')
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
