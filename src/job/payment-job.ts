import { DurableObject } from 'cloudflare:workers'
import type { StoredJob } from '../contract/backup.ts'
import { isDerivedId } from '../contract/ids.ts'
import { HOUR, MINUTE } from '../contract/timestamp.ts'
import { type Result, ok } from '../contract/result.ts'
import { log } from '../platform/log.ts'
import { inRequest } from '../platform/request-context.ts'
import { moveSandboxPayment } from '../psp/sandbox/adapter.ts'
import { SANDBOX_ACCOUNT } from '../registry/profile.ts'
import { announceAgain, askForRefund, checkRefund, lookAt } from './ask-account.ts'
import { type AskReason, type Asked, type OwnJob, asking, hourlyLimit } from './asking.ts'
import { isSoonAfterRound } from './core/attempts.ts'
import { type Command, type RefundRefusal, type WantedRefund, decide, decideRefund } from './core/decide.ts'
import type { Duty } from './core/duties.ts'
import type { Fact, FactOf, Wisher } from './core/facts.ts'
import type { ReadEntry } from './core/journal.ts'
import { type Personal, rowOf } from './core/row.ts'
import type { State } from './core/state.ts'
import { dutyRoster, reportName } from './duty-roster.ts'
import { journalOf } from './journal-store.ts'
import { sendPurged, sendReport, sendRow } from './messages.ts'
import { readParts, restoreParts } from './stored-parts.ts'
import {
  type KnownJob,
  endTombstone,
  purgeStorage,
  readTombstone,
  restoreTombstoneAlarm,
} from './tombstone.ts'
import { jobWatchers } from './watchers.ts'

/** A new job: its creation, what the accounts made of the order, and what of it is personal. */
export type Birth = {
  created: FactOf<'created'>
  attempts: readonly FactOf<'attempted'>[]
  personal: Personal
}

