/** The exports of the client: the package's `./client`, and the hub's `/client.js`. */
export { createHub } from './create-hub.ts'
export { HubError } from './hub-error.ts'
export { ReportError, verifyReport } from './verify-report.ts'
export type * from './types.ts'
export type { ReportRequest } from './verify-report.ts'
export type { Capture, NewCapture, NewRefund, Refund, RefundStatus } from '../contract/instruction.ts'
export type { NewPaymentJob, NewTerminalJob } from '../contract/order.ts'
export type {
  CreatedPaymentJob,
  ListedPaymentJob,
  PaymentJob,
  PaymentJobList,
  Step,
} from '../contract/payment-job.ts'
export type { JobReport, OwnFailingReports } from '../contract/failing-reports.ts'
export type { MethodLimit, PaymentMethods, UsableMethod } from '../contract/payment-methods.ts'
export type { ProblemCode } from '../contract/problems.ts'
export type { Card, Terminal, TerminalState } from '../contract/terminals.ts'
export type { Action, Stage, Status } from '../contract/values.ts'
