import * as v from 'valibot'
import { isCurrency, parseAmount } from './money.ts'
import { FIGURES, figuresWith, recordBy } from './money-figures.ts'
import { parseJobId } from './ids.ts'
import { type Operations, done, LOOK } from './operation.ts'
import { DAY, HOUR } from './timestamp.ts'
import { flagged, listedPosition, openRange, pageLimit, searched } from './queries.ts'
import { recordOf } from './record-of.ts'
import { ListedModes, Mode, Status } from './values.ts'

/** The columns of CSV files, which keep this order. Figures of money that are not here come after them. */
const COLUMNS = {
  id: v.string(),
  created: v.string(),
  pos: v.string(),
  /** The name of the point of sale; its id if the hub no longer has it. */
  posName: v.string(),
  /** The mode of the point of sale: whether money moves. */
  mode: Mode,
  account: v.string(),
  /** The PSP's id of the payment, once it is announced. */
  reference: v.nullable(v.string()),
  paymentMethod: v.string(),
  orderId: v.string(),
  orderNumber: v.string(),
  currency: v.string(),
  amount: v.string(),
  paid: v.string(),
  paidAt: v.nullable(v.string()),
  refunded: v.string(),
  chargedBack: v.string(),
  /** `paid` minus all that went back. */
  net: v.string(),
  status: Status,
  updated: v.string(),
  /** When its report began to fail; null if it does not. */
  owedSince: v.nullable(v.string()),
  givenUp: v.nullable(v.string()),
  unapplied: v.string(),
  /** Other jobs of the order number that were paid too, separated by spaces. */
  alsoPaidBy: v.nullable(v.string()),
  authorized: v.string(),
  released: v.string(),
  /** Until when the shop can capture the reserved money; null if there is none. */
  captureBefore: v.nullable(v.string()),
  /** The terminal at which the customer pays; null for a payment on a page. */
  terminal: v.nullable(v.string()),
}

/** A payment job as the index has it, which may lag by seconds. */
export const ListedJob = v.object(
  Object.assign(
    COLUMNS,
    recordOf(figuresWith('column'), () => v.string()),
  ),
)
export type ListedJob = v.InferOutput<typeof ListedJob>

/**
 * The answer of `GET /jobs`, newest first. `next` is the `after` of the next page, or null at the
 * end. A page of a filtered search may have few jobs, or none, and still a `next`.
 */
export const OperatorJobList = v.object({ jobs: v.array(ListedJob), next: v.nullable(v.string()) })
export type OperatorJobList = v.InferOutput<typeof OperatorJobList>

/** Reads an amount into ten-thousandths, so that one number compares with all currencies. */
function decimal(description: string) {
  return v.optional(
    v.pipe(
      v.string(),
      v.description(description),
      v.examples(['12.50']),
      v.transform((text) => parseAmount(text, 'CLF')),
      v.check(({ ok: isOne }) => isOne, 'must be a decimal number such as 12.50'),
      v.transform((read) => (read.ok ? read.value : Number.NaN)),
    ),
  )
}

function isStatus(text: string): text is Status {
  return v.is(Status, text)
}

export const ofPos = searched('Of this point of sale: its id, or its name if only one has that name.')
export const ofMethod = searched('Of this payment method.')
export const atAccount = searched('At this account.')

export const SEARCH = {
  q: searched(
    'A job id, a pay link, an order number, a part of either, an order id, a reference of a PSP, the id of a refund, an amount such as ' +
      '€ 34,62, the last four digits or the authorisation code of a card at a terminal, or the name of a shop.',
  ),
  id: v.optional(
    v.pipe(
      v.string(),
      v.metadata({ format: 'uuid' }),
      v.description('The job of this id. Not together with any other parameter.'),
      v.transform(parseJobId),
      v.check((id) => id !== null, 'must be the id of a payment job'),
    ),
  ),
  order_number: searched('Jobs of this order number.'),
  order_id: searched('Jobs of this order id.'),
  reference: searched("The job of this payment, by the PSP's own id."),
  pos: ofPos,
  status: v.optional(
    v.pipe(
      v.string(),
      v.metadata({ minLength: 1 }),
      v.description('With one of these statuses, separated by commas.'),
      v.examples(['FAILURE,EXPIRED']),
      v.transform((text) => text.split(',')),
      v.check((all) => all.every(isStatus), `must be of ${Status.options.join(', ')}, separated by commas`),
      v.transform((all) => all.filter(isStatus)),
    ),
  ),
  method: ofMethod,
  account: atAccount,
  currency: v.optional(
    v.pipe(
      v.string(),
      v.description('In this currency.'),
      v.examples(['EUR']),
      v.toUpperCase(),
      v.check(isCurrency, 'must be a currency such as EUR'),
    ),
  ),
  amount: decimal('Of exactly this amount.'),
  amount_from: decimal('Of this amount or more.'),
  amount_to: decimal('Of this amount or less.'),
  mode: v.optional(v.pipe(ListedModes, v.description('Of points of sale in this mode; `all` for both.'))),
  failing: flagged('Whose shop does not accept the report.'),
  ...recordBy('column', figuresWith('search'), (name) => flagged(FIGURES[name].search)),
  ends_within: v.optional(
    v.pipe(
      v.string(),
      v.description('With reserved money whose capture ends within this time, in hours or days.'),
      v.examples(['24h', '7d']),
      v.regex(/^[1-9]\d{0,2}[hd]$/, 'must be hours or days such as 24h or 7d'),
      v.transform((text) => Number.parseInt(text, 10) * (text.endsWith('d') ? DAY : HOUR)),
    ),
  ),
  ...openRange,
}
/** Says what a text can find, and how to find the rest. */
export const FINDABLE =
  'A search finds an order number or a payment job, or three letters of it, an order id, a pay link, a PSP reference, the id ' +
  'of a refund, an amount such as € 34,62, or a shop; of a payment at a terminal, also the last four digits of the card ' +
  'and the authorisation code. For anything else, filter by amount and time, and look at the payment.'

/** The parameters of a search that can only match one mode. */
export const OF_ONE_MODE = ['pos', 'account', 'q', 'id', 'order_number', 'order_id', 'reference'] as const

const JobSearch = v.object(SEARCH)
export type JobSearch = v.InferOutput<typeof JobSearch>

export const JOB_SEARCH_OPERATIONS = {
  searchJobs: {
    ...LOOK,
    path: '/operator/v1/jobs',
    summary: 'Search the index of payment jobs, newest first',
    description:
      'The index may lag by seconds; a search by `id` reads the job itself. A search by status, method, ' +
      'account, currency or amount looks through a limited part of the index for each page: a page may have few jobs, or none, and ' +
      'still a `next`. Without a `mode` it finds both. `amount` is in the currency of each job.',
    query: v.object({ ...SEARCH, limit: pageLimit, after: listedPosition }),
    repeatable: ['status'],
    answer: done(OperatorJobList),
  },
} as const satisfies Operations
