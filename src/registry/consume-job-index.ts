import * as v from 'valibot'
import { JobRow } from '../domain/job-row.ts'
import { upsertJobs } from './job-index.ts'

/** Longest pause (s) before a batch is tried again; a queue delays up to twelve hours. */
const LONGEST_DELAY = 3600

/** The `job-index` queue: a batch is one transaction. While D1 is down its messages come back with growing pauses. */
export const consumeJobIndex = async (batch: MessageBatch, env: Env): Promise<void> => {
  const rows = batch.messages.flatMap((message) => {
    const parsed = v.safeParse(JobRow, message.body)
    if (!parsed.success) console.error({ event: 'index.message-unreadable', message: message.id })
    return parsed.success ? [parsed.output] : []
  })
  try {
    await upsertJobs(env.DB, rows)
    batch.ackAll()
  } catch (error) {
    console.error({ event: 'index.write-failed', messages: rows.length, error: String(error) })
    for (const message of batch.messages) {
      message.retry({ delaySeconds: Math.min(5 * 2 ** message.attempts, LONGEST_DELAY) })
    }
  }
}
