import * as v from 'valibot'
import { atAccount, ListedJob, SEARCH } from './job-search.ts'
import { type Operations, LOOK } from './operation.ts'
import { openRange } from './queries.ts'

const format = v.pipe(
  v.picklist(['csv', 'ndjson'], 'must be csv or ndjson'),
  v.description('The format of the file.'),
)
const separator = v.optional(
  v.pipe(
    v.picklist(['comma', 'semicolon'], 'must be comma or semicolon'),
    v.description(
      'The separator of a CSV file. With `semicolon`, amounts have a decimal comma, and the file begins with a byte ' +
        'order mark, as spreadsheets in countries with a decimal comma expect.',
    ),
  ),
  'comma',
)

/** The header of an export that has the mode of all its lines; missing if they may be of both. */
export const EXPORT_MODE = 'export-mode'

const MOVEMENTS = {
  pos: SEARCH.pos,
  account: atAccount,
  currency: SEARCH.currency,
  mode: SEARCH.mode,
  ...openRange,
}

/**
 * A movement of money; `at` is when the hub learned of it. `reversal`: a refund or a chargeback came
 * back. `amount` is negative if money left the merchant. CSV files keep this order.
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
    summary: 'Export all payment jobs of a search',
    description:
      'The hub streams the file. A fault breaks off the connection, so a file that ends properly is complete. In CSV (RFC 4180), ' +
      'a text that a spreadsheet would take for a formula (it begins with = + - @, a tab or a carriage return) has an apostrophe ' +
      'in front. Without a `mode`, the jobs are of live points of sale, if there are any, unless the search names a shop, an account or ' +
      'an order; the header `Export-Mode` has their mode. The jobs are in no particular order.',
    query: v.object({ format, separator, ...SEARCH }),
    repeatable: ['status'],
    answer: {
      status: 200,
      description: 'All jobs that the search finds.',
      files: {
        'text/csv': 'A line of names, then one line for each job.',
        'application/x-ndjson': 'One line for each job, a JSON object (`ListedJob`).',
      },
    },
  },
  exportMovements: {
    ...LOOK,
    path: '/operator/v1/movements/export',
    audit: { action: 'export.movements', keeps: ['format', 'separator', ...Object.keys(MOVEMENTS)] },
    summary: 'Export all movements of money',
    description:
      'A line for each payment, capture, refund and chargeback, and for each refund or chargeback that came back (`reversal`), at the time ' +
      'when the hub learned of it. A capture is a `payment`, with its own date; if it fails while its order still waits, a negative ' +
      '`payment` takes it back. Reserved money has not moved, so it is only in the export of jobs. ' +
      '`amount` is negative for money that left the merchant, so the sum is what is left. Without a `mode`, they are of live points of ' +
      'sale, if there are any, unless you name a shop or an account; the header `Export-Mode` has the mode. The lines are in no particular order.',
    query: v.object({ format, separator, ...MOVEMENTS }),
    answer: {
      status: 200,
      description: 'All movements in the time range.',
      files: {
        'text/csv': 'A line of names, then one line for each movement.',
        'application/x-ndjson': 'One line for each movement, a JSON object (`MoneyMoved`).',
      },
    },
  },
} as const satisfies Operations
