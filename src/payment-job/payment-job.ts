import { DurableObject } from 'cloudflare:workers'
import { readConfig } from '../config.ts'
import { type NewJob, createJob, recordAnnouncement } from '../domain/announcement.ts'
import { type Job, isNewlyOverpaid, isWorthSaving } from '../domain/job.ts'
import { markIndexRefused, markIndexed } from '../domain/job-row.ts'
import type { PullResult } from '../domain/pull.ts'
import { type Work, plan } from '../domain/plan.ts'
import type { PullAnswer } from '../domain/psp-answer.ts'
import { type DeliveryOutcome, dispatch, isWanted, recordDelivery, resend } from '../domain/reporting.ts'
import { alarmFor } from '../domain/timers.ts'
import { HOUR } from '../domain/timestamp.ts'
import { log } from '../log.ts'
import { withPauses } from '../storage/objects/alarm-failures.ts'
import type { AnnouncedAt } from './announce.ts'
import { announceAgain } from './announce-again.ts'
import { jobPulls } from './job-pulls.ts'
import { sendOutbox, sendPurged } from './outbox.ts'
import { reportTries } from './report-tries.ts'
import { readStoredJob, storedJob } from './stored-job.ts'
import { type PullCall, type PullTurn, sync } from './sync-with-psp.ts'

/** Why the alarm pulls, by what is due. */
const PULL_REASON = { pull: 'schedule', 'last-pull': 'expiry' } as const

/**
 * One payment job, and the only writer of its trace: each method loads, decides in the domain, and saves. Workers of the
 * release before call these methods too while a deploy goes on: methods are added, and not changed.
 */
export class PaymentJob extends DurableObject<Env> {
  #job: Job | null = null
  readonly #pulls = jobPulls({ read: () => this.read(), change: (decide) => this.#change(decide) })
  readonly #reportTries = reportTries()
  #isInAlarm = false

  /** Creates the job, or gives back the one that is there. One that waits for its announcement takes this one's. */
  create(wanted: NewJob): Job {
    const known = this.read()
    if (!known) return this.#commit(createJob(wanted, Date.now(), Math.random()))
    return known.fingerprint === wanted.fingerprint
      ? this.#commit(recordAnnouncement(known, wanted.account, wanted.answer, Date.now(), Math.random()))
      : known
  }

  /** The job, or null for an id that has none; looking writes nothing. Throws when it cannot be read. */
  read(): Job | null {
    if (this.#job === null) {
      this.#job = readStoredJob(this.ctx.storage.kv.get('job'))
      if (this.#job && !this.#isInAlarm) this.ctx.waitUntil(this.#restoreAlarm())
    }
    return this.#job
  }

  /** Takes in the PSP's answer to an announcement that was repeated. */
  announced({ account, answer }: AnnouncedAt): Job | null {
    return this.#change((job, now) => recordAnnouncement(job, account, answer, now, Math.random()))
  }

  /** Says whether a call is to ask the PSP, or how the job stands. The same call again has the same answer. */
  beginPull(call: PullCall): Promise<PullTurn | null> {
    return this.#pulls.begin(call)
  }

  /** Records what the PSP said. */
  endPull(call: PullCall, result: PullResult): Job | null {
    return this.#pulls.end(call, result)
  }

  /** As Workers of release 0.1 record a customer's return or a notification. */
  record(action: 'Return' | 'Statuspull', answer: PullAnswer): Job | null {
    const reason = action === 'Return' ? 'return' : 'notification'
    return this.#pulls.record({ reason }, { answer, stopped: false })
  }

  /** The job to report now. Null when the report of this revision is no longer wanted, or a try of it is under way. */
  wanted(revision: number): Job | null {
    const job = this.read()
    return job && isWanted(job, revision) && this.#reportTries.begin(revision, Date.now()) ? job : null
  }

  /** Records a try to deliver a report. */
  reported(revision: number, outcome: DeliveryOutcome): Job | null {
    this.#reportTries.end(revision)
    return this.#change((job, now) => recordDelivery(job, revision, outcome, now, Math.random()))
  }

  /** Sends the newest report again, from the start of its schedule. */
  resend(): Job | null {
    return this.#change(resend)
  }

  /** Runs when any of the job's timers is due. It must not throw: the platform gives up after a few failures. */
  override async alarm(): Promise<void> {
    this.#isInAlarm = true
    await withPauses(this.ctx, { job: this.ctx.id.name }, () => this.#doWhatIsDue())
    this.#isInAlarm = false
  }

  /** Sets the alarm that the job should have, once the platform has given it up: it does so after a few failures. */
  async #restoreAlarm(): Promise<void> {
    if ((await this.ctx.storage.getAlarm()) !== null || !this.#job) return
    this.#job = { ...this.#job, alarmAt: null }
    this.#commit(this.#job)
  }

  async #doWhatIsDue(): Promise<void> {
    const job = this.read()
    if (!job) return
    this.#job = { ...job, alarmAt: null }
    const planned = plan(this.#job, Date.now(), Math.random(), readConfig(this.env).retention)
    if (planned.work === 'purge') return this.#purge(planned.job)
    const next = this.#commit(planned.job)
    if (planned.work) await this.#askPsp(next, planned.work)
  }

  async #askPsp(job: Job, work: Exclude<Work, 'purge'>): Promise<void> {
    if (work === 'announce') this.announced(await announceAgain(this.env, job))
    else await sync(this.env, { id: crypto.randomUUID(), reason: PULL_REASON[work] }, this)
  }

  /** Deletes the job after its retention time, once the index queue has taken the word. */
  async #purge(job: Job): Promise<void> {
    const isTaken = await sendPurged(this.env, job)
    // A late payment may have come meanwhile: then the job stays, with an alarm of its own.
    if (this.#job?.updated !== job.updated) return
    if (!isTaken) return this.ctx.storage.setAlarm(Date.now() + HOUR)
    await this.ctx.storage.deleteAll()
    this.#job = null
    log.info('job.purged', { job: job.id })
  }

  #change(decide: (job: Job, now: number) => Job): Job | null {
    const job = this.read()
    return job && this.#commit(decide(job, Date.now()))
  }

  /** Saves a changed job with what is to be sent and its alarm in one write, and then sends it. */
  #commit(decided: Job): Job {
    const before = this.#job
    const now = Date.now()
    const next = dispatch(decided, now)
    const alarmAt = alarmFor(next, readConfig(this.env).retention, next.alarmAt, now)
    if (next === before && alarmAt === before.alarmAt) return before
    const saved: Job = { ...next, alarmAt }
    if (!before || isWorthSaving(before, saved)) this.ctx.storage.kv.put('job', storedJob.write(saved))
    if (alarmAt !== next.alarmAt) void this.ctx.storage.setAlarm(Math.max(alarmAt, now + 1000))
    if (isNewlyOverpaid(before, saved))
      log.warn('payment.overpaid', { job: saved.id, account: saved.account })
    this.#job = saved
    this.ctx.waitUntil(this.#send(before, saved))
    return saved
  }

  /**
   * A row that the queue has taken is saved together with the job's next change. After a second send it is saved at once;
   * otherwise it would be sent for ever.
   */
  async #send(before: Job | null, job: Job): Promise<void> {
    const { sequence, indexSends } = job
    switch (await sendOutbox(this.env, before, job)) {
      case 'taken':
        if (indexSends > 0) this.#change((current) => markIndexed(current, sequence))
        else this.#job = this.#job && markIndexed(this.#job, sequence)
        break
      case 'refused':
        this.#change((current, now) => markIndexRefused(current, sequence, now))
        break
      case 'nothing':
        break
    }
  }
}
