import { routes } from '../platform/http/routes.ts'
import { receiptEvents } from './events.ts'
import { pay } from './pay.ts'
import { receipt } from './receipt.ts'
import { comeBack } from './return.ts'

/** What the customer's browser meets. */
export const checkout = routes((table) =>
  table
    .get('/pay/:id', pay)
    .get('/return/:id', comeBack)
    .get('/receipt/:id', receipt)
    .get('/receipt/:id/events', receiptEvents),
)
