import * as v from 'valibot'
import { describeFault } from '../domain/fault.ts'
import { PurgeMessage, RowMessage } from '../domain/job-row.ts'
import { atShards, indexShards } from '../storage/d1/index-shards.ts'
import { removeJobs, upsertJobs } from '../storage/d1/job-index.ts'
import { addToDirectory } from '../storage/objects/job-directory.ts'
import { countPurges } from '../storage/d1/purges.ts'

/** Longest pause (s) before a message is tried again; a queue delays up to twelve hours. */
const LONGEST_DELAY = 3600

const Body = v.union([RowMessage, PurgeMessage])
type Entry = { message: Message; body: v.InferOutput<typeof Body>; created: number; pos: string }

/**
 * The `job-index` queue: the rows of a batch are one transaction at each shard of the index. Births are entered in the
 * ledger first, so that D1 never has a job that could not be found again. While a database is down its messages come
 * back with growing pauses; those of the other shards are done.
 */
export const consumeJobIndex = async (batch: MessageBatch, env: Env): Promise<void> => {
  const entries = batch.messages.flatMap(read)
  try {
    const shards = indexShards(env)
    const births = entries.flatMap(({ body }) => ('row' in body && !body.listed ? [body.row] : []))
    await addToDirectory(env, births)
    await atShards(shards, entries, (database, there) =>
      acknowledge(there, () => write(env, database, there)),
    )
  } catch (error) {
    retry(entries, error)
  }
}

/** A message that cannot be read is logged, and done with: it would not be readable another time. */
const read = (message: Message): Entry[] => {
  const parsed = v.safeParse(Body, message.body)
  if (parsed.success) {
    const { created, pos } = 'row' in parsed.output ? parsed.output.row : parsed.output.forgotten
    return [{ message, body: parsed.output, created, pos }]
  }
  console.error({ event: 'index.message-unreadable', message: message.id })
  message.ack()
  return []
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
  console.error({ event: 'index.write-failed', messages: entries.length, error: describeFault(error) })
  for (const { message } of entries) {
    message.retry({ delaySeconds: Math.min(5 * 2 ** message.attempts, LONGEST_DELAY) })
  }
}
