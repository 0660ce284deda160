import type { Search } from '../../src/job-index/search.ts'
import { LATER } from '../support/hub/shards.ts'

/** The span of these tests. The jobs of other files get their rows later, by the queue. */
const EVERYTHING: Search = {
  keys: [],
  filter: {},
  pos: null,
  from: 0,
  to: LATER + 86_400_000_000,
  after: null,
  limit: 100,
}

/** A search with a value for every condition. */
export type Wanted = Partial<Search> & { orderNumber?: string }
export function searchOf({ orderNumber, ...changes }: Wanted): Search {
  return {
    ...EVERYTHING,
    ...(orderNumber === undefined ? {} : { keys: [{ is: 'orderNumber', text: orderNumber }] }),
    ...changes,
  }
}

/** The columns of jobs that tests fill by SQL, in their order. */
export const COLUMNS = `(created, id, pos, account, payment_method, order_id, order_number, currency, amount, paid, status,
  updated, given_up_at, sequence, announcement)`
