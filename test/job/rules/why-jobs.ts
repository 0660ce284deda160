import { noteAnswer } from '../../../src/job/rules/pull.ts'
import type { Job } from '../../../src/job/rules/job.ts'
import { NOTHING_BACK } from '../../../src/job/rules/money-back.ts'
import type { Observed } from '../../../src/psp/answer.ts'
import type { Refund } from '../../../src/job/rules/refund.ts'
import { type DeliveryOutcome, dispatch, recordDelivery } from '../../../src/job/rules/reporting.ts'
import { HOUR, MINUTE } from '../../../src/contract/timestamp.ts'
import { recordPull } from '../../../src/job/rules/transition.ts'
import { AMOUNT, MIDDLE, NOW, SILENT, sampleJob, seen } from '../../support/sample-job.ts'

export const SOON = NOW + 20_000
export const END = NOW + HOUR + MINUTE

export function pulled(job: Job, answer: Observed, now = SOON): Job {
  return recordPull(job, 'Statuspull', answer, now)
}
export function paid(amount = AMOUNT): Job {
  return pulled(sampleJob(), seen('SUCCESS', amount))
}

/** A job after tries of its newest report, a minute apart. */
export function tried(job: Job, ...outcomes: readonly DeliveryOutcome[]): Job {
  return outcomes.reduce((before, outcome, place) => {
    const now = SOON + place * MINUTE
    const reports = before.reports.map((report) =>
      report.revision === before.revision
        ? { ...report, dueAt: Math.min(report.dueAt, now) }
        : { ...report, state: 'delivered' as const },
    )
    return recordDelivery(dispatch({ ...before, reports }, now), job.revision, outcome, now, MIDDLE)
  }, job)
}

export const OK = { is: 'delivered', outcome: '200' } as const
export function failed(outcome: string, answer?: string): DeliveryOutcome {
  return {
    is: 'failed',
    outcome,
    retryAfter: null,
    ...(answer === undefined ? {} : { answer }),
  }
}
export function reported(job: Job): Job {
  return tried(job, OK)
}

function refund(state: Refund['state'], error: string | null = null): Refund {
  return {
    id: 'r1',
    fingerprint: 'f',
    call: 'c',
    amount: 500,
    description: '',
    at: SOON,
    state,
    reference: null,
    error,
    checks: 0,
    checkAt: state === 'pending' ? SOON + MINUTE : null,
  }
}
export function withRefund(state: Refund['state'], error?: string): Job {
  return {
    ...reported(paid()),
    moneyBack: { ...NOTHING_BACK, refunded: state === 'done' ? 500 : 0, refunds: [refund(state, error)] },
  }
}

export function notAnswered(job: Job, now = NOW + MINUTE): Job {
  return noteAnswer(job, SILENT, now)
}
export const REFUSED_KEY = { is: 'unavailable', message: 'Unauthorized', accountRefused: true } as const
export function other(amount: number) {
  return {
    account: 'b',
    reference: 'tr_9',
    paid: amount,
    tries: 1,
    at: null,
  }
}
