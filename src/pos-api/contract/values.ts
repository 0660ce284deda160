import * as v from 'valibot'

/**
 * The files of this folder are what points of sale send and get: a schema and its type for each body. The OpenAPI document, the
 * client and Node programs read them, so they import Valibot alone. The Worker takes their types and `lengths.ts` alone, which
 * keeps it small: what it reads itself is in `../order.ts` and `../refunds.ts`, and tests hold the two together.
 */

/** Marks a list of values that later releases may add to: the document names the values, and allows others. */
export const MORE_MAY_COME = { 'x-more-values-may-come': true }

/** How a payment stands. There will be no other value. */
export const Status = v.pipe(
  v.picklist(['PENDING', 'SUCCESS', 'FAILURE', 'CANCELLED', 'EXPIRED']),
  v.title('Status'),
  v.description(
    '`PENDING`: the customer has not paid yet, or the money is on its way; hand nothing over. `SUCCESS`: the whole amount is ' +
      'paid. `FAILURE`: the payment failed, or the PSP refused it. `CANCELLED`: the customer gave up, or you stopped it. ' +
      '`EXPIRED`: the time to pay was over. A job that ended without success becomes `SUCCESS` when its money comes after all.',
  ),
)
export type Status = v.InferOutput<typeof Status>

/** What caused a step. More values may come. */
export const Action = v.pipe(
  v.picklist(['Start', 'Return', 'Statuspull', 'Expire', 'Cancel', 'Refund', 'Chargeback']),
  v.title('Action'),
  v.description(
    '`Start`: the create. `Return`: the customer came back. `Statuspull`: the hub asked the PSP. `Expire`: the time to pay was ' +
      'over. `Cancel`: you or the operator stopped it. `Refund`, `Chargeback`: what went back has changed. More values may come: ' +
      'show one that you do not know as it is.',
  ),
  v.metadata(MORE_MAY_COME),
)
export type Action = v.InferOutput<typeof Action>

/** What a payment that is PENDING waits for, where that is not the customer. More values may come. */
export const Stage = v.pipe(
  v.picklist(['underway', 'authorized']),
  v.title('Stage'),
  v.description(
    'What a `PENDING` payment waits for, where that is not the customer. `underway`: the customer has paid by a method that ' +
      'takes days. `authorized`: the money is reserved. More values may come.',
  ),
  v.metadata(MORE_MAY_COME),
)
export type Stage = v.InferOutput<typeof Stage>

/** The `status` of a refund. There will be no other value. */
export const RefundStatus = v.pipe(
  v.picklist(['PENDING', 'SUCCESS', 'FAILURE']),
  v.title('Refund status'),
  v.description(
    '`PENDING`: the PSP has not said yet what became of it. `SUCCESS`: the money went back. `FAILURE`: it did not; `error` ' +
      "says why. A refund that is `SUCCESS` may still become `FAILURE`, when the customer's bank sends the money back.",
  ),
)
export type RefundStatus = v.InferOutput<typeof RefundStatus>

/** The id of a job, a refund or a transaction. */
export function id(description: string) {
  return v.pipe(v.string(), v.uuid(), v.description(description))
}

/** A time: ISO 8601 in UTC with six decimals. */
export function instant(description: string) {
  return v.pipe(
    v.string(),
    v.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/),
    v.description(`${description} ISO 8601 in UTC with six decimals.`),
    v.examples(['2026-11-21T10:00:00.000000Z']),
  )
}

/** An amount as the hub shows it, with two decimals, or more where the currency has more. */
export function amount(description: string) {
  return v.pipe(
    v.string(),
    v.regex(/^\d+\.\d{2,4}$/),
    v.description(`${description} A decimal text with two decimals, or more where the currency has more.`),
    v.examples(['12.50']),
  )
}

export const currency = v.pipe(
  v.string(),
  v.regex(/^[A-Z]{3}$/),
  v.description('The currency of every amount here: an ISO 4217 code.'),
  v.examples(['EUR']),
)
