import type { Action } from './values.ts'

/** A figure of money of a payment: where it is, and how it is shown. It is missing while it is zero, unless it is `always` there. */
export type FigureTraits = {
  /** Its member of a payment job, in answers and reports. */
  api: string
  /** What it is, for readers of the API. */
  about: string
  /** The word after its amount, as in `5.00 refunded`. */
  word: string
  always?: true
  /** The job and the steps of its trace have it. The hub reports a change of it. */
  inTrace?: true
  /** The action of the step that a change of it adds. Only steps of such figures have it. */
  action?: Action
  /** A job at a terminal has it. A figure that is neither here nor in the trace is for operators. */
  atTerminal?: true
  /** Its column in the index of jobs. Lists and exports have it too. */
  column?: string
  /** It counts against the net amount. */
  isBack?: true
  /** How a list of payments shows it. A figure without a mood only appears with the whole payment. */
  mood?: 'bad' | 'still'
  /** Which payments a search for its column finds. */
  search?: string
}

const BACK = { inTrace: true, isBack: true } as const

/**
 * Every figure of money of a payment. To add one, add its row at the end (the order is that of the hashed lines of the
 * trace) and its sum in `job/core/sums.ts`; if it has a `column`, make the migration (`npm run generate:migration`).
 */
export const FIGURES = {
  due: { api: 'amountDue', about: 'The amount still to be paid.', word: 'due', always: true },
  paid: { api: 'amountPaid', about: 'The amount paid.', word: 'paid', always: true },
  tip: {
    api: 'amountTip',
    about: 'The tip that the customer added at a terminal; part of `amountPaid`. Missing while it is zero.',
    word: 'tip',
    atTerminal: true,
    column: 'tip',
    mood: 'still',
  },
  authorized: {
    api: 'amountAuthorized',
    about:
      'The total that the PSP has reserved for an order with `capture: "manual"`; `amountPaid` is the captured part. Missing while nothing was reserved.',
    word: 'reserved',
    inTrace: true,
    column: 'authorized',
  },
  released: {
    api: 'amountReleased',
    about: 'The reserved money that was released. Missing while it is zero.',
    word: 'released',
    inTrace: true,
    column: 'released',
    mood: 'still',
  },
  unapplied: {
    api: 'unapplied',
    about: 'The money that pays no order, until it is refunded, the rest is collected, or it is cleared.',
    word: 'pays no order',
    column: 'unapplied',
    mood: 'bad',
    search: 'With money that pays no order: refund it, collect the rest, or clear it.',
  },
  refunded: {
    ...BACK,
    api: 'amountRefunded',
    about:
      'The money that went back to the customer, or is on its way back if the PSP counts a refund from the moment of the request. ' +
      '`GET …/refunds` says which. Missing while it is zero, and in steps about something else.',
    word: 'refunded',
    action: 'Refund',
    column: 'refunded',
    mood: 'still',
    search: 'Of which money was refunded, all or in part.',
  },
  chargedBack: {
    ...BACK,
    api: 'amountChargedBack',
    about:
      "The money that the customer's bank took back. Missing while it is zero, and in steps about something else.",
    word: 'charged back',
    action: 'Chargeback',
    column: 'charged_back',
    mood: 'bad',
    search: 'Of which money was charged back.',
  },
} as const satisfies Readonly<Record<string, FigureTraits>>

type Rows = typeof FIGURES
export type Figure = keyof Rows
/** The figures whose row has a trait. */
export type FigureWith<Trait extends keyof FigureTraits> = {
  [Name in Figure]: Trait extends keyof Rows[Name] ? Name : never
}[Figure]

export function figuresWith<Trait extends keyof FigureTraits>(trait: Trait): FigureWith<Trait>[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- TypeScript keeps no names of entries
  return Object.keys(FIGURES).filter((name) => trait in FIGURES[name as Figure]) as FigureWith<Trait>[]
}

/** Returns the figures of a payment job and of each step of its trace. */
export function figuresOfSteps() {
  return [...figuresWith('always'), ...figuresWith('inTrace')]
}

export type RecordBy<By extends 'api' | 'column', Name extends Figure, Value> = {
  [One in Name as Rows[One] extends Record<By, infer Label extends string> ? Label : never]: Value
}

/** Makes a record of some figures, by their members of the API or by their columns. */
export function recordBy<By extends 'api' | 'column', Name extends FigureWith<By>, Value>(
  by: By,
  names: readonly Name[],
  make: (name: Name) => Value,
) {
  const rows: Readonly<Record<Figure, FigureTraits>> = FIGURES
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- TypeScript keeps no names of entries
  return Object.fromEntries(names.map((name) => [rows[name][by], make(name)])) as RecordBy<By, Name, Value>
}
