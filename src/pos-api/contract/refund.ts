import * as v from 'valibot'
import { LONGEST } from './lengths.ts'
import { NO_CONTROLS, sentAmount } from './new-payment-job.ts'
import { RefundStatus, amount, currency, id, instant } from './values.ts'

/** The body of `POST /v2/paymentjobs/{id}/refunds`, which may be left out. */
export const NewRefund = v.pipe(
  v.object({
    amount: v.exactOptional(
      sentAmount(
        'What is to go back, written as in a create. Without it, all that is left goes back.',
        '5.00',
      ),
    ),
    description: v.exactOptional(
      v.pipe(
        v.string(),
        v.maxLength(LONGEST.description),
        v.regex(NO_CONTROLS),
        v.description(
          'What the customer reads of it, where the PSP shows that. Without it: `Refund of order` and the number.',
        ),
        v.examples(['A shirt came back']),
      ),
    ),
  }),
  v.title('New refund'),
  v.description('Money to give back. Fields that the hub does not know are ignored.'),
)
export type NewRefund = v.InferOutput<typeof NewRefund>

/** A refund that was asked for. */
export const Refund = v.pipe(
  v.object({
    refund: id('The id of the refund.'),
    paymentJob: id('The id of its payment job.'),
    created: instant('When it was asked for.'),
    currency,
    amount: amount('What goes back.'),
    description: v.pipe(
      v.string(),
      v.description('What the customer reads of it.'),
      v.examples(['A shirt came back']),
    ),
    status: RefundStatus,
    error: v.pipe(v.nullable(v.string()), v.description('Why it failed; `null` when it did not.')),
  }),
  v.title('Refund'),
  v.description('A refund that was asked for here.'),
)
export type Refund = v.InferOutput<typeof Refund>

/** The answer of `GET /v2/paymentjobs/{id}/refunds`. */
export const RefundList = v.pipe(
  v.object({ refunds: v.pipe(v.array(Refund), v.description('The oldest first.')) }),
  v.title('Refunds'),
  v.description('The refunds of a payment that were asked for here.'),
)
export type RefundList = v.InferOutput<typeof RefundList>
