import { DurableObject } from 'cloudflare:workers'
import { describeFault, parseStored } from '../domain/fault.ts'
import { Job, sameButTimers } from '../domain/job.ts'
import { markIndexed, markIndexRefused } from '../domain/job-row.ts'
import { plan } from '../domain/plan.ts'
import type { PullAnswer } from '../domain/psp-answer.ts'
import { type DeliveryOutcome, dispatch, isWanted, resend, recordDelivery } from '../domain/reporting.ts'
import { alarmFor } from '../domain/timers.ts'
import { DAY, HOUR } from '../domain/timestamp.ts'
import { type NewJob, recordAnnouncement, createJob } from '../domain/announcement.ts'
import { recordPull, recordReturn } from '../domain/transition.ts'
import type { AnnouncedAt } from './announce.ts'
import { sendPurged, sendOutbox } from './outbox.ts'
import { askPsp } from './psp-work.ts'

/** Where a second try waits when an alarm could not do its work (ms). */
const ALARM_AFTER_FAULT = 60_000
/** Days, should wrangler.toml not say a number: a job must be saved whatever stands there. */
const DEFAULT_RETENTION = 400

/** One payment job, and the only writer of its trace: each method loads, decides in the domain, and saves. */
export class PaymentJob extends DurableObject<Env> {
  #job: Job | null | undefined

  /** Bears the job, or gives back the one that is there. One that still waits for its announcement takes this one's. */
  create(birth: NewJob): Job {
    const known = this.read()
    if (!known) return this.#commit(createJob(birth, Date.now(), Math.random()))
    return known.fingerprint === birth.fingerprint
      ? this.#commit(recordAnnouncement(known, birth.account, birth.answer, Date.now(), Math.random()))
      : known
  }

  /** The job, or null for an id that has none; looking writes nothing. */
  read(): Job | null {
    if (this.#job === undefined) {
      const stored = this.ctx.storage.kv.get('job')
      this.#job = stored === undefined ? null : parseStored(Job, stored)
    }
    return this.#job
  }

  /** Takes in the PSP's answer to an announcement that was repeated. */
  announced({ account, answer }: AnnouncedAt): Job | null {
    return this.#change((job, now) => recordAnnouncement(job, account, answer, now, Math.random()))
  }

  /** Records what the PSP said after a customer's return or a notification. */
  record(action: 'Return' | 'Statuspull', seen: PullAnswer): Job | null {
    return this.#change((job, now) => {
      if (seen.is === 'observed') return recordPull(job, action, seen, now)
      return action === 'Return' ? recordReturn(job, now) : job
    })
  }

  /** The job to report, or null when the report of this revision is no longer wanted. */
  wanted(revision: number): Job | null {
    const job = this.read()
    return job && isWanted(job, revision) ? job : null
  }

  /** Records a try to deliver a report. */
  reported(revision: number, outcome: DeliveryOutcome): Job | null {
    return this.#change((job, now) => recordDelivery(job, revision, outcome, now, Math.random()))
  }

  /** Sends the newest report again, from the start of its schedule. */
  resend(): Job | null {
    return this.#change(resend)
  }

  /** Rings for every timer of the job. It must not throw: after a few such times the platform rings no more. */
  override async alarm(): Promise<void> {
    try {
      const job = this.read()
      if (!job) return
      this.#job = { ...job, alarmAt: null }
      const planned = plan(this.#job, Date.now(), Math.random(), this.#retention)
      if (planned.work === 'purge') return await this.#forget(planned.job)
      const next = this.#commit(planned.job)
      if (planned.work) this.#change(await askPsp(this.env, next, planned.work))
    } catch (error) {
      console.error({ event: 'alarm.failed', job: this.ctx.id.name, error: describeFault(error) })
      await this.ctx.storage.setAlarm(Date.now() + ALARM_AFTER_FAULT)
    }
  }

  get #retention(): number {
    return (Number(this.env.RETENTION_DAYS) || DEFAULT_RETENTION) * DAY
  }

  /** Deletes the job after its retention time, once the index queue has taken the word. */
  async #forget(job: Job): Promise<void> {
    if (!(await sendPurged(this.env, job))) return this.ctx.storage.setAlarm(Date.now() + HOUR)
    await this.ctx.storage.deleteAll()
    this.#job = null
    console.log({ event: 'job.forgotten', job: job.id })
  }

  #change(decide: (job: Job, now: number) => Job): Job | null {
    const job = this.read()
    return job && this.#commit(decide(job, Date.now()))
  }

  /** Saves a changed job with what it owes and its alarm in one write, and then acts on what it owes. */
  #commit(decided: Job): Job {
    const before = this.#job ?? null
    const now = Date.now()
    const next = dispatch(decided, now)
    const alarmAt = alarmFor(next, this.#retention, next.alarmAt, now)
    if (next === before && alarmAt === before.alarmAt) return before
    const saved: Job = { ...next, alarmAt }
    if (!before || !sameButTimers(before, saved)) this.ctx.storage.kv.put('job', saved)
    if (alarmAt !== next.alarmAt) void this.ctx.storage.setAlarm(Math.max(alarmAt, now + 1000))
    this.#job = saved
    this.ctx.waitUntil(this.#send(before, saved))
    return saved
  }

  /** That the queue took a row is saved with the next change; after a second send at once, or it would go on. */
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
