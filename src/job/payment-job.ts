import { DurableObject } from 'cloudflare:workers'
import { isDerivedId } from '../contract/ids.ts'
import { HOUR, MINUTE } from '../contract/timestamp.ts'
import { type Result, ok } from '../contract/result.ts'
import { readConfig } from '../platform/config.ts'
import { log } from '../platform/log.ts'
import { inRequest } from '../platform/request-context.ts'
import { moveSandboxPayment } from '../psp/sandbox/connection.ts'
import { SANDBOX_ACCOUNT } from '../registry/profile.ts'
import { announceAgain, askAbout, askForRefund, checkRefund, lookAt } from './ask-account.ts'
import { type Command, type RefundRefusal, type WantedRefund, decide, decideRefund } from './core/decide.ts'
import type { Duty } from './core/duties.ts'
import type { FactOf, Wisher } from './core/facts.ts'
import { type ReadEntry, fold } from './core/journal.ts'
import { type Personal, accountOf, rowOf } from './core/row.ts'
import {
  type Payment,
  type Refund,
  type State,
  type Where,
  findPayment,
  isPending,
  paidOf,
} from './core/state.ts'
import { dutyRoster, reportName } from './duty-roster.ts'
import { journalOf } from './journal-store.ts'
import { type Asked as Answers, type AskReason, type Claim, hourlyLimit, questions } from './questions.ts'
import { endTombstone, purgeStorage, readTombstone, restoreTombstoneAlarm } from './tombstone.ts'
import { jobWatchers } from './watchers.ts'
import { sendPurged, sendReport, sendRow } from './messages.ts'

/** A new job: its creation, what the accounts made of the order, and what of it is personal. */
export type Birth = {
  created: FactOf<'created'>
  attempts: readonly FactOf<'attempted'>[]
  personal: Personal
}

/**
 * A wish to know how a payment stands. `about` names the payment; without it the customer's own is
 * meant.
 */
export type Wish = { why: AskReason; request?: string; notified?: FactOf<'notified'> }

/**
 * How a job stands after the PSP was asked. `isAnswered` is false where it did not answer: it is
 * worth asking again.
 */
export type Asked = { job: State; isAnswered: boolean }

/**
 * What is known under an id that was derived from an Idempotency-Key: its job, or that it was
 * purged.
 */
export type KnownJob = { is: 'job'; job: State } | { is: 'purged'; fingerprint: string }

/**
 * One payment job, and the only writer of its journal. Each method takes the same way: decide,
 * append, and perform what the hub owes then. Every method may be called twice.
 */
