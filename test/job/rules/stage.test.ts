import { describe, expect, it } from 'vitest'
import { apply } from '../../../src/job/rules/apply.ts'
import type { Job } from '../../../src/job/rules/job.ts'
import { plan } from '../../../src/job/rules/plan.ts'
import { recordPullResult } from '../../../src/job/rules/pull.ts'
import { LONGEST_PATIENCE, type Stage, nextStage } from '../../../src/job/rules/stage.ts'
import { nextPspWork } from '../../../src/job/rules/timers.ts'
import { DAY, HOUR, MINUTE } from '../../../src/contract/timestamp.ts'
import { recordPull, recordReturn } from '../../../src/job/rules/transition.ts'
import {
  AMOUNT,
  AUTHORIZED,
  MIDDLE,
  NOW,
  RETENTION,
  SILENT,
  UNDER_WAY,
  sampleJob,
  seen,
  traceOf,
} from '../../support/sample-job.ts'

const LATER = NOW + MINUTE
const underWay = recordPull(sampleJob(), 'Statuspull', UNDER_WAY, LATER)
function stagesOf(job: Job) {
  return job.steps.map(({ action, stage }) => `${action} ${stage ?? 'open'}`)
}

describe('a stage', () => {
  const current: Stage = { is: 'underway', since: NOW, until: NOW + DAY }

  it('runs from when it was first seen', () => {
    expect(nextStage(undefined, { is: 'underway', patience: DAY }, NOW)).toEqual(current)
    expect(nextStage(current, { is: 'underway', patience: DAY }, NOW + HOUR)).toBe(current)
    expect(nextStage(current, { is: 'underway', patience: 2 * DAY }, NOW + HOUR)).toEqual({
      ...current,
      until: NOW + 2 * DAY,
    })
  })

  it('begins anew when it is another one', () => {
    expect(nextStage(current, { is: 'authorized', patience: DAY }, NOW + HOUR)).toEqual({
      is: 'authorized',
      since: NOW + HOUR,
      until: NOW + HOUR + DAY,
    })
  })

  it('ends when the customer may act again', () => {
    expect(nextStage(current, { is: 'open' }, NOW + HOUR)).toBeUndefined()
  })

  it('lasts ninety days at most', () => {
    expect(LONGEST_PATIENCE).toBe(90 * DAY)
    expect(nextStage(undefined, { is: 'underway', patience: 99 * DAY }, NOW)?.until).toBe(NOW + 90 * DAY)
  })
})

describe('a job whose money is under way', () => {
  it('is PENDING, and its trace says more; nobody is told anew', () => {
    expect(underWay).toMatchObject({ status: 'PENDING', stage: { is: 'underway', since: LATER } })
    expect(traceOf(underWay)).toEqual(['Start PENDING 0', 'Statuspull PENDING 0'])
    expect(stagesOf(underWay)).toEqual(['Start open', 'Statuspull underway'])
    expect(underWay.reports).toEqual([])
    expect(recordPull(underWay, 'Statuspull', UNDER_WAY, LATER + HOUR)).toBe(underWay)
  })

  it('does not expire by the clock of the hub, and is pulled daily until its method has had its time', () => {
    let job = underWay
    const days: number[] = []
    for (let work = nextPspWork(job); work?.work === 'pull'; work = nextPspWork(job)) {
      job = plan(job, work.at, MIDDLE, RETENTION).job
      days.push(Math.floor((work.at - LATER) / DAY))
    }
    expect(job.status).toBe('PENDING')
    expect(new Set(days)).toEqual(new Set([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]))
    expect(nextPspWork(job)).toEqual({ work: 'last-pull', at: LATER + 14 * DAY })
  })

  it('is SUCCESS when the money arrives, and FAILURE when it does not', () => {
    const paid = recordPull(underWay, 'Statuspull', seen('SUCCESS', AMOUNT), LATER + 9 * DAY)
    expect(paid.status).toBe('SUCCESS')
    expect(paid.stage).toBeUndefined()
    expect(paid.late).toBeUndefined()
    expect(recordPull(underWay, 'Statuspull', seen('FAILURE'), LATER + DAY).status).toBe('FAILURE')
  })

  it('stays under way when the customer comes back and the PSP is silent', () => {
    const back = recordReturn(underWay, LATER + HOUR)
    expect(back.stage).toEqual(underWay.stage)
    expect(stagesOf(back).at(-1)).toBe('Return underway')
  })

  it('is open again when the PSP says so', () => {
    const open = recordPull(underWay, 'Statuspull', seen('PENDING'), LATER + HOUR)
    expect(open.stage).toBeUndefined()
    expect(stagesOf(open).at(-1)).toBe('Statuspull open')
  })

  it.each([
    ['once the PSP says that it is still under way', UNDER_WAY, 0],
    ['three days later when the PSP is silent', SILENT, 3 * DAY],
  ])('ends after its time, %s, and is looked after', (_, answer, wait) => {
    const end = LATER + 14 * DAY + wait
    const last = (now: number) => recordPullResult(underWay, 'expiry', { answer, stopped: false }, now)
    expect(last(end - 1).status).toBe('PENDING')
    expect(last(end)).toMatchObject({ status: 'EXPIRED', pullAt: end + HOUR })
  })
})

describe('a job whose money is reserved', () => {
  const reserved = recordPull(sampleJob(), 'Statuspull', AUTHORIZED, LATER)

  it('is never SUCCESS before the money is captured', () => {
    expect(reserved).toMatchObject({ status: 'PENDING', paid: 0, stage: { is: 'authorized' } })
    expect(recordPull(reserved, 'Return', AUTHORIZED, LATER + HOUR).status).toBe('PENDING')
    expect(recordPull(reserved, 'Statuspull', seen('SUCCESS', AMOUNT), LATER + HOUR).status).toBe('SUCCESS')
  })

  it('does not expire by the clock of the hub', () => {
    expect(nextPspWork({ ...reserved, pullAt: null })).toEqual({ work: 'last-pull', at: LATER + 7 * DAY })
  })
})

it('a payment that is still to be paid in full has no stage by a word that is not PENDING', () => {
  const stage = { is: 'underway' as const, patience: DAY }
  const job = apply(sampleJob(), 'Statuspull', { status: 'SUCCESS', paid: 500, stage }, NOW + 1)
  expect(job).toMatchObject({ status: 'PENDING', paid: 500 })
  expect(job.stage).toBeUndefined()
  expect(recordPull(sampleJob(), 'Statuspull', UNDER_WAY, NOW + 1).stage?.is).toBe('underway')
})
