import { expect, it } from 'vitest'
import { messageOf, readMessage, snapshotOf } from '../../src/job/job-snapshot.ts'
import { playedJob, AMOUNT, seen } from '../support/played-job.ts'

it('a snapshot tells the money that is on its way back, where there is some', () => {
  const job = playedJob()
  job.hears('duty', { answer: seen('SUCCESS', AMOUNT) })
  expect(snapshotOf(job.state)).not.toHaveProperty('refunding')
  job.refund('r1', 100)
  expect(snapshotOf(job.state)).toMatchObject({ refunding: '1.00' })
})

it('a message is read as it was told', () => {
  const job = playedJob().state
  expect(readMessage(messageOf(job))).toEqual(snapshotOf(job))
})

it.each([undefined, '', 'frob', '{}', '{"version":99}', new ArrayBuffer(2)])(
  'a message that this release does not know is none: %o',
  (message) => {
    expect(readMessage(message)).toBeNull()
  },
)
