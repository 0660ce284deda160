import { DurableObject } from 'cloudflare:workers'
import type { StoredJob } from '../contract/backup.ts'
import { isDerivedId } from '../contract/ids.ts'
import { type Result, ok } from '../contract/result.ts'
import { HOUR } from '../contract/timestamp.ts'
import { log } from '../platform/log.ts'
import { inRequest } from '../platform/request-context.ts'
import { isUnreadable } from '../platform/stored.ts'
import { type AskRequest, type AskResult, ask, lastAskedAt } from './ask-psp.ts'
import { capturedOnce, recordAndSend } from './carry-out.ts'
import { isSoonAfterRound } from './core/attempts.ts'
import type { Command } from './core/decide.ts'
import type { Duty } from './core/duties.ts'
import type { Birth, Personal, Wisher } from './core/facts.ts'
import type { ReadEntry } from './core/journal.ts'
import { type InstructionRefusal, type InstructionRequest, decideInstruction } from './core/instruct.ts'
import type { State } from './core/state.ts'
import {
  alarmIs,
  beginWithAlarm,
  performDue,
  performNow,
  pendingDuties,
  ring,
  setAlarm,
} from './duty-roster.ts'
import { append, nowOf, ownJob, takeAside, tell, toReport } from './own-job.ts'
import { perform } from './performers.ts'
import { readParts, restoreParts } from './stored-parts.ts'
import { type KnownJob, endTombstone, readTombstone } from './tombstone.ts'

/** When (ms, by the job's clock) the hub last asked the PSP, and when each duty begins, or was to begin. */
export type Plan = { askedAt: number; duties: Pick<Duty, 'do' | 'at'>[] }

/** How long (ms) the alarm waits after the object could not read its journal. */
const UNREADABLE_PAUSE = HOUR

