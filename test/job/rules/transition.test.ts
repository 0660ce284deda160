import type { Status } from '../../../src/contract/values.ts'
import { describe, expect, it } from 'vitest'
import { INDEX_LEASE } from '../../../src/job/rules/job-row.ts'
import type { Job } from '../../../src/job/rules/job.ts'
import { DAY, HOUR, MINUTE } from '../../../src/contract/timestamp.ts'
import {
  expire,
  expireUnanswered,
  recordPull,
  planNextPull,
  recordReturn,
} from '../../../src/job/rules/transition.ts'
import {
  AMOUNT,
  ANNOUNCED,
  MIDDLE,
  NOW,
  sampleJob,
  jobIn,
  paidIn,
  seen,
  traceOf,
} from '../../support/sample-job.ts'

const LATER = NOW + 2000
function pull(job: Job, status: Status, now = LATER): Job {
  return recordPull(job, 'Statuspull', seen(status, paidIn(status)), now)
}

describe('a pull moves a job', () => {
  it.each<[current: Status, found: Status, next: Status]>([
    ['PENDING', 'PENDING', 'PENDING'],
    ['PENDING', 'SUCCESS', 'SUCCESS'],
    ['PENDING', 'FAILURE', 'FAILURE'],
    ['PENDING', 'CANCELLED', 'CANCELLED'],
    ['PENDING', 'EXPIRED', 'EXPIRED'],
    ['FAILURE', 'SUCCESS', 'SUCCESS'],
    ['CANCELLED', 'SUCCESS', 'SUCCESS'],
    ['EXPIRED', 'SUCCESS', 'SUCCESS'],
  ])('from %s that finds %s to %s, with one more step', (current, found, next) => {
    const before = jobIn(current)
    const after = pull(before, found)
    expect(after).toMatchObject({ status: next, paid: paidIn(next) })
    expect(traceOf(after)).toEqual([...traceOf(before), `Statuspull ${next} ${paidIn(next)}`])
    expect(after.updated).toBe(LATER * 1000)
    const changed = current === next ? 0 : 1
    expect(after.revision - before.revision).toBe(changed)
    expect(after.reports.length - before.reports.length).toBe(changed)
    expect(after.pullAt).toBe(next === 'PENDING' ? before.pullAt : null)
  })

  it.each<[current: Status, found: Status]>([
    ['SUCCESS', 'PENDING'],
    ['SUCCESS', 'SUCCESS'],
    ['SUCCESS', 'FAILURE'],
    ['SUCCESS', 'CANCELLED'],
    ['SUCCESS', 'EXPIRED'],
    ['FAILURE', 'PENDING'],
    ['FAILURE', 'FAILURE'],
    ['FAILURE', 'CANCELLED'],
    ['FAILURE', 'EXPIRED'],
    ['CANCELLED', 'PENDING'],
    ['CANCELLED', 'FAILURE'],
    ['CANCELLED', 'CANCELLED'],
    ['CANCELLED', 'EXPIRED'],
    ['EXPIRED', 'PENDING'],
    ['EXPIRED', 'FAILURE'],
    ['EXPIRED', 'CANCELLED'],
    ['EXPIRED', 'EXPIRED'],
  ])('not at all from %s when it finds %s', (current, found) => {
    const before = jobIn(current)
    expect(pull(before, found)).toBe(before)
  })
})

describe('the first result stays', () => {
  it('when the PSP notifies twice', () => {
    const once = pull(sampleJob(), 'SUCCESS')
    expect(pull(once, 'SUCCESS', LATER + HOUR)).toBe(once)
    expect(once.reports).toHaveLength(1)
  })

  it('when return and notification race: the second is a step, not a second report', () => {
    const back = recordPull(sampleJob(), 'Return', seen('SUCCESS', AMOUNT), LATER)
    const both = pull(back, 'SUCCESS', LATER)
    expect(traceOf(both)).toEqual([
      'Start PENDING 0',
      `Return SUCCESS ${AMOUNT}`,
      `Statuspull SUCCESS ${AMOUNT}`,
    ])
    expect(both.reports).toEqual(back.reports)
    expect(both.steps.map((step) => step.at)).toEqual([NOW * 1000 + 1, LATER * 1000, LATER * 1000 + 1])
  })

  it('when a late failure of an older attempt arrives after the money', () => {
    const back = recordPull(jobIn('SUCCESS'), 'Return', seen('FAILURE'), LATER)
    expect(back).toMatchObject({ status: 'SUCCESS', paid: AMOUNT })
    expect(traceOf(back).at(-1)).toBe(`Return SUCCESS ${AMOUNT}`)
  })

  it.each<Status>(['FAILURE', 'CANCELLED', 'EXPIRED'])(
    'unless it was %s and the PSP took the money after all: SUCCESS, and a report is owed',
    (status) => {
      const paid = pull(jobIn(status), 'SUCCESS', LATER + DAY)
      expect(paid.reports.map(({ revision, state }) => [revision, state])).toEqual([
        [2, 'waiting'],
        [3, 'waiting'],
      ])
      expect(paid.reports[1]?.dueAt).toBe(LATER + DAY)
      expect(paid.indexAt).toBe(LATER + DAY + INDEX_LEASE)
    },
  )
})