/** How long (ms) an alarm waits after a journal could not be read. */
const UNREADABLE_PAUSE = HOUR
/** How long (ms) a report may be with the queue and the receiver before it counts as lost. */
const REPORT_LEASE = MINUTE / 2
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
  readonly #journal = journalOf(this.ctx.storage, (before, after) => this.#watchers.tell(before, after))
  readonly #outside = hourlyLimit(MOST_OUTSIDE)
  readonly #own: OwnJob = {
    read: this.#journal.read,
    now: () => this.#now(),
    tell: (command) => this.#tell(command),
  }
  readonly #roster = dutyRoster(this.ctx, this.env, this.#own, (duty) => this.#perform(duty))
  readonly #asks = asking(this.env, this.#own, this.#roster, this.#outside)
  /**
   * Whether the alarm was looked after since the object started: the platform may have given it up.
   */
  #isKept = false
  /** The entry up to which the index queue has the row, although the journal may not say so yet. */
  #rowSent = 0

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env)
    void ctx.blockConcurrencyWhile(async () => this.#roster.alarmIs(await ctx.storage.getAlarm()))
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
    return this.#append([created, ...attempts], personal)
  }

  /** The job, or null for an id that has none. Throws when it cannot be read. */
  read(): State | null {
    const state = this.#journal.read()
    if (state && !this.#isKept) {
      this.#isKept = true
      this.#roster.setAlarm()
    }
    return state
  }

  /** The journal as it is stored, without what is personal. */
  entries(): ReadEntry[] {
    return this.#journal.entries().map(({ personal: _personal, ...entry }) => entry)
  }

  /** What is known of the customer; null once it was erased, and without a job. */
  personal(): Personal | null {
    return this.#journal.personal()
  }

  /** Erases what is known of the customer, for good: whether there was something. Null without a job. */
  erase(): boolean | null {
    if (!this.read()) return null
    const isThere = this.#journal.personal() !== null
    this.#journal.erase()
    return isThere
  }

  /** All that the object stores, as it is: a backup keeps it. */
  backUp(): StoredJob['stored'] {
    return readParts(this.ctx.storage)
  }

  /** Stores what a backup has of the job, unless something is there. */
  restore(parts: StoredJob['stored']): ReturnType<typeof restoreParts> {
    return restoreParts(this.ctx.storage, parts)
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
    this.#roster.alarmIs(await this.ctx.storage.getAlarm())
    await this.#roster.performDue()
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
   * Asks the PSP how the payment stands, and records what it says. `notified` names the payment;
   * without it the customer's own is meant.
   */
  ask(wish: { why: AskReason; request?: string; notified?: FactOf<'notified'> }): Promise<Asked | null> {
    return inRequest(() => this.#asks.ask(wish.why, wish.notified), { id: wish.request })
  }

  /**
   * Stops a payment that is open, and cancels the job. One that no account has taken is cancelled
   * at once.
   */
  async cancel(by: Wisher, request: string): Promise<Asked | null> {
    const job = this.tell({ do: 'cancel', by })
    return job?.standing.is === 'open'
      ? this.ask({ why: 'cancel', request })
      : job && { job, isAnswered: true }
  }

  /** Decides about a refund, remembers it, and asks the PSP. Null for an unknown id. */
  async refund(wanted: WantedRefund, request: string): Promise<Result<State, RefundRefusal> | null> {
    const state = this.read()
    if (!state) return null
    const decided = decideRefund(state, wanted)
    if (!decided.ok) return decided
    if (decided.value.length === 0) return ok(state)
    const asked = this.#append(decided.value)
    const refund = asked.refunds.find(({ id }) => id === wanted.id)
    if (refund)
      await inRequest(() => this.#askAboutRefund(wanted.id, askForRefund(this.env, asked, refund)), {
        id: request,
      })
    return ok(this.read() ?? asked)
  }

  /**
   * The job to report now; null when this revision is no longer wanted. Or when another try is under
   * way: the shop must not be told the older truth after the newer.
   */
  toReport(revision: number): State | null {
    const state = this.read()
    if (state?.report?.state !== 'due' || state.report.revision !== revision) return null
    if (this.#roster.isHeld('try')) return null
    this.#roster.hold('try', this.#now() + LONGEST_TRY)
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
      this.#roster.alarmIs(null)
      this.#isKept = true
      try {
        if (this.read()) await this.#roster.performDue()
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
    // A try has ended, so the next one may begin, of this revision or of a newer.
    if (command.do === 'record-report') this.#releaseReports(state, command.tried.revision)
    const facts = decide(state, command, this.#now())
    return facts.length === 0 ? state : this.#append(facts)
  }

  /** Appends what happened. If the index has got a row meanwhile, the same entry says so. */
  #append(facts: readonly Fact[], personal?: Personal): State {
    const before = this.#journal.read()
    const rows = before ? decide(before, { do: 'record-row', entry: this.#rowSent }, this.#now()) : []
    if (rows.length > 0) this.#roster.release('row')
    const state = this.#journal.append([...facts, ...rows], this.#now(), personal)
    this.#roster.follow()
    return state
  }

  #releaseReports({ report }: State, revision: number): void {
    this.#roster.release('try', reportName(revision), reportName(report?.revision ?? revision))
  }

  /** Does one duty. Throws for a fault of the hub: then the duty stays owed. */
  async #perform(duty: Duty): Promise<number | void> {
    const state = this.read()
    if (!state) return
    switch (duty.do) {
      case 'announce':
        this.#tell({ do: 'record-attempts', attempts: await announceAgain(this.env, state) })
        return
      case 'ask':
      case 'stop':
        if (duty.payment) await this.#asks.askInTime(duty.payment)
        else this.#tell({ do: 'expire' })
        return
      case 'check-refund':
        return this.#askAboutRefund(duty.refund.id, checkRefund(this.env, state, duty.refund, this.#now()))
      case 'look':
        this.#tell({ do: 'record-attempts', attempts: [await lookAt(this.env, state, duty.account)] })
        return
      case 'report':
        await sendReport(this.env, state, duty.revision)
        return this.#now() + REPORT_LEASE
      case 'row':
        return this.#sendRow(state, duty.entry)
      case 'move-clock':
        return this.#moveClock(state)
      case 'erase':
        return this.#journal.erase()
      case 'purge':
        return this.#purge(state)
    }
  }

  /** While a report is on its way, the entry of its try will tell of the row as well. */
  async #sendRow(state: State, entry: number): Promise<number | void> {
    if (this.#rowSent < entry) {
      await sendRow(this.env, state)
      this.#rowSent = entry
      if (this.#roster.isHeld(reportName(state.revision))) return this.#now() + REPORT_LEASE
    }
    this.#append([])
  }

  async #askAboutRefund(id: string, question: ReturnType<typeof askForRefund>): Promise<void> {
    const asked = this.#now()
    this.#tell({ do: 'record-refund', id, asked, answer: await question })
  }

  /** Moves a test job's clock to its next duty, or to the next change of its sandbox payment. */
  async #moveClock({ clock, payments: [own] }: State): Promise<void> {
    const isSandbox = own?.account === SANDBOX_ACCOUNT.id
    const change = isSandbox ? await moveSandboxPayment(this.env, own.reference, clock) : Infinity
    const next = Math.min(change, ...this.#roster.times('move-clock', 'erase', 'purge'))
    this.#tell({ do: 'move-clock', next })
    this.#asks.forget()
  }

  /** Deletes the job once the index queue has taken the word, unless it has changed meanwhile. */
  async #purge(state: State): Promise<void> {
    if (!this.#asks.isIdle()) return
    await sendPurged(this.env, rowOf(state))
    if (this.read()?.entry.number !== state.entry.number || !this.#asks.isIdle()) return
    this.#journal.drop()
    this.#watchers.end()
    this.#roster.alarmIs(null)
    this.#rowSent = 0
    await purgeStorage(this.ctx.storage, state, Date.now())
    log.info('job.purged', { job: state.id, pos: state.pos })
  }
}