/** A payment job's object, the only writer of its journal. Every method may be called twice. */
export class PaymentJob extends DurableObject<Env> {
  readonly #job = ownJob(this.ctx, this.env, perform)

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env)
    void ctx.blockConcurrencyWhile(async () => beginWithAlarm(this.#job.roster, await ctx.storage.getAlarm()))
  }

  /**
   * Creates the job. If it exists, records the new attempts, whose accounts may hold payments too, and
   * returns it.
   */
  create({ created, attempts, personal }: Birth): State {
    const known = this.read()
    if (known)
      return known.fingerprint === created.fingerprint
        ? tell(this.#job, { do: 'create-again', attempts })
        : known
    const isPurged = isDerivedId(created.id) && readTombstone(this.ctx.storage) !== null
    if (isPurged) throw new Error('the job of this id was purged')
    return append(this.#job, [created, ...attempts], { personal })
  }

  /**
   * Creates a job whose point of sale captures manually, or whose customer pays at a terminal. Release 1.0
   * lacks this method, because it would capture the one and look for a page of the other.
   */
  createReserving(birth: Birth): State {
    return this.create(birth)
  }

  /**
   * Returns the job; null without one. Sets the alarm if the platform has lost it. Throws if the object
   * cannot read the job.
   */
  read(): State | null {
    const state = this.#job.journal.read()
    setAlarm(this.#job.roster)
    return state
  }

  /** Returns the journal as stored, without personal data. */
  entries(): ReadEntry[] {
    return this.#job.journal.entries().map(({ personal: _personal, ...entry }) => entry)
  }

  /** Returns the customer's personal data; null once it is erased, and without a job. */
  personal(): Personal | null {
    return this.#job.journal.personal()
  }

  /** Erases the personal data for good. Returns whether there was any; null without a job. */
  erase(): boolean | null {
    if (!this.read()) return null
    const isThere = this.#job.journal.personal() !== null
    this.#job.journal.erase()
    return isThere
  }

  /** Returns all that the object stores, for a backup. */
  backUp(): StoredJob['stored'] {
    return readParts(this.ctx.storage)
  }

  /** Stores what a backup has of the job, unless the object stores something already. */
  async restore(parts: StoredJob['stored']): Promise<ReturnType<typeof restoreParts>> {
    const restored = restoreParts(this.ctx.storage, parts)
    this.#job.journal.forget()
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
    const { journal, roster } = this.#job
    if (!journal.read()) return false
    alarmIs(roster, await this.ctx.storage.getAlarm())
    await performDue(roster)
    return true
  }

  /** Announces the order now. An hourly limit applies to customers, but not to operators. */
  async announce(by: 'customer' | 'operator', request: string): Promise<State | null> {
    const job = this.#job
    const { roster, outside } = job
    const mayBegin = (): boolean => {
      const state = this.read()
      return (
        by === 'operator' || (state !== null && !isSoonAfterRound(state, nowOf(job)) && outside.mayHappen())
      )
    }
    const state = this.read()
    if (state?.standing.is === 'unannounced' && nowOf(job) < state.standing.until) {
      const duty = { do: 'announce', isWanted: true, at: nowOf(job) } as const
      await inRequest(() => performNow(roster, duty, mayBegin), { id: request })
    }
    return this.read()
  }

  /** Returns when (ms, by the job's clock) the hub last asked, and when each duty will begin. */
  plan(): Plan {
    const duties = pendingDuties(this.#job.roster).map(({ duty, from, isLent, isRunning }) => ({
      do: duty.do,
      at: isLent || isRunning ? duty.at : from,
    }))
    return { askedAt: lastAskedAt(this.#job), duties }
  }

  /**
   * Asks about the payment that a notification names, else about the customer's own. If the object cannot
   * read its journal, sets aside what a PSP has signed: an error would make the PSP hold back all that follows.
   */
  async ask({ request, ...wanted }: AskRequest & { request?: string }): Promise<AskResult | null> {
    const { notified, isSigned } = wanted
    try {
      return await inRequest(() => ask(this.#job, wanted), { id: request })
    } catch (error) {
      const isKept = isSigned && notified && isUnreadable(error) && this.#job.journal.setAside(notified)
      if (!isKept) throw error
      log.fault('stored.unreadable', error, { job: this.ctx.id.name ?? '' })
      if ((await this.ctx.storage.getAlarm()) === null) await this.#ringLater()
      return null
    }
  }

  #ringLater(): Promise<void> {
    return this.ctx.storage.setAlarm(Date.now() + UNREADABLE_PAUSE)
  }

  /** Stops an open payment and cancels the job. Cancels at once if no account has taken the order. */
  async cancel(by: Wisher, request: string): Promise<AskResult | null> {
    const job = this.tell({ do: 'cancel', by })
    return job?.standing.is === 'open'
      ? this.ask({ why: 'cancel', request })
      : job && { job, isAnswered: true }
  }

  /** Decides about an instruction, records it, and asks the PSP. Null for an unknown id. */
  async instruct(
    wanted: InstructionRequest,
    request: string,
  ): Promise<Result<State, InstructionRefusal> | null> {
    const captured = wanted.kind === 'capture' ? await capturedOnce(this.#job) : []
    const state = this.read()
    if (!state) return null
    const decided = decideInstruction(state, wanted, captured, nowOf(this.#job))
    if (!decided.ok) return decided
    if (decided.value.length === 0) return ok(state)
    return ok(await inRequest(() => recordAndSend(this.#job, decided.value), { id: request }))
  }

  /** Refunds. Release 1.0 has this instead of `instruct`, and a Worker may be of another release than its object. */
  refund(
    wanted: Omit<InstructionRequest, 'kind'>,
    request: string,
  ): Promise<Result<State, InstructionRefusal> | null> {
    return this.instruct({ ...wanted, kind: 'refund' }, request)
  }

  /**
   * Returns the job to report now; null if a newer revision has replaced this one, or while another
   * try is under way. The shop must not get an older report after a newer one.
   */
  toReport(revision: number): State | null {
    return this.read() && toReport(this.#job, revision)
  }

  /** Records what happened. Null for an unknown id. */
  tell(command: Command): State | null {
    return this.read() && tell(this.#job, command)
  }

  /** Accepts the WebSocket of a Worker that watches the job. The socket outlives the object's memory. */
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
      const { journal, roster } = this.#job
      alarmIs(roster, null)
      try {
        if (journal.read()) {
          takeAside(this.#job)
          await ring(roster)
        } else await endTombstone(this.ctx.storage, Date.now())
      } catch (error) {
        log.fault('alarm.failed', error, { job: this.ctx.id.name })
        await this.#ringLater()
      }
    })
  }
}
