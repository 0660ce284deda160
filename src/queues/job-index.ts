import type { JobKey } from '../domain/job-row.ts'
import { type IndexMessage, indexMessage } from '../domain/messages.ts'
import { log } from '../log.ts'
import { atShards, indexShards } from '../storage/d1/index-shards.ts'
import { removeJobs, upsertJobs } from '../storage/d1/job-index.ts'
import { countPurges } from '../storage/d1/purges.ts'
import { addToDirectory } from '../storage/objects/job-directory.ts'
import { readMessage } from './read-message.ts'

/** Longest pause (s) before a message is tried again; a queue delays up to 24 hours. */
const LONGEST_DELAY = 3600

type Entry = { message: Message; body: IndexMessage; created: number; pos: string }

/**
 * The `job-index` queue: the rows of a batch are one transaction at each shard of the index. New jobs are added to the
 * job directory first, so that D1 never has a job that could not be found again. While a database is down its messages come
 * back with growing pauses; those of the other shards are done.
 */
export const consumeJobIndex = async (batch: MessageBatch, env: Env): Promise<void> => {
  const entries = batch.messages.flatMap((message) => read(batch.queue, message))
  try {
    const shards = indexShards(env)
    const created = entries.flatMap(({ body }) => ('row' in body && !body.listed ? [body.row] : []))
    await addToDirectory(env, created)
    await atShards(shards, entries, (database, there) =>
      acknowledge(there, () => write(env, database, there)),
    )
  } catch (error) {
    retry(entries, error)
  }
}

const read = (queue: string, message: Message): Entry[] => {
  const body = readMessage(queue, indexMessage, message)
  if (body === null) return []
  const { created, pos }: JobKey = 'row' in body ? body.row : body.forgotten
  return [{ message, body, created, pos }]
}

const write = async (env: Env, database: D1Database, entries: readonly Entry[]): Promise<void> => {
  const rows = entries.flatMap(({ body }) => ('row' in body ? [body.row] : []))
  const gone = entries.flatMap(({ body }) => ('forgotten' in body ? [body.forgotten] : []))
  await upsertJobs(database, rows)
  if (gone.length === 0) return
  const removed = await removeJobs(database, gone)
  await countPurges(env.DB, { objects: gone.length, rows: removed }, Date.now())
}

/** Acknowledges the messages of a shard once its work is done, or has them come again: others are not held up by it. */
const acknowledge = async (entries: readonly Entry[], work: () => Promise<void>): Promise<void> => {
  try {
    await work()
    for (const { message } of entries) message.ack()
  } catch (error) {
    retry(entries, error)
  }
}

const retry = (entries: readonly Entry[], error: unknown): void => {
  log.fault('index.write-failed', error, { messages: entries.length })
  for (const { message } of entries) {
    message.retry({ delaySeconds: Math.min(5 * 2 ** message.attempts, LONGEST_DELAY) })
  }
}
