import type { Order } from '../../../src/contract/order.ts'
import type { Status } from '../../../src/contract/values.ts'
import { type PaymentAnswer, type Command, type Question, decide } from '../../../src/job/core/decide.ts'
import { type InstructionRequest, decideInstruction } from '../../../src/job/core/instruct.ts'
import { type Duty, duties } from '../../../src/job/core/duties.ts'
import { evolve } from '../../../src/job/core/evolve.ts'
import type { Entry, Fact, FactOf } from '../../../src/job/core/facts.ts'
import { fold, readEntry, versionOf } from '../../../src/job/core/journal.ts'
import type { Where } from '../../../src/job/core/payment.ts'
import { rowDigest } from '../../../src/job/core/row.ts'
import type { Birth } from '../../../src/job/core/facts.ts'
import { type State, recalled, statusOf } from '../../../src/job/core/state.ts'
import { DAY, MINUTE } from '../../../src/contract/timestamp.ts'
import type { Observation, Observed } from '../../../src/psp/answer.ts'

export const NOW = Date.UTC(2026, 0, 31, 10)
export const AMOUNT = 1250
export const ORDER: Order = {
  timestamp: '1769853600',
  currency: 'EUR',
  amount: AMOUNT,
  returnUrl: 'https://shop.nl/thanks?order=7',
  reportUrl: 'https://shop.nl/report',
  paymentMethod: 'ideal',
  orderId: '7',
  orderNumber: 'A-7',
  language: 'nl',
  ipAddress: '203.0.113.7',
}
export const RETENTION = 400 * DAY
export const TOOK = {
  is: 'took' as const,
  reference: 'tr_1',
  checkoutUrl: 'https://psp.nl/checkout/tr_1',
  expiresAt: NOW + DAY,
}
export const SILENT = { is: 'no-answer' as const, message: 'No answer in time.' }
export const NOT_ASKED = { is: 'not-asked', since: NOW - MINUTE } as const
export const TAKEN = { is: 'taken', reference: 're_1', state: 'pending' } as const
export const DONE = { ...TAKEN, state: 'done' } as const
export const WHERE = { account: 'mollie', reference: 'tr_1' }

/** A PSP's answer about a payment. By default, every end except SUCCESS is closed. */
export function seen(
  status: Status,
  paid = status === 'SUCCESS' ? AMOUNT : 0,
  more: Partial<Observation> = {},
): Observed {
  const isEnd = status !== 'PENDING' && status !== 'SUCCESS'
  return { is: 'observed', status, paid, expiresAt: null, ...(isEnd ? { closed: true } : {}), ...more }
}

/** The customer has acted, and the money will arrive within two weeks. */
export const UNDER_WAY = seen('PENDING', 0, { stage: { is: 'underway', patience: 14 * DAY } })
/** The money is reserved, for a week. */
export const AUTHORIZED = seen('PENDING', 0, { stage: { is: 'authorized', patience: 7 * DAY } })
export const NO_ANSWER = { is: 'unavailable', message: 'No answer in time.' } as const

/** The birth of a job after the hub announced its order to these accounts. By default one accepted it. */
export function birthOf(
  changes: Partial<FactOf<'created'>> = {},
  outcomes: [string, FactOf<'attempted'>['outcome']][] = [['mollie', TOOK]],
): Birth {
  const created = {
    is: 'created',
    id: '7f2c1d1e-0000-4000-8000-000000000001',
    transactionId: '7f2c1d1e-0000-4000-8000-000000000002',
    fingerprint: 'f1',
    pos: 'pos1',
    origin: 'https://hub.nl',
    link: '7f2c1d1e-0000-4000-8000-000000000001.a1b2c3',
    isLive: true,
    order: { ...ORDER, ipAddress: '' },
    personalHash: 'f2',
    ...changes,
  } as const
  return { created, attempts: attemptsOf(outcomes), personal: { ipAddress: ORDER.ipAddress, salt: '5a17' } }
}

/** Attempts at these accounts, at a time (ms). */
export function attemptsOf(
  outcomes: readonly (readonly [string, FactOf<'attempted'>['outcome']])[],
  asked = NOW,
): FactOf<'attempted'>[] {
  return outcomes.map(([account, outcome]) => ({ is: 'attempted', account, asked, ms: 100, outcome }))
}

export function sampleJob(order: Partial<Order> = {}): State {
  const job = playedJob().state
  return { ...job, order: { ...job.order, ...order } }
}

export type Job = ReturnType<typeof playedJob>

/** More entries than the longest possible life of a job. */
const MOST_ENTRIES = 1200

/** A job whose journal the test plays. Its clock moves only when the test moves it. */
export function playedJob(...outcomes: [string, FactOf<'attempted'>['outcome']][]) {
  return playedOrder({}, ...outcomes)
}

/** A job with changes to the usual order. */
export function playedOrder(order: Partial<Order>, ...outcomes: [string, FactOf<'attempted'>['outcome']][]) {
  return playedBirth(order, ...(outcomes.length > 0 ? outcomes : [['mollie', TOOK] as const]))
}

