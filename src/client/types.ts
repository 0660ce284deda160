import type { ProblemCode } from '../contract/problems.ts'
import type { CreatedPaymentJob, PaymentJob, PaymentJobList } from '../contract/payment-job.ts'
import type { Capture, NewCapture, NewRefund, Refund } from '../contract/instruction.ts'
import type { NewPaymentJob, NewTerminalJob } from '../contract/order.ts'
import type { PaymentMethods } from '../contract/payment-methods.ts'
import type { JobReport, OwnFailingReports } from '../contract/failing-reports.ts'
import type { Terminal } from '../contract/terminals.ts'
import type { Status } from '../contract/values.ts'
import type { Advance } from '../contract/advance.ts'

/** The hub's address, and the point of sale that uses it. */
export type HubOptions = {
  /** The address of the hub, such as `https://hub.example.com`. */
  baseUrl: string
  /** The API key of the point of sale. It belongs on a server, never in a shop's page or app. */
  apiKey: string
  /** Used instead of the global `fetch`. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>
  /** How long (ms) a call may take with all its retries. The default is 30 seconds. */
  timeout?: number
}

/** The options of every call. */
export type CallOptions = {
  /** Ends the call: it then throws the signal's reason. */
  signal?: AbortSignal
  /** How long (ms) this call may take with all its retries. */
  timeout?: number
}

/** The options of a call that creates something. */
export type WriteOptions = CallOptions & {
  /**
   * 1 to 255 visible ASCII characters, new for each attempt to pay, to capture or to refund. By default
   * the client makes one for this call, and your process forgets it when it ends. Give your own if you may
   * repeat the call after a crash.
   */
  idempotencyKey?: string
}

/** The options of a refund. `pin`: the PIN for refunds, if the key has no right to refund. */
export type RefundOptions = WriteOptions & { pin?: string }

/**
 * An order to pay, on a page or at a `terminal`. The client adds the time of the call if there is no
 * `timestamp`.
 */
export type Order = Untimed<NewPaymentJob> | Untimed<NewTerminalJob>
type Untimed<Sent extends { timestamp: unknown }> = Omit<Sent, 'timestamp'> & Partial<Pick<Sent, 'timestamp'>>

/** A query for jobs. Times are RFC 3339 texts (or dates of a day, UTC), or a `Date`. */
export type JobQuery = {
  orderNumber?: string
  orderId?: string
  from?: string | Date
  to?: string | Date
  status?: Status
  /** The number of jobs on a page: 1 to 200. */
  limit?: number
  /** The `next` of the previous page. */
  after?: string
}

export type WaitOptions = {
  /**
   * Returns true once the wait is over; by default once `status` is not `PENDING`, or you can capture
   * money. A job at a terminal stays `PENDING` while the hub can still learn whether the card was charged. If
   * its `terminal.state` is `unknown` after the end, do not take the money again: look at the PSP.
   */
  until?: (job: PaymentJob) => boolean
  /** How long (ms) to wait. The default is 15 minutes. */
  timeout?: number
  signal?: AbortSignal
}

/** A job, or its id. */
export type JobReference = string | { paymentJob: string }

/**
 * The reason of an error: a code of the hub's problems, or the client's own. Later versions may add codes.
 */
export type ErrorCode =
  | ProblemCode
  /** No answer came. The hub may or may not have done what you asked. */
  | 'no-answer'
  /** The call took too long. The hub may or may not have done what you asked. */
  | 'timed-out'
  /** The answer is not the hub's: it came from a proxy, or the `baseUrl` is wrong. */
  | 'answer-unreadable'
  | (string & {})

/** The operations of a point of sale. Each throws a `HubError`, or the reason of your signal. */
export type Hub = {
  /** Lists the payment methods that you can use now, with their names in a language (BCP 47). */
  paymentMethods(options?: CallOptions & { language?: string }): Promise<PaymentMethods>
  /** Lists the card terminals that you may use, by name. */
  listTerminals(options?: CallOptions): Promise<Terminal[]>
  /** Creates a payment job for an order. A call that is sent several times creates one job. */
  createPaymentJob(order: Order, options?: WriteOptions): Promise<CreatedPaymentJob>
  /** Reads the job as it stands, with its trace. */
  getPaymentJob(job: JobReference, options?: CallOptions): Promise<PaymentJob>
  /** Finds jobs in the index, which lags by seconds; the newest first. */
  listPaymentJobs(query?: JobQuery, options?: CallOptions): Promise<PaymentJobList>
  /** Captures reserved money: all that is left if you name no amount. */
  capture(job: JobReference, capture?: NewCapture, options?: WriteOptions): Promise<Capture>
  /** Lists the captures of a job, the oldest first. */
  captures(job: JobReference, options?: CallOptions): Promise<Capture[]>
  /** Releases reserved money that is not captured. */
  release(job: JobReference, options?: CallOptions): Promise<PaymentJob>
  /** Gives money back: all that is left if you name no amount. */
  refund(job: JobReference, refund?: NewRefund, options?: RefundOptions): Promise<Refund>
  /** Lists the refunds of a job, the oldest first. */
  refunds(job: JobReference, options?: CallOptions): Promise<Refund[]>
  /**
   * Stops a payment that is still open. Throws a `HubError` `cancel-too-late` for any other. At a terminal
   * the payment may still be made: keep waiting for a job that is still `PENDING`.
   */
  cancel(job: JobReference, options?: CallOptions): Promise<PaymentJob>
  /** Lists the reports of a job with their tries and your receiver's answers. */
  reports(job: JobReference, options?: CallOptions): Promise<JobReport[]>
  /** Sends the newest report of a job again, at once, even if the hub gave it up. */
  resendReport(job: JobReference, options?: CallOptions): Promise<JobReport[]>
  /** Lists the jobs whose report your receiver does not take, a page at a time, oldest first. */
  failingReports(options?: CallOptions & { after?: string }): Promise<OwnFailingReports>
  /**
   * Lets time pass for a job in test mode. The client never repeats this call, because each one lets time
   * pass.
   */
  advance(job: JobReference, time: Advance, options?: CallOptions): Promise<PaymentJob>
  /** Waits for a job. Check its `status` then: after the timeout it may still be `PENDING`. */
  waitFor(job: JobReference, options?: WaitOptions): Promise<PaymentJob>
  /** Yields the job as it stands, and again after each change, until you or the signal end it. */
  watch(job: JobReference, options?: { signal?: AbortSignal }): AsyncGenerator<PaymentJob, void>
}
