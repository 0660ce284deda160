import { describe, expect, it } from 'vitest'
import { cancelUnannounced, recordPullResult } from '../../src/domain/pull.ts'
import { AMOUNT, AUTHORIZED, NOW, SILENT, jobIn, sampleJob, seen, traceOf } from '../support/sample-job.ts'

const stoppedAs = (
  status: 'CANCELLED' | 'EXPIRED' | 'SUCCESS',
  by?: 'shop' | 'operator',
  job = sampleJob(),
) =>
  recordPullResult(
    job,
    'cancel',
    { answer: seen(status, status === 'SUCCESS' ? AMOUNT : 0), stopped: true },
    NOW + 9,
    by,
  )

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

it('money that was reserved when the customer came back is a step of that return, also where nobody waits any more', () => {
  const reserved = { answer: seen('SUCCESS', AMOUNT), stopped: false, reserved: AUTHORIZED }
  const traceAfter = (reason: 'return' | 'give-up' | 'notification') =>
    traceOf(recordPullResult(sampleJob(), reason, reserved, NOW + 9))
  expect(traceAfter('return')).toEqual(['Start PENDING 0', 'Return PENDING 0', 'Return SUCCESS 1250'])
  expect(traceAfter('give-up')).toEqual(traceAfter('return'))
  expect(traceAfter('notification').at(1)).toBe('Statuspull PENDING 0')
})

it('a look after a refund that the PSP puts off plans nothing: the pulls of the schedule go on', () => {
  const job = { ...jobIn('SUCCESS'), pullAt: NOW + 60_000 }
  const busy = { ...SILENT, retryAfter: 600 }
  expect(recordPullResult(job, 'refund', { answer: busy, stopped: false }, NOW + 9)).toBe(job)
})
