import { expect, it } from 'vitest'
import { beginRefund } from '../../src/job/rules/refund-request.ts'
import { messageOf, readMessage, snapshotOf } from '../../src/job/job-snapshot.ts'
import { MIDDLE, NOW, jobIn } from '../support/sample-job.ts'

it('a snapshot tells the money that is on its way back, where there is some', () => {
  const paid = jobIn('SUCCESS')
  expect(snapshotOf(paid)).not.toHaveProperty('refunding')
  const wanted = { id: 'r1', fingerprint: 'f', call: 'c', amount: 100, description: 'd' }
  const begun = beginRefund(paid, wanted, NOW, MIDDLE)
  expect(begun.ok && snapshotOf(begun.value)).toMatchObject({ refunding: '1.00' })
})

it('a message is read as it was told', () => {
  const job = jobIn('PENDING')
  expect(readMessage(messageOf(job))).toEqual(snapshotOf(job))
})

it.each([undefined, '', 'frob', '{}', '{"version":99}', new ArrayBuffer(2)])(
  'a message that this release does not know is none: %o',
  (message) => {
    expect(readMessage(message)).toBeNull()
  },
)
