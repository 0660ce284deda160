import { describe, expect, it } from 'vitest'
import { cancelUnannounced, recordPullResult } from '../../../src/job/rules/pull.ts'
import { AMOUNT, NOW, SILENT, jobIn, sampleJob, seen } from '../../support/sample-job.ts'

function stoppedAs(status: 'CANCELLED' | 'EXPIRED' | 'SUCCESS', by?: 'shop' | 'operator', job = sampleJob()) {
  return recordPullResult(
    job,
    'cancel',
    { answer: seen(status, status === 'SUCCESS' ? AMOUNT : 0), stopped: true },
    NOW + 9,
    by,
  )
}

describe('whose wish it was that a payment is cancelled', () => {
  it('is remembered where that has cancelled it', () => {
    expect(stoppedAs('CANCELLED', 'shop').cancelledBy).toBe('shop')
    expect(cancelUnannounced(sampleJob(SILENT), NOW + 9, 'operator').cancelledBy).toBe('operator')
  })

  it('is not known where nobody said', () => {
    expect(stoppedAs('CANCELLED')).not.toHaveProperty('cancelledBy')
    expect(cancelUnannounced(sampleJob(SILENT), NOW + 9)).not.toHaveProperty('cancelledBy')
  })

  it.each(['EXPIRED', 'SUCCESS'] as const)('is nothing to remember where it ended as %s', (status) => {
    expect(stoppedAs(status, 'shop')).toMatchObject({ status })
    expect(stoppedAs(status, 'shop')).not.toHaveProperty('cancelledBy')
  })

  it('is not remembered of a payment that was cancelled before', () => {
    expect(stoppedAs('CANCELLED', 'shop', jobIn('CANCELLED'))).not.toHaveProperty('cancelledBy')
  })
})

it('a payment that the PSP has is not cancelled without asking it', () => {
  const job = sampleJob()
  expect(cancelUnannounced(job, NOW + 9, 'shop')).toBe(job)
})
