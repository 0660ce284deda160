import { readConfig } from '../platform/config.ts'
import { mayMove } from './rules/advance.ts'
import { jobNow, realAt } from '../contract/job-clock.ts'
import { type Job, isNewlyOverpaid, isWorthSaving } from './rules/job.ts'
import { markIndexRefused, markIndexed } from './rules/job-row.ts'
import { dispatch } from './rules/reporting.ts'
import { restUntilReported } from './rules/row-with-report.ts'
import { alarmFor } from './rules/timers.ts'
import { log } from '../platform/log.ts'
import { sendOutbox } from './outbox.ts'
import { readStoredJob, writeStoredJob } from './stored-job.ts'

export type JobRecord = ReturnType<typeof jobRecord>
/** How soon (ms) the alarm runs again that moves a test job's clock from timer to timer. */
const STEP = 20

/**
 * The job of an object: read once, changed in one way alone, and saved with what is to be sent and with its alarm. `changed` is
 * called after each of that.
 */
export function jobRecord(
  ctx: DurableObjectState,
  env: Env,
  changed: (before: Job | null, job: Job) => void,
) {
  let job: Job | null = null
  let isInAlarm = false

  /** The job, or null where none is; looking writes nothing. Throws when it cannot be read. */
  const read = (): Job | null => {
    if (job === null) {
      job = readStoredJob(ctx.storage.kv)
      if (job && !isInAlarm) ctx.waitUntil(restoreAlarm())
    }
    return job
  }

  /** `tried` where the caller tries the report that the change calls for: then no queue gets it. */
  const change = (decide: (job: Job, now: number) => Job, tried = false): Job | null => {
    const current = read()
    return current && save(decide(current, jobNow(current.clock, Date.now())), tried)
  }

  /**
   * Saves a changed or a new job with what is to be sent and its alarm in one write, and then sends it: a report that the caller tries
   * itself (`tried`) only once it counts as lost.
   */
  const save = (decided: Job, tried = false): Job => {
    const before = job
    const real = Date.now()
    const now = jobNow(decided.clock, real)
    const next = restUntilReported(before, dispatch(decided, now))
    const alarmAt = mayMove(next) ? now : alarmFor(next, readConfig(env).retention, next.alarmAt, now)
    if (next === before && alarmAt === before.alarmAt) return before
    const saved: Job = { ...next, alarmAt }
    if (!before || isWorthSaving(before, saved)) writeStoredJob(ctx.storage.kv, saved)
    if (alarmAt !== null && alarmAt !== next.alarmAt)
      void ctx.storage.setAlarm(Math.max(realAt(next.clock, alarmAt), real + (mayMove(next) ? STEP : 1000)))
    const about = { job: saved.id, pos: saved.pos, account: saved.account }
    if (isNewlyOverpaid(before, saved)) log.warn('payment.overpaid', about)
    if (saved.late && !before?.late) log.warn('payment.late', about)
    job = saved
    changed(before, saved)
    ctx.waitUntil(send(before, saved, tried))
    return saved
  }

  /**
   * A row that the queue has taken is saved together with the job's next change. After a second send it is saved at once;
   * otherwise it would be sent for ever.
   */
  const send = async (before: Job | null, sent: Job, tried: boolean): Promise<void> => {
    const { sequence, indexSends } = sent
    switch (await sendOutbox(env, before, sent, tried)) {
      case 'taken':
        if (indexSends > 0) change((current) => markIndexed(current, sequence))
        else job = job && markIndexed(job, sequence)
        break
      case 'refused':
        change((current, now) => markIndexRefused(current, sequence, now))
        break
      case 'nothing':
        break
    }
  }

  /** Sets the alarm that the job should have, once the platform has given it up: it does so after a few failures. */
  const restoreAlarm = async (): Promise<void> => {
    if ((await ctx.storage.getAlarm()) !== null || !job) return
    job = { ...job, alarmAt: null }
    save(job)
  }

  return {
    read,
    change,
    save,
    /** Sets the alarm to what it should be today, also where the platform has given it up. Whether there is a job. */
    async wake(): Promise<boolean> {
      const woken = change((current) => current)
      await restoreAlarm()
      return woken !== null
    },
    /** Does what the alarm has to do with the job, which has no alarm any more. */
    async inAlarm(work: (job: Job | null) => Promise<void>): Promise<void> {
      isInAlarm = true
      try {
        const current = read()
        job = current && { ...current, alarmAt: null }
        await work(job)
      } finally {
        isInAlarm = false
      }
    },
    /** Drops the job from memory: it is being deleted. */
    drop: (): void => void (job = null),
  }
}
