import type * as v from 'valibot'
import type { JobKey } from '../job/core/row.ts'
import { eachMessage, sendAll } from '../platform/queues.ts'
import { isUnreadable } from '../platform/stored.ts'
import { type SQL, eq, lt, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/d1'
import { indexMessage } from '../job/messages.ts'
import { wakeJob } from '../job/call-job.ts'
import { readConfig } from '../platform/config.ts'
import { log } from '../platform/log.ts'
import { jobs } from './schema.ts'
import { byKey, nextKeys } from './by-shop.ts'
import { directoryDays } from './job-directory.ts'
import { type IndexCheck, checkNext, daysToCheck, isTimeToCheck } from './nightly-check.ts'
import { bringEarlierDay, bringRows } from './release-rows.ts'
import { type WakePage, sweepMessage } from './sweep-message.ts'
import { type Sweep, sweepsAt } from './sweep-plan.ts'
import { inShards } from './index-shards.ts'

/** The most jobs that a message wakes: an invocation may call a thousand objects. */
const PAGE = 200

/** Consumes the `sweeps` queue: each message is a page of jobs to wake or to check. */
export function consumeSweeps(batch: MessageBatch, env: Env): Promise<void> {
  return eachMessage(batch, sweepMessage, (message) =>
    'check' in message ? checkDay(env, message) : wakePage(env, message),
  )
}

async function checkDay(env: Env, check: IndexCheck): Promise<void> {
  const now = Date.now()
  const next = await checkNext(env, check, now)
  if (next) await env.SWEEPS.send(sweepMessage.write(next.message), { delaySeconds: next.delaySeconds })
  else if (check.edition !== undefined) await bringEarlierDay(env, check.check, now)
}

/** Starts the nightly check of a part of the index, and once a week of all of it. */
export async function startChecks(env: Env, now: number): Promise<void> {
  if (!isTimeToCheck(now)) return
  try {
    const days = daysToCheck(await directoryDays(env), now)
    await sendAll(
      env.SWEEPS,
      days.map((check) => ({ body: sweepMessage.write({ check, after: null, wrong: 0, again: false }) })),
    )
  } catch (error) {
    log.fault('queue.send-failed', error)
  }
}

/** After a deploy, brings the rows of stored jobs to its release. */
export async function startBringingRows(env: Env, now: number): Promise<void> {
  try {
    await bringRows(env, now)
  } catch (error) {
    log.fault('queue.send-failed', error)
  }
}

/** Wakes a page of jobs. Sends the next page first: a cut-off may wake jobs twice, but misses none. */
async function wakePage(env: Env, { sweep, after }: v.InferOutput<typeof WakePage>): Promise<void> {
  const found = await jobsToWake(env, sweep, after, PAGE)
  const last = found.at(-1)
  if (!last) return
  if (found.length === PAGE) await env.SWEEPS.send(sweepMessage.write({ sweep, after: last }))
  log.info('sweep.woken', { status: sweep.status, jobs: found.length })
  await Promise.all(found.map((job) => wake(env, job)))
}

/**
 * Wakes a job, and removes the row of a purged one. If it fails, a later sweep wakes the job. No job
 * that is just being created is old enough for a sweep.
 */
async function wake(env: Env, key: JobKey): Promise<void> {
  try {
    const isThere = await wakeJob(env, key.id)
    if (!isThere) await env.JOB_INDEX.send(indexMessage.write({ forgotten: key }))
  } catch (error) {
    log.fault(isUnreadable(error) ? 'stored.unreadable' : 'sweep.failed', error, {
      job: key.id,
      pos: key.pos,
    })
  }
}

/** Starts the hourly sweeps: for jobs whose alarm was lost, IP addresses to erase, and jobs to purge. */
export async function startSweeps(env: Env, now: number): Promise<void> {
  const { retention, addressRetention } = readConfig(env)
  const sweeps = sweepsAt(now, retention, addressRetention)
  try {
    await env.SWEEPS.sendBatch(sweeps.map((sweep) => ({ body: sweepMessage.write({ sweep, after: null }) })))
  } catch (error) {
    log.fault('queue.send-failed', error)
  }
}

/** Finds the next jobs of a sweep, at most `limit`, in the order of the table's key. */
export async function jobsToWake(
  env: Env,
  sweep: Sweep,
  after: JobKey | null,
  limit: number,
): Promise<JobKey[]> {
  const { status, from, to, changedBefore } = sweep
  const wanted = [
    ...(status === null ? [] : [eq(jobs.status, status)]),
    ...(changedBefore === null ? [] : [lt(jobs.updated, changedBefore)]),
  ]
  const isReserved = sweep.of === 'captureBefore'
  const next = isReserved
    ? nextReserved(from / 1000, to / 1000, after, limit)
    : nextKeys({ from, to, after, limit }, { wanted })
  // The job of a reservation that ends now may have been created at any time.
  const span = isReserved ? undefined : sweep
  const found = await inShards(env, (database) => drizzle(database).all<JobKey>(next), span)
  return found.toSorted(byKey).slice(0, limit)
}

/** Returns SQL for jobs whose reservation ended in [from, to) (ms). The plus keeps SQLite at that index. */
function nextReserved(from: number, to: number, after: JobKey | null, limit: number): SQL {
  const { pos, created, id } = after ?? { pos: '', created: 0, id: '' }
  return sql`select pos, created, id from jobs
    where capture_before >= ${from} and capture_before < ${to} and (+pos, +created, +id) > (${pos}, ${created}, ${id})
    order by +pos, +created, +id limit ${limit}`
}
