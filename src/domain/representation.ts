import { type Job, type Step } from './job.ts'
import { formatAmount } from './money.ts'
import { formatMicros } from './timestamp.ts'

/** Where the customer is sent to pay. */
export const payUrl = (job: Job): string => `${job.origin}/pay/${job.id}`

/** The payment job as the retrieve operation and the reports show it. */
export const represent = (job: Job) => ({
  ...head(job),
  amountPaid: formatAmount(job.paid, job.order.currency),
  ...tail(job),
  payments: {
    creationDate: formatMicros(job.steps.at(-1)?.at ?? job.created),
    status: job.status,
    ...amounts(job, job.paid),
    steps: steps(job),
  },
  error: job.error,
})

/** The payment job as the create operation shows it: `amountPaid` is the number 0, and `payments` holds steps alone. */
export const representCreated = (job: Job) => ({
  ...head(job),
  amountPaid: job.paid === 0 ? 0 : formatAmount(job.paid, job.order.currency),
  ...tail(job),
  payments: { steps: steps(job) },
  error: job.error,
})

const head = ({ id, order, created, updated, paid }: Job) => ({
  paymentJob: id,
  orderId: order.orderId,
  orderNumber: order.orderNumber,
  created: formatMicros(created),
  lastUpdate: formatMicros(updated),
  language: order.language,
  currency: order.currency,
  amountDue: formatAmount(dueOf(order, paid), order.currency),
})

const tail = (job: Job) => ({
  paymentMethod: job.order.paymentMethod,
  status: job.status,
  payUrl: payUrl(job),
  attributes: { returnUrl: job.order.returnUrl, reportUrl: job.order.reportUrl },
})

const steps = (job: Job) => job.steps.map((step) => representStep(job, step))

const representStep = (job: Job, step: Step) => ({
  creationDate: formatMicros(step.at),
  ...(step.action === 'Start' ? { transactionId: job.transactionId } : {}),
  action: step.action,
  status: step.status,
  ...amounts(job, step.paid),
})

const amounts = ({ order }: Job, paid: number) => ({
  amountDue: formatAmount(dueOf(order, paid), order.currency),
  amountPaid: formatAmount(paid, order.currency),
})

/** Minor units that are still due; nothing when more was paid than was due. */
const dueOf = ({ amount }: Job['order'], paid: number): number => Math.max(amount - paid, 0)