/** A job whose order the hub announced, at its birth, only to the given accounts. */
export function playedBirth(
  order: Partial<Order>,
  ...outcomes: (readonly [string, FactOf<'attempted'>['outcome']])[]
) {
  const entries: Entry[] = []
  const lastAsked = new Map<string, number>()
  const remember = (name: string, at: number) => lastAsked.set(name, Math.max(lastAsked.get(name) ?? 0, at))
  const job = {
    now: NOW,
    state: undefined as unknown as State,
    entries,
    append(facts: readonly Fact[]): readonly Fact[] {
      if (facts.length === 0) return facts
      if (entries.length === MOST_ENTRIES) throw new Error('the job never comes to rest')
      const at = Math.max(job.now * 1000, (entries.at(-1)?.at ?? 0) + 1)
      const entry = readEntry(entries.length + 1, { version: versionOf(facts), at, facts })
      if (!entry.ok) throw new Error(entry.error.detail)
      entries.push(entry.value)
      job.state = evolve(job.state ?? null, entry.value)
      return facts
    },
    tell: (command: Command): readonly Fact[] => job.append(decide(job.state, command, job.now)),
    /** The hub announces the order, and the accounts give these answers. */
    tries(...answers: Parameters<typeof attemptsOf>[0]) {
      return job.tell({ do: 'record-attempts', attempts: attemptsOf(answers, job.now) })
    },
    /** The PSP answers the hub's question about the payment. */
    hears(why: Question['why'], ...answers: PaymentAnswer[]) {
      return job.hearsOf({ why }, ...answers)
    },
    /** As `hears`, but about another payment or a question from another time. */
    hearsOf(
      about: Partial<Where & Question & { notified: FactOf<'notified'> }>,
      ...answers: PaymentAnswer[]
    ) {
      const { why = 'other', asked = job.now, notified, ...where } = about
      const question = { where: { ...WHERE, ...where }, asked, why }
      remember(`${question.where.account} ${question.where.reference}`, asked)
      return job.tell({ do: 'record-answer', question, answers, ...(notified ? { notified } : {}) })
    },
    /** A notification comes, and the hub acknowledges it. */
    notified(told: Partial<FactOf<'notified'>> = {}) {
      const notified = { is: 'notified', came: job.now, ...WHERE, ...told } as const
      return job.tell({ do: 'record-notification', notified })
    },
    /** The index has stored the newest row. */
    indexed: () => {
      const { entry } = job.state
      return job.tell({ do: 'record-row', entry: entry.number, digest: rowDigest(job.state) })
    },
    refund: (id: string, amount: number | null = null, fingerprint = id) =>
      job.wants('refund', id, { amount, fingerprint }),
    /**
     * A shop requests a capture, a release or a refund. `once`: accounts whose PSP captures a payment only
     * once.
     */
    wants(
      kind: InstructionRequest['kind'],
      id: string,
      more: Partial<InstructionRequest> = {},
      once: readonly string[] = [],
    ) {
      const wanted = { kind, id, fingerprint: id, call: id, amount: null, description: '', ...more }
      const decided = decideInstruction(job.state, wanted, once, job.now)
      if (decided.ok) job.append(decided.value)
      return decided
    },
    /** Returns the kinds of the duties, the earliest first. */
    owed: (): Duty['do'][] => job.duties().map((duty) => duty.do),
    /** Returns the duties, with the times of the last questions that the job's object remembers. */
    duties(): Duty[] {
      const payment = ({ account, reference }: Where) => lastAsked.get(`${account} ${reference}`) ?? 0
      const known = recalled(job.state, payment, ({ id }) => lastAsked.get(id) ?? 0, true)
      return duties(known, job.now, RETENTION)
    },
    /** Returns the time (ms) until the next duty of these kinds; null if there is none. */
    due(...kinds: Duty['do'][]): number | null {
      const found = job.duties().find((duty) => kinds.includes(duty.do))
      return found ? found.at - job.now : null
    },
    /** Lets time pass until a duty of these kinds is due. Throws if there is none. */
    untilDue(...kinds: Duty['do'][]): void {
      const due = job.due(...kinds)
      if (due === null) throw new Error(`none of ${kinds.join()} is owed, but ${job.owed().join()}`)
      job.now += Math.max(due, 0)
    },
    /** The trace in short: `Start PENDING 0`. */
    trace: (): string[] => job.state.steps.map(({ action, status, paid }) => `${action} ${status} ${paid}`),
    status: (): Status => statusOf(job.state),
    /**
     * A try to deliver a report, by default of the newest revision. No two tries begin at the same instant.
     */
    report(
      outcome: string,
      result: 'delivered' | 'failed' | 'unwanted' = outcome === '200' ? 'delivered' : 'failed',
      more: Partial<FactOf<'report-tried'>> = {},
    ) {
      const { revision, report } = job.state
      const began = Math.max(job.now, (report?.history.at(-1)?.began ?? 0) + 1)
      const tried = { is: 'report-tried', revision, began, ms: 10, outcome, result } as const
      return job.tell({ do: 'record-report', tried: { ...tried, ...more } })
    },
    /** The PSP answers about an instruction. */
    answered(id: string, answer: Extract<Command, { do: 'record-instruction' }>['answer']) {
      remember(id, job.now)
      return job.tell({ do: 'record-instruction', id, asked: job.now, answer })
    },
    folded: (): State | null => fold(entries),
  }
  job.append([birthOf({ order: { ...ORDER, ...order, ipAddress: '' } }).created, ...attemptsOf(outcomes)])
  return job
}

/** The PSP's answer that it holds money for three days, with the captured part as `paid`. */
export function reserved(paid = 0, more: Partial<Observation> = {}, authorized = AMOUNT): Observed {
  return { ...AUTHORIZED, paid, authorized, authorizedAt: NOW, captureBefore: NOW + 3 * DAY, ...more }
}

/** A job whose point of sale captures manually. Its money was reserved a minute ago. */
export function reservedJob() {
  const job = playedOrder({ capture: 'manual' })
  job.hears('other', { answer: reserved() })
  job.now += MINUTE
  return job
}

/** A job that was paid a minute ago. */
export function paidJob() {
  const job = playedJob()
  job.hears('other', { answer: seen('SUCCESS') })
  job.now += MINUTE
  return job
}
