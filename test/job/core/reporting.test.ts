import { describe, expect, it } from 'vitest'
import { DAY, HOUR, MINUTE } from '../../../src/contract/timestamp.ts'
import { rowDigest, rowOf } from '../../../src/job/core/row.ts'
import { AMOUNT, NOW, SILENT, playedJob, seen } from '../../support/jobs/played-job.ts'

function paidJob() {
  const job = playedJob()
  job.hears('other', { answer: seen('SUCCESS') })
  return job
}

describe('the report', () => {
  it('is due for each change of status or amount, and for nothing else', () => {
    const job = playedJob()
    expect(job.due('report')).toBeNull()
    job.hears('back', { answer: seen('PENDING') })
    expect(job.due('report')).toBeNull()
    job.hears('other', { answer: seen('PENDING', 500) })
    expect([job.due('report'), job.state.revision]).toEqual([0, 2])
    job.hears('other', { answer: seen('SUCCESS') })
    expect([job.due('report'), job.state.revision]).toEqual([0, 3])
    job.hears('back', { answer: seen('SUCCESS') })
    expect(job.state.revision).toBe(3)
  })

  it('is tried eleven times over three days, then given up', () => {
    const job = paidJob()
    let tries = 0
    for (; job.due('report') !== null; tries++) {
      job.untilDue('report')
      job.report('500')
    }
    expect([tries, job.state.report?.state]).toEqual([11, 'given-up'])
    expect((job.now - NOW) / DAY).toBeGreaterThan(2.8)
    expect((job.now - NOW) / DAY).toBeLessThan(3.6)
    expect(rowOf(job.state).givenUpAt).toBe(job.now + 10)
  })

  it('starts over, with a new schedule, if an operator wants that', () => {
    const job = paidJob()
    job.report('410', 'unwanted')
    expect([job.state.report?.state, job.due('report')]).toEqual(['given-up', null])
    job.tell({ do: 'send-report-again' })
    expect(job.due('report')).toBe(0)
    job.report('500')
    expect(job.due('report')).toBeLessThan(6000)
    job.report('200')
    expect(job.state.report).toMatchObject({ state: 'delivered' })
    expect(job.state.report?.history).toHaveLength(3)
  })

  it('has each try once, even if a Worker reports it twice', () => {
    const job = paidJob()
    const began = job.now
    job.report('500', 'failed', { began })
    expect(job.report('500', 'failed', { began })).toEqual([])
    job.report('500', 'failed', { began: began + 1 })
    expect(job.state.report).toMatchObject({ state: 'due', tries: 2 })
  })

  it('has both tries at two revisions that began in the same instant', () => {
    const job = paidJob()
    const began = job.now
    job.report('500', 'failed', { began })
    expect(job.report('200', 'delivered', { began, revision: 1 })).toHaveLength(1)
  })

  it('is sent again for an operator unless it waits for its first try', () => {
    const resent = (job: ReturnType<typeof playedJob>) => job.tell({ do: 'send-report-again' }).length
    const job = paidJob()
    expect([resent(playedJob()), resent(job)]).toEqual([1, 0])
    job.report('500')
    expect(resent(job)).toBe(1)
  })

  it('waits for as long as the receiver asks', () => {
    const job = paidJob()
    job.report('503', 'failed', { notBefore: NOW + HOUR })
    expect(job.due('report')).toBe(HOUR)
  })

  it.each(['failed', 'unwanted'] as const)('stays delivered if another try at it %s', (result) => {
    const job = paidJob()
    job.report('200')
    job.report('503', result)
    expect([job.state.report?.state, job.due('report')]).toEqual(['delivered', null])
    expect(job.state.report?.history).toHaveLength(2)
  })

  it('of an older revision that arrives last makes the hub send the newest again', () => {
    const job = paidJob()
    job.now += MINUTE
    job.hears('other', { answer: seen('SUCCESS', AMOUNT, { refunded: 100 }) })
    job.report('200')
    job.report('200', 'delivered', { revision: 2 })
    expect(job.due('report')).toBe(0)
    expect(job.state.report).toMatchObject({ revision: 3, state: 'due' })
  })
})

describe('the row', () => {
  it('waits for a minute if a new live job is well, but not if something is wrong', () => {
    expect(playedJob().due('row')).toBe(MINUTE)
    expect(playedJob(['mollie', SILENT]).due('row')).toBe(0)
    expect(paidJob().due('row')).toBe(0)
  })

  it('is written again for what an operator would see, and not for a step without news', () => {
    const job = paidJob()
    job.indexed()
    job.hears('back', { answer: seen('SUCCESS') })
    expect(job.due('row')).toBeNull()
    job.report('500')
    expect(job.due('row')).toBe(0)
  })

  it('names the entry of its newest change, and an older one no longer counts', () => {
    const job = paidJob()
    expect(rowOf(job.state)).toMatchObject({ sequence: 2, status: 'SUCCESS', paid: AMOUNT, paidAfter: 0 })
    const older = rowDigest(playedJob().state)
    expect(job.tell({ do: 'record-row', entry: 1, digest: older })).toHaveLength(1)
    expect(job.due('row')).toBe(0)
    job.tell({ do: 'record-row', entry: 2, digest: rowDigest(job.state) })
    expect(job.due('row')).toBeNull()
    expect(job.tell({ do: 'record-row', entry: 1, digest: older })).toEqual([])
  })
})

describe('the purge', () => {
  it('comes the retention time after the last change, once no other duty is left', () => {
    const job = paidJob()
    expect(job.due('purge')).toBeNull()
    job.report('200')
    expect(job.due('purge')).toBeNull()
    job.indexed()
    expect(job.due('purge')).toBe(400 * DAY)
    job.refund('r1', 100)
    expect(job.due('purge')).toBeNull()
  })

  it('never comes for an open job', () => {
    const job = playedJob()
    job.indexed()
    expect(job.due('purge')).toBeNull()
  })
})