export class PaymentJob extends DurableObject<Env> {
  readonly #watchers = jobWatchers(this.ctx, () => this.read())
  readonly #journal = journalOf(this.ctx.storage, (before, after) => this.#changed(before, after))
  readonly #outside = hourlyLimit(MOST_OUTSIDE)
  readonly #questions = questions((payment, why, claim) => this.#put(payment, why, claim), this.#outside)
  readonly #roster = dutyRoster((duty) => this.#perform(duty), {
    read: this.#journal.read,
    now: () => this.#now(),
    retention: () => readConfig(this.env).retention,
  })
  #alarm: number | null = null
  /**
   * Whether the alarm was looked after since the object started: the platform may have given it up.
   */
  #isKept = false
  /** The try at a report that is under way. */
  #tried: { revision: number; at: number } | null = null

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env)
    void ctx.blockConcurrencyWhile(async () => {
      this.#alarm = await ctx.storage.getAlarm()
    })
  }

  /**
   * Creates the job, or gives back the one that is there, which takes in what these accounts may
   * hold.
   */
  create({ created, attempts, personal }: Birth): State {
    const known = this.read()
    if (known)
      return known.fingerprint === created.fingerprint ? this.#tell({ do: 'create-again', attempts }) : known
    const isPurged = isDerivedId(created.id) && readTombstone(this.ctx.storage) !== null
    if (isPurged) throw new Error('the job of this id was purged')
    const state = this.#journal.append([created, ...attempts], Date.now(), personal)
    this.#follow()
    return state
  }

  /** The job, or null for an id that has none. Throws when it cannot be read. */
  read(): State | null {
    const state = this.#journal.read()
    if (state && !this.#isKept) {
      this.#isKept = true
      this.#setAlarm()
    }
    return state
  }

  /** The journal as it is stored, without what is personal. */
  entries(): ReadEntry[] {
    return this.#journal.entries().map(({ personal: _personal, ...entry }) => entry)
  }

  /**
   * How the job stood at a time (ms, by its own clock), after all that happened within that
   * millisecond. Null before it was there.
   */
  readAt(time: number): State | null {
    return fold(this.#journal.entries().filter(({ at }) => at < (time + 1) * 1000))
  }

  /**
   * The job, or what is left of it, so that the same Idempotency-Key makes no second one. Null
   * where nothing was.
   */
  lookUp(): KnownJob | null {
    const job = this.read()
    if (job) return { is: 'job', job }
    const tombstone = readTombstone(this.ctx.storage)
    if (tombstone) this.ctx.waitUntil(restoreTombstoneAlarm(this.ctx.storage, Date.now()))
    return tombstone && { is: 'purged', fingerprint: tombstone.fingerprint }
  }

  /**
   * Sets the alarm again that the platform may have given up, and purges a job whose time is over.
   * False without a job.
   */
  async wake(): Promise<boolean> {
    if (!this.read()) {
      await restoreTombstoneAlarm(this.ctx.storage, Date.now())
      return false
    }
    this.#alarm = await this.ctx.storage.getAlarm()
    await this.#performAndRest()
    return true
  }

  /** Has the order announced now, because its customer has come. */
  async announce(request: string): Promise<State | null> {
    const mayBegin = () => !this.#isSoonAfterRound() && !this.#outside.isReached()
    await inRequest(() => this.#roster.performNow('announce', mayBegin), { id: request })
    return this.read()
  }

  /**
   * Asks the PSP how the payment stands, and records what it says. Calls at the same time share one
   * question.
   */
  ask({ why, request, notified }: Wish): Promise<Asked | null> {
    return inRequest(() => this.#ask(why, notified), { id: request })
  }

  /**
   * Stops a payment that is open, and cancels the job. One that no account has taken is cancelled
   * at once.
   */
  async cancel(by: Wisher, request: string): Promise<Asked | null> {
    const state = this.read()
    if (!state) return null
    if (!isPending(state) || state.standing.is === 'underway' || state.standing.is === 'authorized')
      return { job: state, isAnswered: true }
    const job = this.#tell({ do: 'cancel', by })
    return job.payments.length === 0 ? { job, isAnswered: true } : this.ask({ why: 'cancel', request })
  }

  /** Decides about a refund, remembers it, and asks the PSP. Null for an unknown id. */
  async refund(wanted: WantedRefund, request: string): Promise<Result<State, RefundRefusal> | null> {
    const state = this.read()
    if (!state) return null
    const decided = decideRefund(state, wanted)
    if (!decided.ok) return decided
    if (decided.value.length === 0) return ok(state)
    this.#journal.append(decided.value, this.#now())
    this.#follow()
    const refund = this.#refund(wanted.id)
    if (refund) await inRequest(() => this.#askForRefund(refund), { id: request })
    return ok(this.read() ?? state)
  }

  /**
   * The job to report now; null when this revision is no longer wanted. Or when another try is under
   * way: the shop must not be told the older truth after the newer.
   */
  toReport(revision: number): State | null {
    const state = this.read()
    if (state?.report?.state !== 'due' || state.report.revision !== revision) return null
    if (this.#tried && Date.now() < this.#tried.at + LONGEST_TRY) return null
    this.#tried = { revision, at: Date.now() }
    return state
  }

  /**
   * Takes in what happened: decides, appends, and performs what is due then. Null for an unknown
   * id.
   */
  tell(command: Command): State | null {
    return this.read() && this.#tell(command)
  }

  /**
   * Takes a Worker's WebSocket that watches the job. All else is called by RPC, but a WebSocket
   * that outlives the object's memory comes by `fetch` alone.
   */
  override fetch(request: Request): Response {
    return this.#watchers.accept(request)
  }

  /**
   * A watcher says nothing but that it goes: then the platform answers its close, and counts it no
   * more.
   */
  override webSocketMessage(): void {}
  override webSocketClose(): void {}
  override webSocketError(): void {}

  /** Runs when a duty is due. It must not throw: the platform gives up after a few failures. */
  override alarm(): Promise<void> {
    return inRequest(async () => {
      this.#alarm = null
      this.#isKept = true
      try {
        if (this.read()) await this.#performAndRest()
        else await endTombstone(this.ctx.storage, Date.now())
      } catch (error) {
        log.fault('alarm.failed', error, { job: this.ctx.id.name })
        await this.ctx.storage.setAlarm(Date.now() + UNREADABLE_PAUSE)
      }
    })
  }

  #now(): number {
    return Date.now() + (this.#journal.read()?.clock.offset ?? 0)
  }

  #tell(command: Command): State {
    const state = this.#journal.read()
    if (!state) throw new Error('there is no job')
    if (command.do === 'record-report') this.#reportTried(command.tried.revision)
    const facts = decide(state, command, this.#now())
    if (facts.length === 0) return state
    const after = this.#journal.append(facts, this.#now())
    this.#follow()
    return after
  }

  /** A try has ended: the next one, of this revision or of a newer, is in the hub's hands again. */
  #reportTried(revision: number): void {
    if (this.#tried?.revision === revision) this.#tried = null
    const newest = this.read()?.report?.revision ?? revision
    for (const each of new Set([revision, newest])) this.#roster.release(reportName(each))
  }

  /** Performs what is due, although whoever caused it may have gone. */
  #follow(): void {
    this.#setAlarm()
    this.ctx.waitUntil(this.#performAndRest())
  }

  async #performAndRest(): Promise<void> {
    await this.#roster.performDue()
    this.#setAlarm()
  }

  /** An alarm that is good enough is left: setting it costs as much as an entry. */
  #setAlarm(): void {
    const next = this.#roster.nextAlarm()
    if (next === null) return
    const isRight =
      this.#alarm !== null &&
      this.#alarm <= next.latest &&
      this.#alarm > Math.min(next.at - EARLY, Date.now())
    if (isRight) return
    this.#alarm = next.at
    void this.ctx.storage.setAlarm(next.at)
  }

  #isSoonAfterRound(): boolean {
    const { rounds, attempts } = this.read() ?? { rounds: { count: 0 }, attempts: [] }
    const last = attempts.at(-1)
    // The first round is of the create itself: who follows its link at once may be luckier.
    return last !== undefined && rounds.count > 1 && this.#now() < last.at + last.ms + ROUNDS_APART
  }

  #changed(before: State | null, after: State): void {
    this.#watchers.tell(before, after)
    logMoney(before, after)
  }

  async #ask(why: AskReason, notified?: FactOf<'notified'>): Promise<Asked | null> {
    const state = this.read()
    if (!state) return null
    if (notified) logOtherCurrency(state, notified)
    const payment = notified ? paymentOf(state, notified) : state.payments[0]
    if (!payment || !isWorthAsking(state, why)) {
      if (notified) await this.#roster.performNow(`look ${notified.account}`)
      if (why === 'back' || why === 'gave-up') this.#tell({ do: 'record-return' })
      return { job: this.read() ?? state, isAnswered: true }
    }
    const turn = await this.#questions.ask(payment, why, notified?.claims)
    if (turn.is === 'later') {
      if (notified) this.#oweAnswer(payment, notified, turn.from)
      return { job: this.read() ?? state, isAnswered: notified !== undefined }
    }
    const job = this.#record(payment, why, turn, notified)
    return { job, isAnswered: turn.answers.some(({ answer }) => answer.is === 'observed') }
  }

  /** The PSP is owed a question about a notification, not before `from` (ms, real). */
  #oweAnswer({ reference }: Payment, notified: FactOf<'notified'>, from: number): void {
    this.#roster.hold(`ask ${reference}`, from + this.#now() - Date.now())
    this.#tell({ do: 'record-notification', notified })
  }

  #record(where: Where, why: AskReason, { asked, answers }: Answers, notified?: FactOf<'notified'>): State {
    const { account, reference } = where
    const question = { where: { account, reference }, asked, why: KINDS[why] }
    return this.#tell({ do: 'record-answer', question, answers, ...(notified ? { notified } : {}) })
  }

  /**
   * Puts a question to the PSP. A fault of the hub is logged, and brings no answer: then the duty
   * to ask stays.
   */
  async #put(payment: Payment, why: AskReason, claim?: Claim): Promise<Answers> {
    const asked = this.#now()
    try {
      const state = this.read()
      if (!state) throw new Error('there is no job')
      return await askAbout(this.env, state, payment, { why, asked, claim })
    } catch (error) {
      log.fault('job.duty-failed', error, { job: this.ctx.id.name, duty: 'ask' })
      return { asked, answers: [] }
    }
  }

  #refund(id: string): Refund | undefined {
    return this.read()?.refunds.find((refund) => refund.id === id)
  }

  /** Asks for a refund. Where the PSP does not answer, the duty to check it goes on. */
  async #askForRefund(refund: Refund): Promise<void> {
    const state = this.read()
    if (!state) return
    const asked = this.#now()
    const answer = await askForRefund(this.env, state, refund)
    this.#tell({ do: 'record-refund', id: refund.id, asked, answer })
  }

  /**
   * Does one duty. Throws for a fault of the hub: then the duty stays owed. Returns until when (ms)
   * it is out of the hub's hands.
   */
  async #perform(duty: Duty): Promise<number | void> {
    const state = this.read()
    if (!state) return
    switch (duty.do) {
      case 'announce': {
        this.#tell({ do: 'record-attempts', attempts: await announceAgain(this.env, state) })
        return
      }
      case 'ask':
      case 'stop':
        if (duty.payment === null) this.#tell({ do: 'expire' })
        else await this.#askByDuty(duty.payment)
        return
      case 'check-refund': {
        const asked = this.#now()
        const answer = await checkRefund(this.env, state, duty.refund, asked)
        this.#tell({ do: 'record-refund', id: duty.refund.id, asked, answer })
        return
      }
      case 'look':
        this.#tell({ do: 'record-attempts', attempts: [await lookAt(this.env, state, duty.account)] })
        return
      case 'report':
        await sendReport(this.env, state, duty.revision)
        return this.#now() + REPORT_LEASE
      case 'row':
        await sendRow(this.env, state)
        this.#tell({ do: 'record-row', entry: duty.entry })
        return
      case 'move-clock':
        return this.#moveClock(state)
      case 'purge':
        return this.#purge(state)
    }
  }

  async #askByDuty(payment: Payment): Promise<void> {
    const turn = await this.#questions.ask(payment, 'duty')
    if (turn.is !== 'later' && turn.answers.length > 0) this.#record(payment, 'duty', turn)
  }

  /** Moves a test job's clock to the next duty, or the next change of its sandbox payment. */
  async #moveClock(state: State): Promise<void> {
    const { clock, payments } = state
    const [own] = payments
    const isInSandbox = own?.account === SANDBOX_ACCOUNT.id
    const change = isInSandbox
      ? await moveSandboxPayment(this.env, own.reference, { offset: clock.offset, moved: clock.moved })
      : Infinity
    const next = Math.min(change, ...this.#roster.times('move-clock', 'purge'))
    this.#tell({ do: 'move-clock', next })
    this.#questions.forget()
  }

  /** Deletes the job once the index queue has taken the word, unless it has changed meanwhile. */
  async #purge(state: State): Promise<void> {
    if (this.#questions.isUnderWay()) return
    await sendPurged(this.env, rowOf(state))
    if (this.read()?.entry.number !== state.entry.number || this.#questions.isUnderWay()) return
    this.#journal.drop()
    this.#watchers.end()
    this.#alarm = null
    await purgeStorage(this.ctx.storage, { id: state.id, fingerprint: state.fingerprint }, Date.now())
    log.info('job.purged', { job: state.id, pos: state.pos })
  }
}

