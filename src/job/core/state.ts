import * as v from 'valibot'
import type { JobClock } from '../../contract/advance.ts'
import type { FigureWith } from '../../contract/money-figures.ts'
import type { Action, Stage, Status } from '../../contract/values.ts'
import type { FactOf, Outcome, Wisher } from './facts.ts'
import type { Instruction, Payment, Where } from './payment.ts'

/**
 * The shape of a `State`, which objects hand to Workers. Raise it when you add a member that Workers
 * read: while a release is deployed, a Worker of another release then folds the journal itself.
 */
export const SHAPE = 6

/**
 * A job's state: the fold of its journal (`evolve`). It is never stored. Times that end in
 * `At` and `until` are in milliseconds, times of the trace in microseconds, all by the job's clock.
 * Amounts are minor units.
 */
export type State = Omit<FactOf<'created'>, 'is'> & {
  shape: typeof SHAPE
  /** µs. */
  created: number
  /** µs: when something last changed that the shop can see. */
  updated: number
  standing: Standing
  /** All attempts, oldest first, including those in which the hub did not ask the account. */
  attempts: Attempt[]
  /** How many rounds of attempts there were, and the entry of the last. */
  rounds: { count: number; entry: number }
  /** The payments at accounts: first the customer's own, then those that lost answers left behind. */
  payments: Payment[]
  /** Every movement of money, oldest first. */
  movements: Movement[]
  steps: TraceStep[]
  /** Counts the changes of status and amounts; the hub reports each. */
  revision: number
  report: Report | null
  /** The captures, releases and refunds that somebody asked for, oldest first. */
  instructions: Instruction[]
  error: string | null
  /** Set when money came after the job had ended. */
  late: boolean
  cancel: { by: Wisher; at: number } | null
  /** Other jobs of the same order number that were paid, and what they still have. */
  alsoPaid: AlsoPaid[]
  /** Money that paid no order and that an operator has cleared. */
  cleared: number
  /** The newest entry whose row the index has, and the digest of that row; 0 and '' for none. */
  index: { written: number; digest: string }
  clock: Clock
  /** The newest entry: its number and its time (µs). */
  entry: { number: number; at: number }
}

/**
 * Where a job stands; evolve.ts says which facts move it. A shop reads the first four as PENDING.
 * `unannounced`: no account has taken the order. `open`: the customer can pay. `underway`: the
 * customer has acted, and money is coming. `authorized`: the PSP holds the money for a capture.
 */
export type Standing =
  | { is: 'unannounced'; until: number }
  | { is: 'open'; until: number }
  | { is: 'underway' | 'authorized'; since: number; until: number }
  | { is: 'paid'; at: number }
  | { is: 'ended'; as: 'FAILURE' | 'CANCELLED' | 'EXPIRED'; at: number }

export type AlsoPaid = { job: string; paid: number }

type Attempt = { account: string; at: number; ms: number; outcome: Outcome }

/** One line of the trace, with the totals as they were then. `stage`: how far the customer or the money was. */
export type TraceStep = {
  at: number
  action: Action
  status: Status
  stage?: Stage
  paid: number
  due: number
} & Partial<Record<FigureWith<'inTrace'>, number>>

/** The report of the newest revision. `tries`: how many since its schedule last started. */
export type Report = {
  revision: number
  state: 'due' | 'delivered' | 'given-up'
  since: number
  tries: number
  notBefore: number
  /** All tries of all revisions, oldest first. */
  history: ReportTry[]
}
export type ReportTry = Omit<FactOf<'report-tried'>, 'is' | 'notBefore'>

/** `reversal`: money of a refund or a chargeback came back to the merchant. */
const MovementKind = v.picklist(['payment', 'refund', 'chargeback', 'reversal'])

/**
 * Money that moved at an account. `at`: when the hub learnt of it (ms, real time). `amount`: how
 * much more the merchant has (minor units), below zero for money that went away.
 */
export const Movement = v.object({
  at: v.number(),
  is: MovementKind,
  account: v.string(),
  reference: v.string(),
  amount: v.number(),
})
export type Movement = v.InferOutput<typeof Movement>

/** `wanted`: how far (ms) ahead the shop wants the clock. `wishes`: how often it asked. */
export type Clock = JobClock & { wanted: number; wishes: number }

/**
 * Adds what only the object's memory knows: when the hub last asked, even if the answer brought
 * nothing new, and whether the index has the row that the journal says.
 */
export function recalled(
  state: State,
  lastAsked: (payment: Payment) => number,
  lastChecked: (instruction: Instruction) => number,
  isSure: boolean,
): State {
  const payments = state.payments.map((payment) => {
    const lastAt = Math.max(payment.asks.lastAt, lastAsked(payment))
    return { ...payment, asks: { ...payment.asks, lastAt } }
  })
  const instructions = state.instructions.map((one) => ({
    ...one,
    lastCheckAt: Math.max(one.lastCheckAt, lastChecked(one)),
  }))
  const index = isSure ? state.index : { ...state.index, digest: '' }
  return { ...state, payments, instructions, index }
}

export function statusOf({ standing }: Pick<State, 'standing'>): Status {
  if (standing.is === 'ended') return standing.as
  return standing.is === 'paid' ? 'SUCCESS' : 'PENDING'
}

/** Returns the other jobs of the same order number that have money of their customer. */
export function alsoPaidBy({ alsoPaid }: Pick<State, 'alsoPaid'>): string[] {
  return alsoPaid.filter(({ paid }) => paid > 0).map(({ job }) => job)
}

/** Returns when (ms) the hub last asked how a payment stands; 0 for never. */
export function askedAt({ payments }: Pick<State, 'payments'>): number {
  return Math.max(...payments.map(({ asks }) => asks.lastAt), 0)
}

export function findPayment({ payments }: State, { account, reference }: Where): Payment | undefined {
  return payments.find((one) => one.account === account && one.reference === reference)
}

/** Returns the payment of a notification, which may name the account without a reference. */
export function notifiedPayment(
  { payments }: State,
  { account, reference }: Pick<FactOf<'notified'>, 'account' | 'reference'>,
): Payment | undefined {
  return payments.find(
    (payment) => payment.account === account && (reference === null || payment.reference === reference),
  )
}

export function changePayment(state: State, where: Where, change: (payment: Payment) => Payment): State {
  const found = findPayment(state, where)
  return found
    ? { ...state, payments: state.payments.map((one) => (one === found ? change(one) : one)) }
    : state
}

export function isPending({ standing }: State): boolean {
  return standing.is !== 'paid' && standing.is !== 'ended'
}

/** Returns how far the money is, or a customer at a terminal; undefined before either. */
export function stageOf({ standing, payments }: State): TraceStep['stage'] {
  if (standing.is === 'underway' || standing.is === 'authorized') return standing.is
  return standing.is === 'open' ? (payments[0]?.progress ?? undefined) : undefined
}

/** Returns until when (ms) the job waits for the customer or the money; Infinity once it has ended. */
export function untilOf({ standing }: State): number {
  return 'until' in standing ? standing.until : Infinity
}

export function ended(state: State, as: 'FAILURE' | 'CANCELLED' | 'EXPIRED', at: number): State {
  return { ...state, standing: { is: 'ended', as, at } }
}

/** Totals of money reserved for a point of sale that captures manually. `released` was let go. */
export type Reservation = { authorized: number; released: number }
