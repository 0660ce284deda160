import { DurableObject } from 'cloudflare:workers'
import type { StoredJob } from '../contract/backup.ts'
import { isDerivedId } from '../contract/ids.ts'
import { type Result, ok } from '../contract/result.ts'
import { HOUR } from '../contract/timestamp.ts'
import { log } from '../platform/log.ts'
import { inRequest } from '../platform/request-context.ts'
import { isUnreadable } from '../platform/stored.ts'
import type { AskReason, AskResult } from './asking.ts'
import { isSoonAfterRound } from './core/attempts.ts'
import type { Command } from './core/decide.ts'
import type { Birth, FactOf, Personal, Wisher } from './core/facts.ts'
import type { ReadEntry } from './core/journal.ts'
import { type InstructionRefusal, type Wanted, decideInstruction } from './core/instruct.ts'
import type { State } from './core/state.ts'
import type { Planned } from './duty-roster.ts'
import { ownJob } from './own-job.ts'
import { readParts, restoreParts } from './stored-parts.ts'
import { type KnownJob, endTombstone, readTombstone } from './tombstone.ts'

/** A question that somebody wants the hub to ask. `isSigned`: the PSP has signed the notification. */
type Wish = { why: AskReason; request?: string; notified?: FactOf<'notified'>; isSigned?: boolean }

/** The duties that the object will begin. `askedAt`: when (ms) the hub last asked the PSP. */
export type Plan = { askedAt: number; duties: Planned[] }

/** How long (ms) the alarm waits after the object could not read its journal. */
const UNREADABLE_PAUSE = HOUR