/** How long (ms) an alarm waits after a journal could not be read. */
const UNREADABLE_PAUSE = HOUR
/** An alarm that comes sooner than needed by less than this (ms) is left as it is. */
const EARLY = HOUR
/** How long (ms) a report may be with the queue and the receiver before it counts as lost. */
const REPORT_LEASE = MINUTE / 2
/** How long (ms) a try at a report may take: the receiver has 15 s. */
const LONGEST_TRY = MINUTE / 3

/**
 * Questions and announcements in an hour that others than the hub's own duties may cause about one
 * job.
 */
const MOST_OUTSIDE = 120
/**
 * How long (ms) after the accounts of a route were asked in vain a customer's visit does not ask
 * them again.
 */
const ROUNDS_APART = 2000

/** What the answer to a question is recorded as. */
const KINDS = {
  back: 'back',
  'gave-up': 'back',
  wait: 'other',
  notified: 'other',
  claim: 'other',
  cancel: 'other',
  refund: 'other',
  look: 'other',
  duty: 'duty',
} as const satisfies Record<AskReason, 'back' | 'other' | 'duty'>

/**
 * The payment that a notification is about. One without a reference is about the payment at that
 * account.
 */
function paymentOf({ payments }: State, { account, reference }: FactOf<'notified'>): Payment | undefined {
  return payments.find(
    (payment) => payment.account === account && (reference === null || payment.reference === reference),
  )
}

