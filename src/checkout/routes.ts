import { door } from '../http/routes.ts'
import { pay } from './pay.ts'
import { comeBack } from './return.ts'

/** What the customer's browser meets. */
export const checkout = door((router) => router.get('/pay/:id', pay).get('/return/:id', comeBack))
