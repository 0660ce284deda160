import { describe, expect, it } from 'vitest'
import { isRightRow, wrongColumns } from '../../../src/job-index/recount-jobs.ts'
import { toRow } from '../../../src/job/rules/job-row.ts'
import { isFinal, waitsUntil } from '../../../src/job/rules/job.ts'
import { OUTSIDE_CALLS, nextCallAt, recentCalls } from '../../../src/job/rules/outside-calls.ts'
import { plannedTimes } from '../../../src/job/rules/planned-times.ts'
import { dispatch } from '../../../src/job/rules/reporting.ts'
import { purgeAt } from '../../../src/job/rules/timers.ts'
import { DAY, HOUR, MINUTE } from '../../../src/contract/timestamp.ts'
import { endOfTombstone } from '../../../src/job/rules/tombstone.ts'
import { accountTrouble, messageDue, shopTrouble } from '../../../src/monitoring/alert-rules.ts'
import { NOW, REFUSED, RETENTION, SILENT, jobIn, sampleJob } from '../../support/sample-job.ts'

describe('a job plans', () => {
  const none = { nextPull: null, nextAnnouncement: null, nextReport: null, purge: null }

  it.each([
    ['its next pull', sampleJob(), { nextPull: NOW + MINUTE }],
    ['its last pull', { ...sampleJob(), pullAt: null }, { nextPull: sampleJob().expiresAt }],
    ['its next announcement', sampleJob(SILENT), { nextAnnouncement: NOW + 10_000 }],
    ['nothing but its end, where that comes first', { ...sampleJob(SILENT), expiresAt: NOW + 1 }, {}],
  ])('%s', (_, job, times) => {
    expect(plannedTimes(job, RETENTION)).toEqual({ ...none, expires: waitsUntil(job), ...times })
  })

  it('its next report, which is the first of those that wait', () => {
    const job = sampleJob(REFUSED)
    const [report] = job.reports
    if (!report) throw new Error('a refused job reports')
    const late = { ...report, dueAt: report.dueAt + HOUR }
    const sent = { ...report, state: 'delivered' as const, dueAt: 1 }
    expect(isFinal(job.status)).toBe(true)
    expect(plannedTimes({ ...job, reports: [sent, late, report] }, RETENTION)).toEqual({
      ...none,
      expires: null,
      nextReport: report.dueAt,
    })
  })

  it('its purge, once nothing else is to be done', () => {
    const job = { ...dispatch(sampleJob(REFUSED), NOW), reports: [], flight: null }
    expect(plannedTimes(job, RETENTION).purge).toBe(purgeAt(job, RETENTION))
    expect(plannedTimes(job, RETENTION).purge).toBe(NOW + RETENTION)
  })
})

describe('a row of the index', () => {
  const row = toRow(jobIn('SUCCESS'))

  it('is right when it is the newest, and may be behind with the time of the last change', () => {
    expect(isRightRow(row, row)).toBe(true)
    expect(isRightRow({ ...row, updated: row.updated - 1 }, row)).toBe(true)
    expect(isRightRow({ ...row, updated: row.updated + 1 }, row)).toBe(false)
  })

  it('is wrong when any other column differs, and says which', () => {
    const other = { ...row, paid: 1, status: 'PENDING' as const, updated: 1 }
    expect(wrongColumns(other, row)).toEqual(expect.arrayContaining(['paid', 'status']))
    expect(wrongColumns(other, row)).toHaveLength(2)
    expect(isRightRow(other, row)).toBe(false)
  })
})

describe('calls that outsiders cause', () => {
  it('count for an hour', () => {
    expect(recentCalls([NOW - HOUR - 1, NOW - HOUR, NOW - HOUR + 1, NOW], NOW)).toEqual([NOW - HOUR + 1, NOW])
  })

  it('may be made until there are so many in an hour, and again an hour after the first of them', () => {
    const calls = Array.from({ length: OUTSIDE_CALLS }, (_, at) => NOW + at)
    expect(nextCallAt([])).toBeNull()
    expect(nextCallAt(calls.slice(1))).toBeNull()
    expect(nextCallAt(calls)).toBe(NOW + HOUR)
    expect(nextCallAt([...calls, NOW + OUTSIDE_CALLS])).toBe(NOW + 1 + HOUR)
  })
})

it('a tombstone stays for 400 days', () => {
  expect(endOfTombstone({ fingerprint: 'f', at: NOW })).toBe(NOW + 400 * DAY)
})

describe('what the operator is told', () => {
  const shop = { pos: 'p1', name: 'Shop 1', owed: 0, givenUp: 0, lastOutcome: null }

  it('of a shop has only what there is', () => {
    expect(shopTrouble({ ...shop, owed: 3 })?.detail).toBe(
      'Reports to Shop 1 fail: 3 not delivered for more than 5 minutes.',
    )
    expect(shopTrouble({ ...shop, givenUp: 1 })?.detail).toBe(
      'Reports to Shop 1 fail: 1 given up within a day.',
    )
  })

  it('of an account is said to be of an account, with or without a reason', () => {
    const standing = {
      account: 'a1',
      state: 'unavailable' as const,
      message: null,
      failedBefore: true,
      waiting: 0,
      oldest: null,
    }
    expect(accountTrouble(standing, NOW)).toEqual({
      kind: 'account-failing',
      subject: 'a1',
      detail: 'The PSP of a1 does not answer: no reason was told',
    })
  })

  it('is the end of an alert also where its beginning was never sent', () => {
    const alert = {
      id: 'x',
      kind: 'shop-failing',
      subject: 'p1',
      detail: 'd',
      since: 5,
      toldAt: null,
      wellSince: 6,
      endedAt: 9,
    } as const
    expect(messageDue(alert, 10)?.type).toBe('alert.ended')
    expect(messageDue({ ...alert, toldAt: 9 }, 10)).toBeNull()
  })
})
