import { routes } from '../platform/http/routes.ts'
import { advancePaymentJob } from './advance-payment-job.ts'
import { withPos } from './authenticate.ts'
import { cancelPaymentJob } from './cancel-payment-job.ts'
import { createPaymentJob } from './create-payment-job.ts'
import { issueToken } from './issue-token.ts'
import { listPaymentJobs } from './list-payment-jobs.ts'
import { listPaymentMethods } from './payment-methods.ts'
import { listenToReports } from './listen-to-reports.ts'
import { createRefund, listRefunds } from './refunds.ts'
import { retrievePaymentJob } from './retrieve-payment-job.ts'

/** The documented operations for POS clients. */
export const posApi = routes((table) =>
  table
    .get('/v1/guardian', issueToken)
    .get('/api/v1/guardian', issueToken)
    .get('/v2/paymentmethods', withPos(listPaymentMethods))
    .get('/v2/paymentjobs', withPos(listPaymentJobs))
    .post('/v2/paymentjobs', withPos(createPaymentJob))
    .get('/v2/paymentjobs/:id', withPos(retrievePaymentJob))
    .post('/v2/paymentjobs/:id/cancel', withPos(cancelPaymentJob))
    .post('/v2/paymentjobs/:id/advance', withPos(advancePaymentJob))
    .post('/v2/paymentjobs/:id/refunds', withPos(createRefund))
    .get('/v2/paymentjobs/:id/refunds', withPos(listRefunds))
    .get('/v2/reports/listen', listenToReports),
)
