import { type Job, isFinal } from '../../src/job/rules/job.ts'
import type { Status } from '../../src/contract/values.ts'
import type { Order } from '../../src/contract/order.ts'
import type { Announced, Observed, Refused, Unavailable, AnnounceOutcome } from '../../src/psp/answer.ts'
import { DAY, HOUR } from '../../src/contract/timestamp.ts'
import { createJob } from '../../src/job/rules/announcement.ts'
import { recordPull } from '../../src/job/rules/transition.ts'

/** When the sample job is created. */
export const NOW = Date.UTC(2026, 0, 31, 10)

/** The random number that leaves a delay as it is: the middle of its jitter. */
export const MIDDLE = 0.5

export const AMOUNT = 1250

/** How long (ms) after its last change a job is purged. */
export const RETENTION = 400 * DAY

export const ORDER: Order = {
  timestamp: '1769853600',
  currency: 'EUR',
  amount: AMOUNT,
  returnUrl: 'https://shop.nl/thanks?order=7',
  reportUrl: 'https://shop.nl/report',
  paymentMethod: 'ideal',
  orderId: '7',
  orderNumber: 'A-7',
  language: 'nl',
  ipAddress: '203.0.113.7',
}

export const ANNOUNCED: Announced = {
  is: 'announced',
  reference: 'tr_1',
  checkoutUrl: 'https://psp.nl/checkout/tr_1',
  expiresAt: NOW + HOUR,
}
export const REFUSED: Refused = { is: 'refused', message: 'The method is not active.' }
export const SILENT: Unavailable = { is: 'unavailable', message: 'No answer in time.' }

/** A job as its PSP's answer made it, at `NOW`. */
export function sampleJob(answer: AnnounceOutcome = ANNOUNCED, changes: Partial<Order> = {}): Job {
  return createJob(
    {
      id: '7f2c1d1e-0000-4000-8000-000000000001',
      transactionId: '7f2c1d1e-0000-4000-8000-000000000002',
      fingerprint: 'f1',
      pos: 'pos1',
      account: 'sandbox',
      origin: 'https://hub.nl',
      order: { ...ORDER, ...changes },
      answer,
    },
    NOW,
    MIDDLE,
  )
}

/**
 * What a pull finds; without an expiry of its own unless one is given. A PENDING payment is open, and any other end than
 * SUCCESS is final for good, as most are.
 */
export function seen(status: Status, paid = 0, expiresAt: number | null = null): Observed {
  return {
    is: 'observed',
    status,
    paid,
    expiresAt,
    ...(status === 'PENDING' ? { stage: { is: 'open' } } : {}),
    ...(isFinal(status) && status !== 'SUCCESS' ? { closed: true } : {}),
  }
}

/** An end that is not final for good: money may still come. */
export function seenForNow(status: Exclude<Status, 'PENDING' | 'SUCCESS'>): Observed {
  return {
    ...seen(status),
    closed: false,
  }
}

/** The customer has acted, and money is coming, for two weeks at most. */
export const UNDER_WAY: Observed = {
  ...seen('PENDING'),
  stage: { is: 'underway', patience: 14 * DAY },
}

/** The money is reserved, for a week. */
export const AUTHORIZED: Observed = {
  ...seen('PENDING'),
  stage: { is: 'authorized', patience: 7 * DAY },
}

export function paidIn(status: Status): number {
  return status === 'SUCCESS' ? AMOUNT : 0
}

/** A job that a status pull brought to this status, a second after its creation. */
export function jobIn(status: Status): Job {
  return status === 'PENDING'
    ? sampleJob()
    : recordPull(sampleJob(), 'Statuspull', seen(status, paidIn(status)), NOW + 1000)
}

/** The job, with its row taken by the index queue. */
export function indexed(job: Job): Job {
  return { ...job, indexAt: null }
}

/** The trace in short: `Start PENDING 0`. */
export function traceOf(job: Job): string[] {
  return job.steps.map(({ action, status, paid }) => `${action} ${status} ${paid}`)
}
