import { describe, expect, it } from 'vitest'
import { createJob, recordAnnouncement } from '../../../src/job/rules/announcement.ts'
import { ANNOUNCED, MIDDLE, NOW, ORDER, SILENT, sampleJob } from '../../support/sample-job.ts'

const LATER = NOW + 10_000

describe('the accounts that were tried in vain', () => {
  it('are none for a job that its first account took, and that no list has yet', () => {
    expect(sampleJob()).not.toHaveProperty('passedOver')
    expect(sampleJob().listed).toBe(false)
  })

  it('are kept, each once, whether the job is new or announced again', () => {
    const { announcement: _, ...known } = sampleJob(SILENT)
    const wanted = { ...known, order: ORDER, answer: SILENT, account: 'a', passedOver: ['b', 'c', 'b'] }
    expect(createJob(wanted, NOW, MIDDLE).passedOver).toEqual(['b', 'c'])
    const waiting = { ...sampleJob(SILENT), account: 'a', passedOver: ['b'] }
    expect(recordAnnouncement(waiting, 'a', SILENT, LATER, MIDDLE, [], ['b', 'c']).passedOver).toEqual([
      'b',
      'c',
    ])
  })

  it('are not the one that took the job in the end', () => {
    const waiting = { ...sampleJob(SILENT), account: 'a', passedOver: ['b', 'c'] }
    const taken = recordAnnouncement(waiting, 'b', ANNOUNCED, LATER, MIDDLE, [], ['a', 'b'])
    expect(taken).toMatchObject({ account: 'b', passedOver: ['c', 'a'] })
  })

  it('are not the one that took the job, also where no other was tried with it', () => {
    const waiting = { ...sampleJob(SILENT), account: 'a', passedOver: ['b', 'c'] }
    const taken = recordAnnouncement(waiting, 'c', ANNOUNCED, LATER, MIDDLE)
    expect(taken).toMatchObject({ account: 'c', passedOver: ['b'] })
  })

  it('are not the one that took the job, where just one other was tried before it', () => {
    const waiting = { ...sampleJob(SILENT), account: 'a', passedOver: ['b'] }
    const taken = recordAnnouncement(waiting, 'b', ANNOUNCED, LATER, MIDDLE, [], ['a'])
    expect(taken).toMatchObject({ account: 'b', passedOver: ['a'] })
  })
})
