import * as v from 'valibot'
import { Status, amount, currency, id, instant } from './values.ts'

/** A payment job in a list: as the index has it, which is a moment behind the job itself. It has no trace. */
export const ListedPaymentJob = v.pipe(
  v.object({
    paymentJob: id('The id of the job.'),
    orderId: v.pipe(v.string(), v.description('Your `order_id`.'), v.examples(['1001'])),
    orderNumber: v.pipe(v.string(), v.description('Your `order_number`.'), v.examples(['A-1001'])),
    created: instant('When the job was created.'),
    lastUpdate: instant('When it changed last, as far as the index knows.'),
    currency,
    amount: amount('What the order asked for.'),
    amountDue: amount('What is still to be paid.'),
    amountPaid: amount('What was paid.'),
    paymentMethod: v.pipe(v.string(), v.description('Your `payment_method`.'), v.examples(['ideal'])),
    status: Status,
  }),
  v.title('Listed payment job'),
  v.description('A payment job as the index has it: without its trace, and a moment behind the job itself.'),
)
export type ListedPaymentJob = v.InferOutput<typeof ListedPaymentJob>

/** The answer of `GET /v2/paymentjobs`, newest first. `next` is the `after` of the next page, or null at the end. */
export const PaymentJobList = v.pipe(
  v.object({
    paymentJobs: v.pipe(v.array(ListedPaymentJob), v.description('The newest first.')),
    next: v.pipe(v.nullable(v.string()), v.description('The `after` of the next page; `null` at the end.')),
    lagSeconds: v.pipe(
      v.number(),
      v.description(
        'By so many seconds the index is behind the jobs, as a rule. Read a job by its id to know for sure.',
      ),
      v.examples([5]),
    ),
  }),
  v.title('Payment jobs'),
  v.description('A page of the payment jobs of this point of sale.'),
)
export type PaymentJobList = v.InferOutput<typeof PaymentJobList>
