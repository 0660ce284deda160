import { DurableObject } from 'cloudflare:workers'
import { readConfig } from '../platform/config.ts'
import { moveSandboxPayment } from '../psp/sandbox/connection.ts'
import { SANDBOX_ACCOUNT } from '../registry/profile.ts'
import { letPass, mayMove, moveOn } from './rules/advance.ts'
import { type NewJob, createJob, recordAnnouncement } from './rules/announcement.ts'
import type { Canceller, Job } from './rules/job.ts'
import { jobNow } from '../contract/job-clock.ts'
import { isDerivedId } from '../contract/ids.ts'
import { plan } from './rules/plan.ts'
import type { RefundAnswer } from '../psp/answer.ts'
import { type PullResult, cancelUnannounced } from './rules/pull.ts'
import { type RefundRefusal, type WantedRefund, beginRefund, recordRefund } from './rules/refund-request.ts'
import { type DeliveryOutcome, isWanted, recordDelivery, resend } from './rules/reporting.ts'
import { type Result, ok } from '../contract/result.ts'
import { isReportDue, recordRow } from './rules/row-with-report.ts'
import { isPurgeDue } from './rules/timers.ts'
import { inRequest } from '../platform/request-context.ts'
import { withPauses } from '../platform/named-object.ts'
import { doAtPsp } from './alarm-work.ts'
import type { AnnouncedAt } from './announce.ts'
import { type AnnounceCall, type AnnounceTurn, announceTurns } from './announce-turns.ts'
import { jobPulls } from './job-pulls.ts'
import { jobRecord } from './job-record.ts'
import type { KnownJob } from './look-up.ts'
import { outsideCalls } from './outside-calls.ts'
import { type JobHolder, purgeJob, purgeNow } from './purge-job.ts'
import { reportTries } from './report-tries.ts'
import { type EndedPull, type PullCall, type PullTurn, type Synced, sync } from './sync-with-psp.ts'
import { endTombstone, readTombstone, restoreTombstoneAlarm } from './tombstone.ts'
import { jobWatchers } from './watchers.ts'

/**
 * One payment job, and the only writer of its trace: each method loads, decides in the domain, and saves. While
 * a deploy goes on, Workers of the release before call these methods too.
 */
