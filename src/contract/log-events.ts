/**
 * Every event in the Worker's log: its level and its fields, one a line, only as types.
 * docs/operating/ says what to do about each; a test compares the two. Each event also has `request`.
 * No field is a secret, a URL, data of an order, or an IP address (except of callers that the
 * operator API refuses).
 */
export type LogEvents = {
  'access.keys-unavailable': Failure<{ error: string }>
  'access.misconfigured': Failure<{ reason: string }>
  'account.checked': Info<{ account: string; state: string; before: string | null }>
  'account.check-failed': Fault<{ account: string }>
  'alarm.failed': Fault<{ job?: string | undefined; payment?: string | undefined }>
  'alert.begun': Warn<{ alert: string; kind: string; subject: string }>
  'alert.ended': Info<{ alert: string; kind: string; subject: string }>
  'alert.not-delivered': Warn<{ alert: string; message: string; outcome: string }>
  'audit.broken': Failure<{ number: number; hash: string }>
  'audit.end-lost': Fault<{
    action: string
    by: string
    subject: string
    result: string
    entry: number | null
  }>
  'audit.head': Info<{ day: string; number: number; hash: string }>
  'audit.head-failed': Fault
  'audit.unavailable': Fault<{ action: string; by: string }>
  'books.fetched': Info<{ account: string; payouts: number; lines: number }>
  'books.left-out': Warn<{ account: string; payout: string; reason: string }>
  'books.report-refused': Failure<{ account: string; report: string; reason: string }>
  'config.weak-secrets': Failure<{ names: string }>
  'export.broken-off': Fault
  'health.part-failed': Fault<{ part: string }>
  'index.repaired': Warn<{ day: string; jobs: number }>
  'index.write-failed': Fault<{ messages: number }>
  'job.purged': Info<OfJob>
  'job.watch-lost': Fault<{ job: string; pos?: string | undefined }>
  'kv.copy-unreadable': Failure<{ kind: string; id: string; detail: string }>
  'kv.read-failed': Fault
  'kv.repair-failed': Fault
  'kv.token-unreadable': Failure<{ pos: string; detail: string }>
  'kv.write-failed': Fault<{ pos?: string | undefined; name?: string }>
  'notification.account-unknown': Warn<{ account: string }>
  'notification.unauthentic': Warn<{ account: string; item?: number | undefined }>
  'operator.changed': Info<{
    action: string
    by: string
    subject: string
    result: string
    entry: number
    hash: string
  }>
  'operator.forbidden': Warn<{ by: string; role: string; needed: string; path?: string }>
  'operator.refused': Warn<{ address: string; code: string; why?: string; by?: string }>
  'payment.at-other-account': Warn<OfPayment>
  'payment.cancelled-after-paid': Warn<OfPayment>
  'payment.late': Warn<OfPayment>
  'payment.other-currency': Warn<OfPayment>
  'payment.overpaid': Warn<OfPayment>
  'payment.signed-not-shown': Warn<OfPayment & { payment: string | null }>
  'pos.refused': Warn<{ code: string; count: number }>
  'psp.account-refused': Failure<OfPayment & { message: string }>
  'psp.account-unknown': Failure<OfPayment>
  'psp.account-unread': Fault<{ account: string; job?: string; pos?: string }>
  'psp.account-unusable': Fault<{ account: string }>
  'psp.breaker': Warn<{ account: string; is: string }>
  'psp.check-failed': Fault<{ account: string }>
  'psp.instruction-failed': Fault<OfJob>
  'psp.instruction-refused': Warn<OfPayment & { kind: string; message: string }>
  'psp.instruction-unanswered': Warn<OfPayment & { kind: string; message: string }>
  'psp.payment-unknown': Warn<OfPayment>
  'job.duty-failed': Fault<{ job: string | undefined; duty: string }>
  'psp.unavailable': Warn<OfPayment & { message: string }>
  'queue.message-failed': Fault<{ queue: string; message: string }>
  'queue.message-unreadable': Failure<{ queue: string; message: string; detail: string }>
  'queue.send-failed': Fault<{ messages?: number; job?: string; pos?: string }>
  'registry.write-repeated': Fault
  'report.dead-letter': Failure<{ job: string; revision: number; pos?: string | undefined }>
  'report.failed': Warn<OfJob & { revision: number; outcome: string }>
  'report.listener-unasked': Fault<{ pos: string }>
  'report.not-tried': Fault<{ job: string; revision: number; pos?: string | undefined }>
  'request.failed': Fault<{ id: string }>
  'sandbox.notification-failed': Fault<{ payment: string }>
  'sealing.failed': Fault<{ account: string }>
  'stored.unreadable': Fault<{ id?: string; job?: string; pos?: string }>
  'sweep.failed': Fault<OfJob>
  'sweep.woken': Info<{ status: string | null; jobs: number }>
  'token.use-not-noted': Fault<{ token: string }>
  'watch.failed': Fault<{ part: string }>
}

type OfJob = { job: string; pos: string }
type OfPayment = OfJob & { account: string }

type Info<Fields = object> = { level: 'info'; fields: Fields }
type Warn<Fields = object> = { level: 'warn'; fields: Fields }
type Failure<Fields = object> = { level: 'error'; fields: Fields }
/** A caught error, which the event has as `error`. */
type Fault<Fields = object> = { level: 'fault'; fields: Fields }
