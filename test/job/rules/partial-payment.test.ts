import type { Status } from '../../../src/contract/values.ts'
import { describe, expect, it } from 'vitest'
import { isNewlyOverpaid } from '../../../src/job/rules/job.ts'
import { represent } from '../../../src/job/rules/representation.ts'
import { expire, recordPull, recordReturn } from '../../../src/job/rules/transition.ts'
import { AMOUNT, NOW, sampleJob, jobIn, seen, traceOf } from '../../support/sample-job.ts'

const LATER = NOW + 2000
const HALF = AMOUNT / 2

const half = recordPull(sampleJob(), 'Statuspull', seen('PENDING', HALF), LATER)

describe('a part of the amount', () => {
  it('is recorded and reported, and the job stays pending', () => {
    expect(half).toMatchObject({ status: 'PENDING', paid: HALF, revision: 2 })
    expect(half.reports).toHaveLength(1)
    expect(traceOf(half)).toEqual(['Start PENDING 0', `Statuspull PENDING ${HALF}`])
    expect(half.pullAt).not.toBeNull()
  })

  it('makes no SUCCESS, even where the PSP says so', () => {
    const said = recordPull(sampleJob(), 'Statuspull', seen('SUCCESS', AMOUNT - 1), LATER)
    expect(said).toMatchObject({ status: 'PENDING', paid: AMOUNT - 1 })
  })

  it.each<Status>(['FAILURE', 'CANCELLED', 'EXPIRED'])('does not turn %s into SUCCESS', (status) => {
    const job = recordPull(jobIn(status), 'Statuspull', seen('SUCCESS', HALF), LATER)
    expect(job).toMatchObject({ status, paid: HALF, revision: 3 })
    expect(job.reports).toHaveLength(2)
  })

  it('stays when a later pull finds less', () => {
    expect(recordPull(half, 'Statuspull', seen('PENDING', 1), LATER + 1)).toBe(half)
    const failed = recordPull(half, 'Statuspull', seen('FAILURE', 0), LATER + 1)
    expect(failed).toMatchObject({ status: 'FAILURE', paid: HALF })
  })

  it('stays when the job expires', () => {
    const ended = expire(half, half.expiresAt)
    expect(traceOf(ended).at(-1)).toBe(`Expire EXPIRED ${HALF}`)
  })

  it('makes a step of a return that told less the time before', () => {
    const more = recordPull(recordReturn(sampleJob(), LATER), 'Statuspull', seen('PENDING', HALF), LATER + 1)
    expect(traceOf(recordReturn(more, LATER + 2)).at(-1)).toBe(`Return PENDING ${HALF}`)
  })

  it('is followed by the rest: SUCCESS, and one report for each amount', () => {
    const whole = recordPull(half, 'Statuspull', seen('SUCCESS', AMOUNT), LATER + 1)
    expect(whole).toMatchObject({ status: 'SUCCESS', paid: AMOUNT, revision: 3 })
    expect(whole.reports.map((report) => report.revision)).toEqual([2, 3])
  })
})

it('is what the PSP took, even when that is more than the amount; nothing is due then', () => {
  const job = recordPull(sampleJob(), 'Statuspull', seen('SUCCESS', AMOUNT + 500), LATER)
  expect(job).toMatchObject({ status: 'SUCCESS', paid: AMOUNT + 500 })
  expect(represent(job)).toMatchObject({ amountPaid: '17.50', amountDue: '0.00' })
  expect(represent(job).payments.steps.at(-1)).toMatchObject({ amountPaid: '17.50', amountDue: '0.00' })
  expect([isNewlyOverpaid(sampleJob(), job), isNewlyOverpaid(job, job)]).toEqual([true, false])
})

it('does not make a job final while the PSP still calls it pending', () => {
  const job = recordPull(sampleJob(), 'Statuspull', seen('PENDING', AMOUNT), LATER)
  expect(job).toMatchObject({ status: 'PENDING', paid: AMOUNT })
  expect(recordReturn(job, LATER + 1).status).toBe('PENDING')
  expect(recordPull(job, 'Statuspull', seen('SUCCESS', 0), LATER + 1).status).toBe('SUCCESS')
})
