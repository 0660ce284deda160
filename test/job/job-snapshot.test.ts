import { expect, it } from 'vitest'
import { messageOf, readMessage, snapshotOf } from '../../src/job/job-snapshot.ts'
import { playedJob, AMOUNT, seen } from '../support/jobs/played-job.ts'

it('a snapshot shows money that is on its way back, if there is any', () => {
  const job = playedJob()
  job.hears('duty', { answer: seen('SUCCESS', AMOUNT) })
  expect(snapshotOf(job.state)).not.toHaveProperty('refunding')
  job.refund('r1', 100)
  expect(snapshotOf(job.state)).toMatchObject({ refunding: '1.00' })
})

it('a message is read as it was written', () => {
  const job = playedJob().state
  expect(readMessage(messageOf(job))).toEqual(snapshotOf(job))
})

it.each([undefined, '', 'frob', '{}', '{"version":99}', new ArrayBuffer(2)])(
  'a message unknown to this release is read as null: %o',
  (message) => {
    expect(readMessage(message)).toBeNull()
  },
)
