import * as v from 'valibot'
import { Status, amount, currency, id, instant } from './values.ts'

function text(description: string, example: string) {
  return v.pipe(v.string(), v.description(description), v.examples([example]))
}

/** A payment job in a list: as the index has it, which is some seconds behind the job itself. It has no trace. */
export const ListedPaymentJob = v.pipe(
  v.object({
    paymentJob: id('The id of the job.'),
    orderId: text('Your `order_id`, as a text of digits.', '1001'),
    orderNumber: text('Your `order_number`, as a text.', 'A-1001'),
    created: instant('When the job was created.'),
    lastUpdate: instant('When it changed last, as far as the index knows.'),
    currency,
    amount: amount('What the order asked for.'),
    amountDue: amount('What is still to be paid.'),
    amountPaid: amount('What was paid.'),
    paymentMethod: text('Your `payment_method`, as you sent it.', 'ideal'),
    status: Status,
  }),
  v.title('Listed payment job'),
  v.description(
    'A payment job as the index has it. A read of the job tells how it stands now, and its trace.',
  ),
)
export type ListedPaymentJob = v.InferOutput<typeof ListedPaymentJob>

/** The answer of `GET /v2/paymentjobs`. */
export const PaymentJobList = v.pipe(
  v.object({
    paymentJobs: v.pipe(
      v.array(ListedPaymentJob),
      v.description('The newest first. A page may have fewer than its limit, or none, and still a `next`.'),
    ),
    next: v.pipe(
      v.nullable(v.string()),
      v.description('The `after` of the next page; `null` at the end.'),
      v.examples(['MTcxNDk5NjgwMDAwMDEyMy41YjBj']),
    ),
    lagSeconds: v.pipe(
      v.number(),
      v.integer(),
      v.description(
        'After so many seconds a change of a job shows here, as a rule. A new job that is still open may take a minute.',
      ),
      v.examples([5]),
    ),
  }),
  v.title('Payment jobs'),
  v.description('Payment jobs of the point of sale, as the index has them: it lags by seconds.'),
)
export type PaymentJobList = v.InferOutput<typeof PaymentJobList>
