import { DurableObject } from 'cloudflare:workers'
import { isDerivedId } from '../contract/ids.ts'
import { HOUR, MINUTE } from '../contract/timestamp.ts'
import { type Result, ok } from '../contract/result.ts'
import { readConfig } from '../platform/config.ts'
import { log } from '../platform/log.ts'
import { inRequest } from '../platform/request-context.ts'
import { type Asked, type OwnJob, asking } from './asking.ts'
import { isSoonAfterRound } from './core/attempts.ts'
import { type Command, type RefundRefusal, type WantedRefund, decide, decideRefund } from './core/decide.ts'
import type { Duty } from './core/duties.ts'
import type { FactOf, Wisher } from './core/facts.ts'
import { type ReadEntry, fold } from './core/journal.ts'
import { type Personal, accountOf, rowOf } from './core/row.ts'
import { type State, findPayment, isPending, paidOf } from './core/state.ts'
import { dutyRoster, reportName } from './duty-roster.ts'
import { journalOf } from './journal-store.ts'
import { sendPurged } from './messages.ts'
import { performer } from './perform.ts'
import { type AskReason, hourlyLimit } from './questions.ts'
import { endTombstone, purgeStorage, readTombstone, restoreTombstoneAlarm } from './tombstone.ts'
import { jobWatchers } from './watchers.ts'

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
 * What is known under an id that was derived from an Idempotency-Key: its job, or that it was
 * purged.
 */
export type KnownJob = { is: 'job'; job: State } | { is: 'purged'; fingerprint: string }

/** How long (ms) an alarm waits after a journal could not be read. */
const UNREADABLE_PAUSE = HOUR
/** An alarm that comes sooner than needed by less than this (ms) is left as it is. */
const EARLY = HOUR
/** How long (ms) a try at a report may take: the receiver has 15 s. */
const LONGEST_TRY = MINUTE / 3
/** Questions and announcements in an hour that others than the hub cause about one job. */
const MOST_OUTSIDE = 120
/**
 * One payment job, and the only writer of its journal. Each method takes the same way: decide,
 * append, and perform what the hub owes then. Every method may be called twice.
 */
export class PaymentJob extends DurableObject<Env> {
  readonly #watchers = jobWatchers(this.ctx, () => this.read())
  readonly #journal = journalOf(this.ctx.storage, (before, after) => this.#changed(before, after))
  readonly #outside = hourlyLimit(MOST_OUTSIDE)
  readonly #own: OwnJob = {
    read: this.#journal.read,
    now: () => this.#now(),
    tell: (command) => this.#tell(command),
  }
  readonly #roster = dutyRoster((duty) => this.#perform(duty), {
    read: this.#journal.read,
    now: () => this.#now(),
    retention: () => readConfig(this.env).retention,
  })
  readonly #asks = asking(this.env, this.#own, this.#roster, this.#outside)
  readonly #performer = performer(this.env, this.#own, {
    asks: this.#asks,
    nextTime: () => Math.min(...this.#roster.times('move-clock', 'purge')),
    purge: (state) => this.#purge(state),
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
    const mayBegin = (): boolean => {
      const state = this.read()
      return state !== null && !isSoonAfterRound(state, this.#now()) && !this.#outside.isReached()
    }
    await inRequest(() => this.#roster.performNow('announce', mayBegin), { id: request })
    return this.read()
  }

  /**
   * Asks the PSP how the payment stands, and records what it says. Calls at the same time share one
   * question.
   */
  ask({ why, request, notified }: Wish): Promise<Asked | null> {
    return inRequest(() => this.#asks.ask(why, notified), { id: request })
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
    const asked = this.#journal.append(decided.value, this.#now())
    this.#follow()
    const refund = asked.refunds.find(({ id }) => id === wanted.id)
    if (refund) await inRequest(() => this.#performer.askForRefund(asked, refund), { id: request })
    return ok(this.read() ?? asked)
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

  #changed(before: State | null, after: State): void {
    this.#watchers.tell(before, after)
    logMoney(before, after)
  }

  async #perform(duty: Duty): Promise<number | void> {
    const state = this.read()
    if (state) return this.#performer.perform(duty, state)
  }

  /** Deletes the job once the index queue has taken the word, unless it has changed meanwhile. */
  async #purge(state: State): Promise<void> {
    if (!this.#asks.isIdle()) return
    await sendPurged(this.env, rowOf(state))
    if (this.read()?.entry.number !== state.entry.number || !this.#asks.isIdle()) return
    this.#journal.drop()
    this.#watchers.end()
    this.#alarm = null
    await purgeStorage(this.ctx.storage, { id: state.id, fingerprint: state.fingerprint }, Date.now())
    log.info('job.purged', { job: state.id, pos: state.pos })
  }
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
