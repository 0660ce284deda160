import { asc, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/d1'
import { isoDay } from '../contract/timestamp.ts'
import type { JobKey, JobRow } from '../job/core/row.ts'
import { type IndexMessage, type PurgeMessage, indexMessage } from '../job/messages.ts'
import { log } from '../platform/log.ts'
import { readMessage } from '../platform/queues.ts'
import { purges } from './schema.ts'
import { atShards } from './index-shards.ts'
import { addToDirectory } from './job-directory.ts'
import { removeJobs, upsertJobs } from './job-index.ts'
import { informPaidAgain } from './paid-again.ts'

/** The longest pause (s) before another try. */
const LONGEST_DELAY = 3600

type Entry = { message: Message; body: IndexMessage; created: number }

/**
 * Consumes the `job-index` queue: writes the rows of a batch in one transaction per shard. Adds new
 * jobs to the directory first, so that a rebuild finds every job that D1 had. While a shard is down
 * its messages come back with growing pauses; those of the other shards are done.
 */
export async function consumeJobIndex(batch: MessageBatch, env: Env): Promise<void> {
  const entries = batch.messages.flatMap((message) => read(batch.queue, message))
  try {
    await addToDirectory(env, entries.flatMap(unlistedRow))
    await atShards(env, entries, (database, there) => writeAndAcknowledge(env, database, there))
  } catch (error) {
    retry(error, entries)
  }
}

/** Returns the row of a message whose job is not yet in the directory. */
function unlistedRow({ body }: Entry): JobRow[] {
  return 'row' in body && !body.listed ? [body.row] : []
}

function read(queue: string, message: Message): Entry[] {
  const body = readMessage(queue, indexMessage, message)
  if (body === null) return []
  const { created }: JobKey = 'row' in body ? body.row : body.forgotten
  return [{ message, body, created }]
}

/** Acknowledges the messages of a shard once it has their rows. */
async function writeAndAcknowledge(env: Env, database: D1Database, entries: readonly Entry[]): Promise<void> {
  const rows = entries.flatMap(({ body }) => ('row' in body ? [body.row] : []))
  const gone = entries.flatMap(({ body }) => ('forgotten' in body ? [body.forgotten] : []))
  try {
    await upsertJobs(database, rows)
    await informPaidAgain(env, rows)
    await forget(env, database, gone)
    for (const { message } of entries) message.ack()
  } catch (error) {
    retry(error, entries)
  }
}

/** Removes the rows of purged jobs at a shard, and counts both for the day. Their figures stay. */
async function forget(
  env: Env,
  database: D1Database,
  gone: readonly PurgeMessage['forgotten'][],
): Promise<void> {
  if (gone.length === 0) return
  const removed = await removeJobs(database, gone)
  await drizzle(env.DB)
    .insert(purges)
    .values({ day: isoDay(Date.now()), objects: gone.length, rows: removed })
    .onConflictDoUpdate({
      target: purges.day,
      set: { objects: sql`${purges.objects} + excluded.objects`, rows: sql`${purges.rows} + excluded.rows` },
    })
}

/** Removes the rows of deleted jobs, as if the queue had brought the messages of their purge. */
export async function forgetJobs(env: Env, rows: readonly JobRow[]): Promise<void> {
  await atShards(env, rows, (database, there) => forget(env, database, there))
}

function retry(error: unknown, entries: readonly Entry[]): void {
  log.fault('index.write-failed', error, { messages: entries.length })
  for (const { message } of entries) message.retry({ delaySeconds: delayOf(message) })
}

function delayOf({ attempts }: Message): number {
  return Math.min(5 * 2 ** attempts, LONGEST_DELAY)
}

export async function purgeCounts(database: D1Database): Promise<(typeof purges.$inferSelect)[]> {
  return drizzle(database).select().from(purges).orderBy(asc(purges.day))
}