describe('a return', () => {
  it('is a step although the PSP cannot say yet how it went', () => {
    const job = recordReturn(sampleJob(), LATER)
    expect(traceOf(job)).toEqual(['Start PENDING 0', 'Return PENDING 0'])
    expect(job.reports).toEqual([])
  })

  it('that tells nothing new adds no second step', () => {
    const once = recordReturn(sampleJob(), LATER)
    expect(recordReturn(once, LATER + HOUR)).toBe(once)
    expect(recordPull(once, 'Return', seen('PENDING'), LATER + HOUR)).toBe(once)
  })

  it('is a step again once it tells something new', () => {
    const paid = pull(recordReturn(sampleJob(), LATER), 'SUCCESS')
    expect(traceOf(recordReturn(paid, LATER + HOUR)).slice(1)).toEqual([
      'Return PENDING 0',
      `Statuspull SUCCESS ${AMOUNT}`,
      `Return SUCCESS ${AMOUNT}`,
    ])
  })

  it.each<Status>(['SUCCESS', 'FAILURE', 'CANCELLED', 'EXPIRED'])(
    'does not open a job again that is %s',
    (status) => {
      const job = recordReturn(jobIn(status), LATER)
      expect(traceOf(job).at(-1)).toBe(`Return ${status} ${paidIn(status)}`)
      expect(job.reports).toEqual(jobIn(status).reports)
    },
  )
})

describe('the end of a job', () => {
  const END = sampleJob().expiresAt

  it('comes at its time, not before', () => {
    const job = sampleJob()
    expect(expire(job, END - 1)).toBe(job)
    const ended = expire(job, END)
    expect(traceOf(ended)).toEqual(['Start PENDING 0', 'Expire EXPIRED 0'])
    expect(ended).toMatchObject({ reports: [{ revision: 2, dueAt: END }] })
  })

  it.each<Status>(['SUCCESS', 'FAILURE', 'CANCELLED', 'EXPIRED'])('leaves alone what is %s', (status) => {
    const job = jobIn(status)
    expect(expire(job, END + DAY)).toBe(job)
    expect(expireUnanswered(job, END + 9 * DAY)).toBe(job)
    expect(planNextPull(job, END, MIDDLE)).toBe(job)
    expect(recordPull(job, 'Statuspull', seen('PENDING', 0, END + DAY), LATER)).toBe(job)
  })

  it('waits three days for a PSP that does not answer the last pull', () => {
    const job = sampleJob()
    expect(expireUnanswered(job, END + 3 * DAY - 1)).toBe(job)
    expect(traceOf(expireUnanswered(job, END + 3 * DAY))).toEqual(['Start PENDING 0', 'Expire EXPIRED 0'])
  })

  it('moves with the end the PSP names, earlier or later, and the last pulls are counted anew', () => {
    const job = { ...sampleJob(), lastPulls: 3 }
    for (const end of [NOW + MINUTE, NOW + 3 * DAY]) {
      const moved = recordPull(job, 'Statuspull', seen('PENDING', 0, end), LATER)
      expect(moved).toMatchObject({ expiresAt: end + MINUTE, lastPulls: 0 })
    }
    const same = recordPull(job, 'Statuspull', seen('PENDING', 0, ANNOUNCED.expiresAt), LATER)
    expect(same).toMatchObject({ expiresAt: job.expiresAt, lastPulls: 3 })
  })
})