/** A customer who comes back to what is paid tells nothing new. */
function isWorthAsking({ standing }: State, why: AskReason): boolean {
  switch (why) {
    case 'wait':
    case 'back':
    case 'gave-up':
      return standing.is !== 'paid'
    case 'cancel':
      return standing.is !== 'paid' && standing.is !== 'ended'
    case 'notified':
    case 'claim':
    case 'refund':
    case 'look':
    case 'duty':
      return true
  }
}

/** Money in another currency than the order's is not counted. */
function logOtherCurrency({ id, pos, order }: State, { account, moves = [] }: FactOf<'notified'>): void {
  if (moves.some(({ currency = order.currency }) => currency !== order.currency))
    log.warn('payment.other-currency', { job: id, pos, account })
}

function logMoney(before: State | null, after: State): void {
  const about = { job: after.id, pos: after.pos, account: accountOf(after) }
  const paid = paidOf(after)
  if (paid > after.order.amount && paid > (before ? paidOf(before) : 0)) log.warn('payment.overpaid', about)
  if (after.late && !before?.late) log.warn('payment.late', about)
  for (const payment of after.payments.slice(1)) {
    const known = before ? findPayment(before, payment) : undefined
    if (payment.paid > (known?.paid ?? 0))
      log.warn('payment.at-other-account', { ...about, account: payment.account })
  }
}
