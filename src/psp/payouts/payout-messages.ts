import * as v from 'valibot'
import { storedShape } from '../../platform/stored.ts'

/**
 * Queue `books`: books the next part of an account's payouts. `after`: where its API's next page
 * begins, null for the first. `report`: the name of a file that the PSP has ready, `done` parts of
 * which are booked.
 */
const PayoutMessage = v.union([
  v.object({ account: v.string(), report: v.string(), done: v.number() }),
  v.object({ account: v.string(), after: v.nullable(v.string()) }),
])
export type PayoutMessage = v.InferOutput<typeof PayoutMessage>
export const payoutMessage = storedShape(PayoutMessage)
