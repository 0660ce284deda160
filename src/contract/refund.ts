import * as v from 'valibot'
import {
  described,
  amount,
  clearText,
  currency,
  id,
  instant,
  members,
  MUST_BE_TEXT,
  SENT_AMOUNT_PATTERN,
  sentAmount,
  documented,
} from './values.ts'

export const RefundStatus = v.pipe(
  v.picklist(['PENDING', 'SUCCESS', 'FAILURE']),
  v.description(
    '`PENDING`: the PSP has not reported the outcome yet. `SUCCESS`: the money went back. `FAILURE`: it did not; `error` ' +
      "says why. A `SUCCESS` may still become a `FAILURE`, if the customer's bank returns the money.",
  ),
)

export const words = clearText(140)

/** The problems of a refund by PIN. */
export const OF_PINS = ['refund-pin-missing', 'refund-pin-wrong', 'refund-pin-locked'] as const

export const OF_REFUNDS = ['refund-unpaid', 'refund-nothing-left', 'refund-limit', 'refund-too-much'] as const

/** The body of a refund. Refuses unknown members: a misspelt `amount` would give back everything. */
export const NewRefund = v.pipe(
  members({
    amount: v.exactOptional(
      sentAmount(
        'The amount to give back, written as in a create. Without it, all that is left goes back. If several payments paid the order, ' +
          'such as a gift card and a card, it gives back what is left of the payment with the most left.',
        '5.00',
      ),
    ),
    description: v.exactOptional(
      v.pipe(
        words,
        v.description(
          'A description for the customer, which some PSPs show. By default `Refund of order` and the number.',
        ),
        v.examples(['A shirt came back']),
      ),
    ),
  }),
  v.description('Money to give back.'),
)
export type NewRefund = v.InferInput<typeof NewRefund>

/**
 * The body of an operator's refund. Without `amount`, it gives back all that is left. The same `id`
 * again is the same refund.
 */
export const OperatorNewRefund = members({
  id: v.pipe(v.string(MUST_BE_TEXT), v.uuid('must be a UUID')),
  amount: v.exactOptional(
    v.pipe(v.string('must be a text such as 5.00'), v.metadata({ pattern: SENT_AMOUNT_PATTERN })),
  ),
  description: v.exactOptional(words),
})

/** The members that a refund and a capture share. */
export const INSTRUCTION = {
  paymentJob: id('The id of its payment job.'),
  created: instant('When it was requested.'),
  currency,
}

export const Refund = documented('A refund that was requested here.', {
  refund: id('The id of the refund.'),
  ...INSTRUCTION,
  amount: amount('The amount that goes back.'),
  description: described('The description for the customer.', 'A shirt came back'),
  status: RefundStatus,
  remaining: v.exactOptional(
    amount(
      'The amount still left to refund, of another payment of the order, such as a gift card next to a card: request another refund. ' +
        'Only in the answer to a refund without `amount`.',
    ),
  ),
  error: v.pipe(
    v.nullable(v.string()),
    v.description('Why it failed, or why the PSP cannot make it yet; otherwise `null`.'),
  ),
})
export type Refund = v.InferOutput<typeof Refund>

export const RefundList = documented('The refunds of a payment that were requested here.', {
  refunds: v.pipe(v.array(Refund), v.description('The oldest first.')),
})
export type RefundList = v.InferOutput<typeof RefundList>
