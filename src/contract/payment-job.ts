import * as v from 'valibot'
import { FIGURES, type Figure, recordBy, figuresWith } from './money-figures.ts'
import { Card, TerminalState } from './terminals.ts'
import { described, Action, amount, currency, id, instant, Stage, Status, documented } from './values.ts'

/**
 * The members of a step as the API shows it, in the order in which they are hashed. This order never
 * changes.
 */
const MEMBERS = [
  'creationDate',
  'transactionId',
  'action',
  'status',
  'stage',
  'amountDue',
  'amountPaid',
  'amountRefunded',
  'amountChargedBack',
] as const
/** Figures that came later. The line has them, each with its name, only if the step has them. */
const LATER_MEMBERS = figuresWith('inTrace')
  .map((name): string => FIGURES[name].api)
  .filter((api) => !MEMBERS.some((member) => member === api))

type ShownStep = Readonly<Record<string, string | undefined>>

/**
 * Writes a step of a job's trace as the line that is hashed. No member contains a `|`; a missing
 * one is empty.
 */
export function traceLine(step: ShownStep): string {
  const later = LATER_MEMBERS.flatMap((name) => (step[name] === undefined ? [] : [`${name}=${step[name]}`]))
  return [...MEMBERS.map((name) => step[name] ?? ''), ...later].join('|')
}

function sometimes(name: Figure) {
  return v.exactOptional(amount(FIGURES[name].about))
}

/** The figures of a job, and of each step of its trace. */
export const money = {
  amountDue: amount(FIGURES.due.about),
  amountPaid: amount(FIGURES.paid.about),
  ...recordBy('api', figuresWith('inTrace'), sometimes),
}

export const Step = documented("One line of a job's trace: what happened, and how the job stood after it.", {
  creationDate: instant('When it happened.'),
  transactionId: v.exactOptional(id('The id of the transaction. Only the step `Start` has it.')),
  action: Action,
  status: Status,
  stage: v.exactOptional(Stage),
  ...money,
})
export type Step = v.InferOutput<typeof Step>

const steps = v.pipe(
  v.array(Step),
  v.minLength(1),
  v.description('The trace, oldest first. Its first step is `Start`.'),
)

/** The job's id and the order that it is for. */
const head = {
  paymentJob: id('The id of the job.'),
  orderId: v.pipe(
    v.string(),
    v.regex(/^\d{1,32}$/),
    v.description('Your `order_id`, as a text of digits.'),
    v.examples(['1001']),
  ),
  orderNumber: described('Your `order_number`, as a text.', 'A-1001'),
  created: instant('When the job was created.'),
  lastUpdate: instant(
    'When it last changed. It grows with every change: of two reports, the one with the later time is newer.',
  ),
  language: described('Your `language`, as you sent it.', 'nl-NL'),
  currency,
}

const tail = {
  paymentMethod: described(
    'Your `payment_method`, as you sent it; `terminal` for an order with a terminal.',
    'ideal',
  ),
  status: Status,
  payUrl: v.pipe(
    v.string(),
    v.url(),
    v.description(
      'Where the customer pays: redirect there, or show it as a QR code. It never changes, and may be opened again. ' +
        'For an order at a terminal, it only shows how the payment stands.',
    ),
  ),
  attributes: documented('The addresses of the order.', {
    returnUrl: described('Your `return_url`.'),
    reportUrl: described('Your `report_url`.'),
  }),
}

const error = v.pipe(
  v.nullable(v.string()),
  v.description(
    'Why the PSP refused the payment or did not answer; `null` if nothing went wrong. A refusal begins with `refused_amount:`, ' +
      '`refused_method:`, `refused_account:` or `refused_other:`; at a terminal also with `declined:`, `terminal_busy:`, `terminal_off:`, ' +
      '`terminal_unreachable:`, `paid_in_part:` or `perhaps_charged:`. ' +
      "The PSP's own words follow, which may change. Only `status` says whether the payment failed.",
  ),
)

/** The members of a job whose order is for a terminal. */
const atTerminal = {
  terminal: v.exactOptional(
    documented(
      'The terminal of the order, and how the payment stands there. Missing for a payment on a page.',
      {
        id: described('The terminal at which the customer pays.', 'term_7MgL4wea46qkRcoTZjWEH'),
        state: TerminalState,
        knownBy: v.exactOptional(
          instant(
            'When the hub will know at the latest whether the payment succeeded. Only in the state `unknown`, and only while the job is `PENDING`.',
          ),
        ),
      },
    ),
  ),
  ...recordBy('api', figuresWith('atTerminal'), sometimes),
  card: v.exactOptional(Card),
}

export const PaymentJob = documented('A payment of an order, as it stands.', {
  ...head,
  ...money,
  captureBefore: v.exactOptional(
    instant(
      'Until when you can capture reserved money; then the hub releases the rest. Missing while nothing can be captured.',
    ),
  ),
  alsoPaidBy: v.exactOptional(
    v.pipe(
      v.array(v.pipe(v.string(), v.uuid())),
      v.description(
        'Up to three other payment jobs of this `order_number` that were paid too: the customer may have paid twice. ' +
          'Missing if there are none.',
      ),
    ),
  ),
  ...tail,
  ...atTerminal,
  payments: documented('How the payment stands, and the trace that led there.', {
    creationDate: instant('When the newest step happened.'),
    status: Status,
    ...money,
    steps,
  }),
  error,
})
export type PaymentJob = v.InferOutput<typeof PaymentJob>

export const CreatedPaymentJob = documented(
  'The job that a create made. If the PSP refused the payment, there is a job too: its `status` is `FAILURE`, and `error` says why.',
  {
    ...head,
    amountDue: money.amountDue,
    amountPaid: v.pipe(
      v.union([v.literal(0), money.amountPaid]),
      v.description(
        'The JSON number `0`, not a text, while nothing is paid. Every read, list and report has a decimal text, ' +
          'such as `"0.00"`, and so has the answer to a repeated create that finds the job paid.',
      ),
      v.examples([0]),
    ),
    ...tail,
    ...atTerminal,
    payments: documented('The trace; a new job only has its first step.', { steps }),
    error,
  },
)
export type CreatedPaymentJob = v.InferOutput<typeof CreatedPaymentJob>

export const ListedPaymentJob = documented(
  'A payment job as the index has it. Read the job to see how it stands now, and its trace.',
  {
    paymentJob: head.paymentJob,
    orderId: head.orderId,
    orderNumber: head.orderNumber,
    created: head.created,
    lastUpdate: instant('When it last changed, as far as the index knows.'),
    currency,
    amount: amount('The amount of the order.'),
    amountDue: money.amountDue,
    amountPaid: money.amountPaid,
    paymentMethod: tail.paymentMethod,
    status: Status,
  },
)
export type ListedPaymentJob = v.InferOutput<typeof ListedPaymentJob>

export const PaymentJobList = documented(
  'Payment jobs of the point of sale, as the index has them: it lags by seconds.',
  {
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
        'How many seconds a change of a job usually takes to show here. A new job that is still open may take a minute.',
      ),
      v.examples([5]),
    ),
  },
)
export type PaymentJobList = v.InferOutput<typeof PaymentJobList>

export const PaymentJobEvents = v.pipe(
  v.string(),
  v.description(
    'Server-sent events: `step` for each step of the trace, with its time in microseconds as `id`, then `paymentjob` with ' +
      'the whole job, as its point of sale reads it. The hub sends a comment every 15 s.',
  ),
)
