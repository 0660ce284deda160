import { door } from '../http/routes.ts'
import { authenticate } from './authenticate.ts'
import { createPaymentJob } from './create-payment-job.ts'
import { issueToken } from './issue-token.ts'
import { retrievePaymentJob } from './retrieve-payment-job.ts'

/** The documented operations for POS clients. */
export const posApi = door((router) =>
  router
    .get('/v1/guardian', issueToken)
    .get('/api/v1/guardian', issueToken)
    .post('/v2/paymentjobs', authenticate, createPaymentJob)
    .get('/v2/paymentjobs/:id', authenticate, retrievePaymentJob),
)
