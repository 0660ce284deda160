import * as v from 'valibot'
import { atAccount, ListedJob, SEARCH } from './job-search.ts'
import { type Operations, LOOK } from './operation.ts'
import { openRange } from './queries.ts'

const format = v.pipe(
  v.picklist(['csv', 'ndjson'], 'must be csv or ndjson'),
  v.description('What kind of file.'),
)
const separator = v.optional(
  v.pipe(
    v.picklist(['comma', 'semicolon'], 'must be comma or semicolon'),
    v.description(
      'What stands between the cells of a CSV file. With `semicolon` amounts have a decimal comma, and the file begins with a byte ' +
        'order mark, as spreadsheets of countries with a decimal comma want it.',
    ),
  ),
  'comma',
)

/** The header of an export with the mode of all its lines; it is missing where they may be of both. */
export const EXPORT_MODE = 'export-mode'

/** The parameters of a search for movements of money. */
const MOVEMENTS = {
  pos: SEARCH.pos,
  account: atAccount,
  currency: SEARCH.currency,
  mode: SEARCH.mode,
  ...openRange,
}

/**
 * A movement of money; `at` is when the hub learned it. `reversal`: a refund or a chargeback came
 * back. `amount` is negative for money that left the merchant. CSV files keep this order.
 */
export const MoneyMoved = v.object({
  at: v.string(),
  is: v.picklist(['payment', 'refund', 'chargeback', 'reversal']),
  ...v.pick(ListedJob, ['orderNumber', 'orderId', 'currency', 'amount', 'posName', 'account']).entries,
  reference: v.string(),
  ...v.pick(ListedJob, ['paymentMethod', 'mode']).entries,
  paymentJob: v.string(),
  pos: v.string(),
})
export type MoneyMoved = v.InferOutput<typeof MoneyMoved>

export const JOB_EXPORT_OPERATIONS = {
  exportJobs: {
    ...LOOK,
    path: '/operator/v1/jobs/export',
    audit: { action: 'export.jobs', keeps: ['format', 'separator', ...Object.keys(SEARCH)] },
    summary: 'Take all payment jobs of a search as a file',
    description:
      'The file is streamed. A fault on the way breaks the connection off: a file that ends as it should is whole. In CSV (RFC 4180) ' +
      'a text that a spreadsheet would take for a formula, which begins with = + - @, a tab or a carriage return, has an apostrophe ' +
      'before it. Without a `mode` they are of live points of sale where there are any, unless the search names a shop, an account or ' +
      'an order; the header `Export-Mode` says which mode they are of. The order of the jobs is not promised.',
    query: v.object({
      format,
      separator,
      ...SEARCH,
    }),
    repeatable: ['status'],
    answer: {
      status: 200,
      description: 'All that the search finds.',
      files: {
        'text/csv': 'A line of names, and a line for each job.',
        'application/x-ndjson': 'A JSON object (`ListedJob`) on a line for each job.',
      },
    },
  },
  exportMovements: {
    ...LOOK,
    path: '/operator/v1/movements/export',
    audit: { action: 'export.movements', keeps: ['format', 'separator', ...Object.keys(MOVEMENTS)] },
    summary: 'Take every movement of money of a time as a file',
    description:
      'A line for each payment, capture, refund and chargeback, and for each of the latter two that came back (`reversal`), when the hub ' +
      'learnt it. A capture is a `payment`, on its own date; if it fails while its order still waits, another `payment` below zero ' +
      'takes it off again. Reserved money has not moved, and is in no line: the export of jobs has it. ' +
      '`amount` is what the merchant has more, so the sum of all is what is left. Without a `mode` they are of live points of ' +
      'sale where there are any, unless a shop or an account is named; the header `Export-Mode` says which. The order is not promised.',
    query: v.object({ format, separator, ...MOVEMENTS }),
    answer: {
      status: 200,
      description: 'All movements of the time.',
      files: {
        'text/csv': 'A line of names, and a line for each movement.',
        'application/x-ndjson': 'A JSON object (`MoneyMoved`) on a line for each movement.',
      },
    },
  },
} as const satisfies Operations