/** A payment job's object, the only writer of its journal. Every method may be called twice. */
export class PaymentJob extends DurableObject<Env> {
  readonly #job = ownJob(this.ctx, this.env)

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env)
    void ctx.blockConcurrencyWhile(async () => this.#job.roster.begin(await ctx.storage.getAlarm()))
  }

  /**
   * Creates the job. If it exists, returns it, after recording the new attempts, whose accounts may
   * hold payments too.
   */
  create({ created, attempts, personal }: Birth): State {
    const known = this.read()
    if (known)
      return known.fingerprint === created.fingerprint
        ? this.#job.tell({ do: 'create-again', attempts })
        : known
    const isPurged = isDerivedId(created.id) && readTombstone(this.ctx.storage) !== null
    if (isPurged) throw new Error('the job of this id was purged')
    return this.#job.append([created, ...attempts], { personal })
  }

  /**
   * Creates a job whose point of sale captures by itself, or whose customer pays at a terminal. Release 1.0
   * lacks this: it would capture, and would look for a page.
   */
  createReserving(birth: Birth): State {
    return this.create(birth)
  }

  /**
   * Returns the job, or null without one. Sets the alarm if the platform has lost it. Throws when
   * the object cannot read the job.
   */
  read(): State | null {
    const state = this.#job.read()
    this.#job.roster.setAlarm()
    return state
  }

  /** Returns the journal as stored, without personal data. */
  entries(): ReadEntry[] {
    return this.#job.entries().map(({ personal: _personal, ...entry }) => entry)
  }

  /** Returns the customer's personal data; null once it is erased, and without a job. */
  personal(): Personal | null {
    return this.#job.personal()
  }

  /** Erases the personal data for good. Returns whether there was any; null without a job. */
  erase(): boolean | null {
    if (!this.read()) return null
    const isThere = this.#job.personal() !== null
    this.#job.erase()
    return isThere
  }

  /** Returns all that the object stores, for a backup. */
  backUp(): StoredJob['stored'] {
    return readParts(this.ctx.storage)
  }

  /** Stores what a backup has of the job, unless the object stores something already. */
  async restore(parts: StoredJob['stored']): Promise<ReturnType<typeof restoreParts>> {
    const restored = restoreParts(this.ctx.storage, parts)
    this.#job.forget()
    await endTombstone(this.ctx.storage, Date.now())
    return restored
  }

  /** Returns the job, or its tombstone: an Idempotency-Key must make no second job. */
  lookUp(): KnownJob | null {
    const job = this.read()
    if (job) return { is: 'job', job }
    const tombstone = readTombstone(this.ctx.storage)
    return tombstone && { is: 'purged', fingerprint: tombstone.fingerprint }
  }

  /** Performs what is due, and sets the alarm if the platform has lost it. False without a job. */
  async wake(): Promise<boolean> {
    if (!this.#job.read()) return false
    this.#job.roster.alarmIs(await this.ctx.storage.getAlarm())
    await this.#job.roster.performDue()
    return true
  }

  /** Announces the order now. Limits how often customers can cause that, but not operators. */
  async announce(by: 'customer' | 'operator', request: string): Promise<State | null> {
    const { roster, asks, now } = this.#job
    const mayBegin = (): boolean => {
      const state = this.read()
      return by === 'operator' || (state !== null && !isSoonAfterRound(state, now()) && asks.mayAnybodyAsk())
    }
    const state = this.read()
    if (state?.standing.is === 'unannounced' && now() < state.standing.until) {
      const duty = { do: 'announce', isWanted: true, at: now() } as const
      await inRequest(() => roster.performNow(duty, mayBegin), { id: request })
    }
    return this.read()
  }

  /** Returns when (ms, by the job's clock) the hub last asked, and when each duty will begin. */
  plan(): Plan {
    return { askedAt: this.#job.asks.askedAt(), duties: this.#job.roster.plan() }
  }

  /**
   * Asks about the payment that a notification names, else about the customer's own. Sets aside what a
   * PSP has signed while the object cannot read its journal: the PSP would hold up all that follows.
   */
  async ask(wish: Wish): Promise<AskResult | null> {
    const { why, request, notified, isSigned } = wish
    try {
      return await inRequest(() => this.#job.asks.ask(why, notified, isSigned), { id: request })
    } catch (error) {
      const isKept = isSigned && notified && isUnreadable(error) && this.#job.setAside(notified)
      if (!isKept) throw error
      log.fault('stored.unreadable', error, { job: this.ctx.id.name ?? '' })
      if ((await this.ctx.storage.getAlarm()) === null) await this.#ringLater()
      return null
    }
  }

  #ringLater(): Promise<void> {
    return this.ctx.storage.setAlarm(Date.now() + UNREADABLE_PAUSE)
  }

  /** Stops an open payment and cancels the job; at once if no account took the order. */
  async cancel(by: Wisher, request: string): Promise<AskResult | null> {
    const job = this.tell({ do: 'cancel', by })
    return job?.standing.is === 'open'
      ? this.ask({ why: 'cancel', request })
      : job && { job, isAnswered: true }
  }

  /** Decides about an instruction, records it, and asks the PSP. Null for an unknown id. */
  async instruct(wanted: Wanted, request: string): Promise<Result<State, InstructionRefusal> | null> {
    const captured = wanted.kind === 'capture' ? await this.#job.capturedOnce() : []
    const state = this.read()
    if (!state) return null
    const decided = decideInstruction(state, wanted, captured)
    if (!decided.ok) return decided
    if (decided.value.length === 0) return ok(state)
    return ok(await inRequest(() => this.#job.order(decided.value, wanted.id), { id: request }))
  }

  /** Refunds. While a new release is deployed, Workers and objects of 1.0 know this instead of `instruct`. */
  refund(wanted: Omit<Wanted, 'kind'>, request: string): Promise<Result<State, InstructionRefusal> | null> {
    return this.instruct({ ...wanted, kind: 'refund' }, request)
  }

  /**
   * Returns the job to report now. Null if a newer revision has replaced this one, or while another
   * try is under way: the shop must not get an older report after a newer one.
   */
  toReport(revision: number): State | null {
    return this.read() && this.#job.toReport(revision)
  }

  /** Records what happened. Null for an unknown id. */
  tell(command: Command): State | null {
    return this.read() && this.#job.tell(command)
  }

  /** Accepts the WebSocket of a Worker that watches the job. It outlives the object's memory. */
  override fetch(request: Request): Response {
    return this.#job.watchers.accept(request)
  }

  /** Empty but needed: with these the platform answers a watcher's close, and stops counting it. */
  override webSocketMessage(): void {}
  override webSocketClose(): void {}
  override webSocketError(): void {}

  /** Runs when a duty is due. Must not throw: the platform gives up after a few failures. */
  override alarm(): Promise<void> {
    return inRequest(async () => {
      this.#job.roster.alarmIs(null)
      try {
        if (this.#job.read()) {
          this.#job.takeAside()
          await this.#job.roster.ring()
        } else await endTombstone(this.ctx.storage, Date.now())
      } catch (error) {
        log.fault('alarm.failed', error, { job: this.ctx.id.name })
        await this.#ringLater()
      }
    })
  }
}
