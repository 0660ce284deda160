import { describe, expect, it } from 'vitest'
import { DAY, MINUTE } from '../../../src/contract/timestamp.ts'
import { isUnderWay } from '../../../src/job/core/payment.ts'
import { LONGEST_OVERDUE } from '../../../src/job/core/schedule.ts'
import { why } from '../../../src/job/core/why.ts'
import type { Observed } from '../../../src/psp/answer.ts'
import {
  AUTHORIZED,
  type Job,
  NO_ANSWER,
  RETENTION,
  SILENT,
  TAKEN,
  TOOK,
  UNDER_WAY,
  paidJob,
  playedJob,
  playedOrder,
  reservedJob,
  seen,
} from '../../support/jobs/played-job.ts'

const KINDS = ['capture', 'release', 'refund'] as const
type Kind = (typeof KINDS)[number]

/** A job whose shop has just requested an instruction. */
function instructedJob(kind: Kind): Job {
  const job = kind === 'refund' ? paidJob() : reservedJob()
  job.wants(kind, 'i1', { amount: kind === 'release' ? null : 500 })
  return job
}

/** Lets the hub ask and instruct until nothing is under way, or 600 times. */
function checked(job: Job, answer: Parameters<Job['answered']>[1]): void {
  for (let tries = 0; tries < 600 && job.state.instructions.some(isUnderWay); tries++) {
    job.untilDue('ask', 'stop', 'instruct')
    if (job.due('instruct') === 0) job.answered('i1', answer)
    else job.hears('duty', { answer: NO_ANSWER })
  }
}

function todosOf(job: Job): string[] {
  const { main, others } = why(job.state, job.now)
  return [main, ...others].flatMap(({ todo }) => todo.map((one) => one.do))
}

describe.each(KINDS)('a %s of which the PSP never says anything', (kind) => {
  it('fails after two weeks, reports that, and frees its money', () => {
    const job = instructedJob(kind)
    const { now, state } = job
    checked(job, NO_ANSWER)
    expect((job.now - now) / DAY).toBe(14)
    const [ended] = job.state.instructions
    expect(ended).toMatchObject({ state: 'failed', overdue: true })
    expect(job.state.revision).toBeGreaterThan(state.revision)
    expect(job.wants(kind, 'i2', { amount: kind === 'release' ? null : 500 }).ok).toBe(true)
  })

  it('has an operator look at the PSP after a day', () => {
    const job = instructedJob(kind)
    job.now += DAY - 1
    expect(todosOf(job)).not.toContain('look-at-psp')
    job.now += 1
    expect(todosOf(job)).toContain('look-at-psp')
    checked(job, NO_ANSWER)
    expect(todosOf(job)).toContain('look-at-psp')
  })

  it('ends after ninety days if the PSP has taken it', () => {
    const job = instructedJob(kind)
    const { now } = job
    checked(job, TAKEN)
    expect((job.now - now) / DAY).toBe(90)
    expect(job.state.instructions).toMatchObject([{ state: 'failed', overdue: true }])
  })

  it('is on its way again if the PSP takes it in the very end', () => {
    const job = instructedJob(kind)
    job.now += 14 * DAY
    job.answered('i1', TAKEN)
    expect(job.state.instructions).toMatchObject([{ state: 'pending' }])
  })
})

describe('a job whose PSP can never be asked', () => {
  it.each([
    ['whose order no account took', playedJob(['mollie', SILENT]), DAY],
    ['that is open', playedJob(), 91 * DAY + MINUTE],
    ['whose money is under way', heard(UNDER_WAY), 104 * DAY],
    ['whose money is reserved', heard(AUTHORIZED), 97 * DAY],
  ])('ends: one %s', (_, job, age) => {
    job.now = Math.floor(job.state.created / 1000) + age - 1
    expect(job.tell({ do: 'expire' })).toEqual([])
    job.now += 1
    expect(job.due('expire')).toBe(0)
    job.tell({ do: 'expire' })
    expect(job.status()).toBe('EXPIRED')
  })

  it('keeps no ended job: what the hub could not do for ninety days is given up, and the job is purged', () => {
    const job = playedJob(['a', SILENT], ['mollie', TOOK])
    job.hears('other', { answer: seen('CANCELLED', 0, { closed: false }) })
    job.report('200')
    job.indexed()
    expect(job.owed()).toEqual(expect.arrayContaining(['ask', 'look']))
    job.now += 30 * DAY + LONGEST_OVERDUE
    expect(job.owed()).toEqual(['purge'])
    expect(job.due('purge')).toBeLessThan(RETENTION)
  })
})

describe('an order for a terminal', () => {
  it('that no account took is not announced after its time', () => {
    const job = playedOrder({ terminal: { id: 'T', account: 'mollie' } }, ['mollie', SILENT])
    job.now += DAY
    expect(job.owed()).toContain('expire')
    expect(job.owed()).not.toContain('announce')
  })
})

function heard(answer: Observed): Job {
  const job = playedJob()
  job.hears('other', { answer })
  return job
}
