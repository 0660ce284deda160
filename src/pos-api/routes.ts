import { POS_OPERATIONS } from '../contract/pos-operations.ts'
import { entranceOf } from '../platform/http/operations.ts'
import { advancePaymentJob } from './advance-payment-job.ts'
import { cancelPaymentJob, retrievePaymentJob } from './retrieve-payment-job.ts'
import { createPaymentJob } from './create-payment-job.ts'
import { type AnyPosHandler, type PosHandlers, servePos } from './handler.ts'
import { issueToken } from './issue-token.ts'
import { listPaymentJobs } from './list-payment-jobs.ts'
import { listPaymentMethods } from './payment-methods.ts'
import { listenToReports } from './listen-to-reports.ts'
import { createRefund, listRefunds } from './refunds.ts'

const HANDLERS: PosHandlers = {
  createToken: issueToken,
  createTokenBelowApi: issueToken,
  listPaymentMethods,
  listPaymentJobs,
  createPaymentJob,
  getPaymentJob: retrievePaymentJob,
  cancelPaymentJob,
  advancePaymentJob,
  createRefund,
  listRefunds,
  listenToReports,
}
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `PosHandlers` has checked each handler against its own row
const BY_NAME = HANDLERS as unknown as Readonly<Record<string, AnyPosHandler>>

/** The documented operations for POS clients. */
export const posApi = entranceOf(POS_OPERATIONS, (row, name, request, context) => {
  const handler = BY_NAME[name]
  if (!handler) throw new Error(`no handler for ${name}`)
  return servePos(row, handler, request, context)
})
