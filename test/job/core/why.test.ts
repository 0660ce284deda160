import { describe, expect, it } from 'vitest'
import { MINUTE } from '../../../src/contract/timestamp.ts'
import { CAUSES, why } from '../../../src/job/core/why.ts'
import { AMOUNT, seen } from '../../support/played-job.ts'
import { TABLE, ended, told } from '../../support/why-jobs.ts'

describe('why a payment stands as it does', () => {
  it.each(TABLE)('%s: %s', (cause, _, make) => {
    const job = make()
    expect(why(job.state, job.now + MINUTE).main.cause).toBe(cause)
  })

  it('has an answer for each cause', () => {
    expect(new Set(TABLE.map(([cause]) => cause))).toEqual(new Set(Object.keys(CAUSES)))
  })

  it('names what matters most first, and the rest besides', () => {
    const job = told(ended('EXPIRED'))
    job.hears('other', { answer: seen('SUCCESS', AMOUNT, { chargedBack: 100 }) })
    job.report('500')
    const { main, others } = why(job.state, job.now)
    expect([main, ...others].map(({ cause }) => cause)).toEqual([
      'receiver-answers-error',
      'charged-back',
      'paid-late',
    ])
  })
})
