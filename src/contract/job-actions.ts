import * as v from 'valibot'
import {
  Capture,
  OF_RESERVED_MONEY,
  OperatorNewCapture,
  OF_REFUNDS,
  OperatorNewRefund,
  Refund,
} from './instruction.ts'
import { JobDetail } from './job-detail.ts'
import { type Operations, CHANGE, done } from './operation.ts'
import { members } from './body-members.ts'
import { text } from './values.ts'

/** The answer of `POST /jobs/{id}/erase`. `erased` is false if there was no personal data. */
export const ErasedJob = v.object({ paymentJob: v.string(), erased: v.boolean() })

/**
 * The answer of `POST /jobs/{id}/personal`: the customer's personal data. `ipAddress` is null once
 * the hub erased it, and an empty text if the shop sent none.
 */
export const JobPersonal = v.object({ paymentJob: v.string(), ipAddress: v.nullable(v.string()) })

/** The reason for clearing money that pays no order. */
export const ClearedMoney = members({
  note: v.pipe(
    text(500),
    v.description('Why: the audit log keeps it.'),
    v.trim(),
    v.minLength(1, 'must not be empty'),
  ),
})

const CHANGE_OF_JOB = { ...CHANGE, problems: ['job-not-found'] } as const

export const JOB_ACTION_OPERATIONS = {
  resendReport: {
    ...CHANGE_OF_JOB,
    path: '/operator/v1/jobs/:id/resend',
    role: 'support',
    audit: { action: 'report.resend' },
    summary: 'Send the report of a job',
    description:
      'At once, to the `report_url` of the order. Its `webhook-id` does not change, so a receiver that already has the report recognises it.',
    answer: done(JobDetail, 'The hub is sending the report.'),
    problems: ['job-not-found', 'job-limit'],
  },
  captureJob: {
    ...CHANGE_OF_JOB,
    path: '/operator/v1/jobs/:id/captures',
    audit: { action: 'job.capture', keeps: ['id', 'amount', 'final'] },
    summary: 'Capture reserved money',
    description: 'The same `id` again is the same capture. With `final`, the hub releases the rest.',
    body: OperatorNewCapture,
    answer: done(Capture, 'The hub has asked the PSP for the capture.'),
    problems: [...OF_RESERVED_MONEY, 'capture-too-much', 'idempotency-key-reused', 'job-not-found'],
  },
  releaseJob: {
    ...CHANGE_OF_JOB,
    path: '/operator/v1/jobs/:id/release',
    isFinal: true,
    audit: { action: 'job.release' },
    summary: 'Release reserved money that is not captured',
    description: 'Some PSPs release it later: the job stays as it is until then.',
    answer: done(JobDetail, 'The hub has asked the PSP to release the money.'),
    problems: [...OF_RESERVED_MONEY, 'release-refused', 'job-not-found'],
  },
  refundJob: {
    ...CHANGE_OF_JOB,
    path: '/operator/v1/jobs/:id/refunds',
    audit: { action: 'job.refund', keeps: ['id', 'amount'] },
    summary: 'Give money back',
    description: 'The same `id` again is the same refund.',
    body: OperatorNewRefund,
    answer: done(Refund, 'The hub has asked the PSP for the refund.'),
    problems: [...OF_REFUNDS, 'idempotency-key-reused', 'job-not-found'],
  },
  clearMoney: {
    ...CHANGE_OF_JOB,
    path: '/operator/v1/jobs/:id/clear-money',
    audit: { action: 'job.clear-money' },
    summary: 'Mark money that pays no order as cleared',
    description:
      'For example, the shop collected the rest at the counter, or delivered after all. Nothing happens at the PSP; the audit log keeps the note.',
    body: ClearedMoney,
    answer: done(JobDetail, 'The money counts as cleared. The note is in the audit log.'),
    problems: ['nothing-to-clear', 'job-not-found'],
  },
  cancelJob: {
    ...CHANGE_OF_JOB,
    path: '/operator/v1/jobs/:id/cancel',
    isFinal: true,
    audit: { action: 'job.cancel' },
    summary: 'Cancel a payment that is still open',
    answer: done(JobDetail, 'The payment is cancelled.'),
    problems: ['cancel-too-late', 'psp-unavailable', 'job-not-found'],
  },
  eraseJob: {
    ...CHANGE_OF_JOB,
    path: '/operator/v1/jobs/:id/erase',
    audit: { action: 'job.erase' },
    summary: "Erase the customer's personal data of a job",
    description:
      "Erases the customer's IP address from the journal for good. The journal's hashes and everything else about the job " +
      'stay the same. Safe to repeat.',
    answer: done(ErasedJob),
  },
  showPersonal: {
    ...CHANGE_OF_JOB,
    path: '/operator/v1/jobs/:id/personal',
    audit: { action: 'job.personal' },
    summary: "See the customer's personal data of a job",
    description: 'A POST, so that the audit log records who saw it.',
    answer: done(JobPersonal),
  },
  pullJob: {
    ...CHANGE_OF_JOB,
    path: '/operator/v1/jobs/:id/pull',
    role: 'support',
    audit: { action: 'job.pull' },
    summary: 'Ask the PSP how a payment stands',
    description: 'Nothing changes at the PSP.',
    answer: done(JobDetail, 'The hub has asked the PSP.'),
    problems: ['psp-unavailable', 'job-not-found'],
  },
  announceJob: {
    ...CHANGE_OF_JOB,
    path: '/operator/v1/jobs/:id/announce',
    role: 'support',
    audit: { action: 'job.announce' },
    summary: 'Announce a waiting payment now',
    description:
      'By the present route of its point of sale, so an account added since then can take over. A payment that is announced already stays as it is.',
    answer: done(JobDetail, 'The payment is announced: the customer can pay.'),
    problems: ['announce-too-late', 'psp-unavailable', 'job-not-found'],
  },
} as const satisfies Operations
