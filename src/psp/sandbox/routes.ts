import { routes } from '../../platform/http/routes.ts'
import { authenticate, cancelPayment, createPayment, getPayment } from './api.ts'
import { createCapture, createRefund, getRefund, listRefunds } from './money-api.ts'

/** The API of the sandbox PSP: a simulator of Mollie's Payments API v2. */
export const sandboxApi = routes((table) =>
  table
    .guard('/sandbox/v2/*', authenticate)
    .post('/sandbox/v2/payments', createPayment)
    .get('/sandbox/v2/payments/:id', getPayment)
    .delete('/sandbox/v2/payments/:id', cancelPayment)
    .post('/sandbox/v2/payments/:id/refunds', createRefund)
    .get('/sandbox/v2/payments/:id/refunds', listRefunds)
    .get('/sandbox/v2/payments/:id/refunds/:refund', getRefund)
    .post('/sandbox/v2/payments/:id/captures', createCapture),
)
