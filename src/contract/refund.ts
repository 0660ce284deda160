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
    '`PENDING`: the PSP has not said yet what became of it. `SUCCESS`: the money went back. `FAILURE`: it did not; `error` ' +
      "says why. A refund that is `SUCCESS` may still become `FAILURE`, when the customer's bank sends the money back.",
  ),
)
export type RefundStatus = v.InferOutput<typeof RefundStatus>

export const words = clearText(140)

/**
 * The body of a refund. Refuses members that it does not know: a misspelt `amount` would give back
 * all.
 */
export const NewRefund = v.pipe(
  members({
    amount: v.exactOptional(
      sentAmount(
        'What is to go back, written as in a create. Without it, all that is left goes back; where several payments paid the order, ' +
          'such as a gift card and a card, all of the one with most left.',
        '5.00',
      ),
    ),
    description: v.exactOptional(
      v.pipe(
        words,
        v.description(
          'What the customer reads of it, where the PSP shows that. Without it: `Refund of order` and the number.',
        ),
        v.examples(['A shirt came back']),
      ),
    ),
  }),
  v.description('Money to give back.'),
)
export type NewRefund = v.InferInput<typeof NewRefund>

/**
 * The body of an operator's refund. Without `amount`, all that is left goes back. The same `id`
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
  created: instant('When it was asked for.'),
  currency,
}

export const Refund = documented('A refund that was asked for here.', {
  refund: id('The id of the refund.'),
  ...INSTRUCTION,
  amount: amount('What goes back.'),
  description: described('What the customer reads of it.', 'A shirt came back'),
  status: RefundStatus,
  remaining: v.exactOptional(
    amount(
      'What is still left to refund, of another payment of the order, such as a gift card before a card: ask for a refund again. ' +
        'Only in the answer to a refund without `amount`.',
    ),
  ),
  error: v.pipe(
    v.nullable(v.string()),
    v.description('Why it failed, or why the PSP does not make it yet; else `null`.'),
  ),
})
export type Refund = v.InferOutput<typeof Refund>

export const RefundList = v.pipe(
  v.object({ refunds: v.pipe(v.array(Refund), v.description('The oldest first.')) }),
  v.description('The refunds of a payment that were asked for here.'),
)
export type RefundList = v.InferOutput<typeof RefundList>
