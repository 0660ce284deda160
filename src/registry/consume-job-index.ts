import * as v from 'valibot'
import { describeFault } from '../domain/fault.ts'
import { Forgotten, RowMessage } from '../domain/job-row.ts'
import { removeJobs, upsertJobs } from './job-index.ts'
import { enterJobs } from './job-ledger.ts'

/** Longest pause (s) before a batch is tried again; a queue delays up to twelve hours. */
const LONGEST_DELAY = 3600

const Message = v.union([RowMessage, Forgotten])

/**
 * The `job-index` queue: the rows of a batch are one transaction. Births are entered in the ledger first, so that D1
 * never has a job that could not be found again. While D1 is down messages come back with growing pauses.
 */
export const consumeJobIndex = async (batch: MessageBatch, env: Env): Promise<void> => {
  const messages = batch.messages.flatMap(({ id, body }) => {
    const parsed = v.safeParse(Message, body)
    if (!parsed.success) console.error({ event: 'index.message-unreadable', message: id })
    return parsed.success ? [parsed.output] : []
  })
  const changes = messages.filter((message) => 'row' in message)
  const gone = messages.flatMap((message) => ('forgotten' in message ? [message.forgotten] : []))
  const rows = changes.map(({ row }) => row)
  const births = changes.filter(({ listed }) => !listed).map(({ row }) => row)
  try {
    await enterJobs(env, births)
    await upsertJobs(env.DB, rows)
    await removeJobs(env.DB, gone, Date.now())
    batch.ackAll()
  } catch (error) {
    console.error({ event: 'index.write-failed', messages: messages.length, error: describeFault(error) })
    for (const message of batch.messages) {
      message.retry({ delaySeconds: Math.min(5 * 2 ** message.attempts, LONGEST_DELAY) })
    }
  }
}
