import { WorkerEntrypoint } from 'cloudflare:workers'
import { toRow } from '../job/rules/job-row.ts'
import type { Job } from '../job/rules/job.ts'
import type { ReportMessage } from '../job/rules/messages.ts'
import { isRowForReport } from '../job/rules/row-with-report.ts'
import { within } from '../platform/http/within.ts'
import { log } from '../platform/log.ts'
import { callJob } from '../job/call-job.ts'
import { inRequest } from '../platform/request-context.ts'
import { readProfile } from '../registry/profile-cache.ts'
import { indexRow } from '../job-index/job-directory.ts'
import { type Delivered, deliverListened } from './deliver-listened.ts'

/** How long (ms) a try is waited for: enough to learn of a fault of ours, and to slow a flood down a little. */
const PATIENCE = 50

/** How long (ms) a row may take: the try ends before the object counts it as lost. */
const LONGEST_WRITE = 10_000

/** How a try stands: `failed` is a fault of ours, `slow` is still under way. */
export type Attempted = 'done' | 'failed' | 'slow'

/**
 * A try at a report, in an invocation of its own. A queue event lasts until its slowest promise, so a slow receiver
 * would hold up the batches behind it: here it goes on by itself. Should it be cut off, the job's report stays
 * pending, and is sent again.
 */
export class ReportDelivery extends WorkerEntrypoint<Env> {
  /** `begun` is the job where its object has let the caller begin this try; a message has none. */
  async attempt(message: ReportMessage, begun?: Job): Promise<Attempted> {
    const work = inRequest(() => this.#attempt(message, begun))
    this.ctx.waitUntil(work)
    const patience = new Promise<Attempted>((resolve) => setTimeout(resolve, PATIENCE, 'slow'))
    return Promise.race([work, patience])
  }

  async #attempt({ job: id, revision }: ReportMessage, begun?: Job): Promise<Attempted> {
    let pos: string | undefined
    try {
      const job = begun ?? (await callJob(this.env, id, (stub) => stub.wanted(revision)))
      if (!job) return 'done'
      pos = job.pos
      const profile = await readProfile(this.env, job.pos)
      const start = Date.now()
      const writing = writeRow(this.env, job)
      const { outcome, tell } = profile ? await deliverListened(this.env, job, revision, profile) : unknownPos
      if (outcome.is !== 'delivered') {
        log.warn('report.failed', { job: id, revision, pos: job.pos, outcome: outcome.outcome })
      }
      const tried = { ...outcome, milliseconds: Date.now() - start }
      const row = await writing
      tell(await callJob(this.env, id, (stub) => stub.reported(revision, tried, row)))
      return 'done'
    } catch (error) {
      log.fault('report.not-tried', error, { job: id, revision, pos })
      return 'failed'
    }
  }
}

/**
 * Writes the row that rests until this try is over, while the receiver answers, and says which one it was. None where no row rests, or
 * where it cannot be written in time: then the job's object sends it by its queue.
 */
async function writeRow(env: Env, job: Job): Promise<number | undefined> {
  if (!isRowForReport(job)) return undefined
  const writing = indexRow(env, toRow(job), job.listed).then(
    () => true,
    (error: unknown) => {
      log.fault('index.write-failed', error, { messages: 1 })
      return false
    },
  )
  return (await within(LONGEST_WRITE, writing)) ? job.sequence : undefined
}

const unknownPos: Delivered = {
  outcome: { is: 'stopped', outcome: 'point of sale unknown' },
  tell: () => {},
}
