import type { Observation } from '../../../src/psp/answer.ts'
import { describe, expect, it } from 'vitest'
import { apply } from '../../../src/job/rules/apply.ts'
import type { Job } from '../../../src/job/rules/job.ts'
import { expire } from '../../../src/job/rules/transition.ts'
import { DAY, HOUR, MINUTE } from '../../../src/contract/timestamp.ts'
import { AMOUNT, NOW, jobIn, sampleJob } from '../../support/sample-job.ts'

const END = NOW + HOUR + MINUTE
const LATER = END + HOUR
function saw(job: Job, status: Observation['status'], paid: number): Job {
  return apply(job, 'Statuspull', { status, paid }, LATER)
}

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