export class PaymentJob extends DurableObject<Env> {
  readonly #job = jobRecord(this.ctx, this.env, (before, job) => this.#watchers.tell(before, job))
  readonly #watchers = jobWatchers(this.ctx, this.#job.read)
  readonly #calls = outsideCalls()
  readonly #announcements = announceTurns(this.#job.read, this.#calls)
  readonly #pulls = jobPulls(this.#job, this.#calls)
  readonly #reportTries = reportTries()
  readonly #holder: JobHolder = {
    read: this.#job.read,
    isPulled: this.#pulls.isUnderWay,
    letGo: () => {
      this.#job.drop()
      this.#watchers.end()
    },
  }

  /** Creates the job, or gives back the one that is there. One that waits for its announcement takes this one's. */
  create(wanted: NewJob): Job {
    const known = this.read()
    if (!known) {
      const isPurged = isDerivedId(wanted.id) && readTombstone(this.ctx.storage) !== null
      if (isPurged) throw new Error('the job of this id was purged')
      return this.#job.save(createJob(wanted, Date.now(), Math.random()))
    }
    return known.fingerprint === wanted.fingerprint ? (this.announced(wanted) ?? known) : known
  }

  /** The job, or null for an id that has none; looking writes nothing. Throws when it cannot be read. */
  read(): Job | null {
    return this.#job.read()
  }

  /**
   * Takes a Worker's WebSocket that watches the job. All else is called by RPC, but a WebSocket that outlives the object's memory
   * comes by `fetch` alone.
   */
  override fetch(request: Request): Response {
    return this.#watchers.accept(request)
  }

  /** A watcher says nothing but that it goes: then the platform answers its close, and counts it no more. */
  override webSocketMessage(): void {}
  override webSocketClose(): void {}
  override webSocketError(): void {}

  /** The job, or what is left of it, so that the same Idempotency-Key makes no second one. Null where nothing was. */
  lookUp(): KnownJob | null {
    const job = this.read()
    if (job) return { is: 'job', job }
    const tombstone = readTombstone(this.ctx.storage)
    if (tombstone) this.ctx.waitUntil(restoreTombstoneAlarm(this.ctx.storage, Date.now()))
    return tombstone && { is: 'purged', fingerprint: tombstone.fingerprint }
  }

  /**
   * Sets the job's alarm to what it should be today, also where the platform has given it up, or purges a job whose time is over. False
   * when there is no job: then who asks has the index told. So a purge that is cut off in between is completed by the next sweep, which
   * still finds the row.
   */
  async wake(): Promise<boolean> {
    const job = this.read()
    if (job && this.#isPurgeDue(job)) {
      await purgeNow(this.ctx.storage, job, this.#holder)
      return false
    }
    const isThere = await this.#job.wake()
    if (!isThere) await restoreTombstoneAlarm(this.ctx.storage, Date.now())
    return isThere
  }

  /** Says whether a call is to announce the job, or how it stands. The same call again has the same answer. */
  beginAnnouncement(call: AnnounceCall): Promise<AnnounceTurn | null> {
    return this.#announcements.begin(call)
  }

  /** Takes in the PSP's answer to an announcement that was repeated, of a call that began it where one did. */
  announced({ account, answer, unsure, passedOver }: AnnouncedAt, call?: string): Job | null {
    this.#announcements.end(call)
    return this.#job.change((job, now) =>
      recordAnnouncement(job, account, answer, now, Math.random(), unsure, passedOver),
    )
  }

  /** Says whether a call is to ask the PSP, or how the job stands. The same call again has the same answer. */
  beginPull(call: PullCall): Promise<PullTurn | null> {
    return inRequest(() => this.#pulls.begin(call), { id: call.request })
  }

  /** Asks the PSP within one call, for those who wait for how the job stands then. */
  pull(call: PullCall): Promise<Synced | null> {
    return inRequest(() => sync(this.env, call, this), { id: call.request })
  }

  /** Records what the PSP said, and leaves the report that it calls for to a caller who tries it. */
  endPull(call: PullCall, result: PullResult): EndedPull | null {
    const before = this.read()
    const job = inRequest(() => this.#pulls.end(call, result), { id: call.request })
    if (!call.reports || !job?.flight || !isReportDue(before, job)) return job
    this.#reportTries.begin(job.flight.revision, Date.now())
    return { ...job, toReport: job.flight.revision }
  }

  /** Decides about a refund, and remembers it before the PSP is asked. Null for an unknown id. */
  beginRefund(wanted: WantedRefund): Result<Job, RefundRefusal> | null {
    const job = this.read()
    if (!job) return null
    const begun = beginRefund(job, wanted, jobNow(job.clock, Date.now()), Math.random())
    return begun.ok ? ok(this.#job.save(begun.value)) : begun
  }

  /** Records what the PSP said of a refund. */
  endRefund(id: string, answer: RefundAnswer): Job | null {
    return this.#job.change((job, now) => recordRefund(job, id, answer, now))
  }

  /** Cancels a job whose PSP has no payment yet. Any other is stopped by a pull. */
  cancelUnannounced(by?: Canceller): Job | null {
    return this.#job.change((job, now) => cancelUnannounced(job, now, by))
  }

  /** The job to report now. Null when the report of this revision is no longer wanted, or a try of it is under way. */
  wanted(revision: number): Job | null {
    const job = this.read()
    return job && isWanted(job, revision) && this.#reportTries.begin(revision, Date.now()) ? job : null
  }

  /** Records a try to deliver a report, and which row of the job the index got with it. */
  reported(revision: number, outcome: DeliveryOutcome, row?: number): Job | null {
    this.#reportTries.end(revision)
    return this.#job.change((job, now) =>
      recordDelivery(recordRow(job, row, now), revision, outcome, now, Math.random()),
    )
  }

  /** Sends the newest report again, from the start of its schedule. */
  resend(): Job | null {
    return this.#job.change(resend)
  }

  /** Lets time pass for a test job, until its clock is `offset` (ms) ahead; the alarm does so step by step. */
  letPass(offset: number): Job | null {
    return this.#job.change((job) => letPass(job, offset, Date.now()))
  }

  /** Runs when any of the job's timers is due. It must not throw: the platform gives up after a few failures. */
  override alarm(): Promise<void> {
    return withPauses(this.ctx, { job: this.ctx.id.name }, () =>
      this.#job.inAlarm((job) => this.#doWhatIsDue(job)),
    )
  }

  async #doWhatIsDue(job: Job | null): Promise<void> {
    if (!job) return endTombstone(this.ctx.storage, Date.now())
    const now = jobNow(job.clock, Date.now())
    const planned = plan(job, now, Math.random(), readConfig(this.env).retention)
    if (planned.work === 'purge') return purgeJob(this.env, this.ctx.storage, planned.job, this.#holder)
    this.#job.save(planned.job)
    if (planned.work) await doAtPsp(this.env, this, this.#job.change, planned.work)
    else await this.#moveOn()
  }

  /** Moves a test job's clock one step, once all is done that was due before. The next alarm follows at once. */
  async #moveOn(): Promise<void> {
    const job = this.read()
    if (!job?.clock || !mayMove(job)) return
    const { account, announcement, clock } = job
    const isInSandbox = account === SANDBOX_ACCOUNT.id && announcement.is === 'announced'
    const next = isInSandbox ? await moveSandboxPayment(this.env, announcement.reference, clock) : Infinity
    this.#job.change((current, now) => moveOn(current, next, now))
    this.#pulls.forget()
  }

  #isPurgeDue(job: Job): boolean {
    const now = jobNow(job.clock, Date.now())
    return isPurgeDue(job, readConfig(this.env).retention, now) && !this.#pulls.isUnderWay()
  }
}
