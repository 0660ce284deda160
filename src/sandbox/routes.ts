import { routes } from '../http/routes.ts'
import { authenticate, cancelPayment, createPayment, getPayment } from './api.ts'
import { chooseOutcome, showCheckout } from './checkout.tsx'

/** The sandbox PSP: a simulator of Mollie's Payments API v2, and its hosted checkout page. */
export const sandbox = routes((table) =>
  table
    .guard('/sandbox/v2/*', authenticate)
    .post('/sandbox/v2/payments', createPayment)
    .get('/sandbox/v2/payments/:id', getPayment)
    .delete('/sandbox/v2/payments/:id', cancelPayment)
    .get('/sandbox/checkout/:id', showCheckout)
    .post('/sandbox/checkout/:id', chooseOutcome),
)
