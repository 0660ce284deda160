import { WorkerEntrypoint } from 'cloudflare:workers'
import { indexRow } from '../job-index/job-directory.ts'
import { callJob } from '../job/call-job.ts'
import { realAt } from '../contract/job-clock.ts'
import { toRow } from '../job/rules/job-row.ts'
import type { Job } from '../job/rules/job.ts'
import type { ReportMessage } from '../job/rules/messages.ts'
import type { DeliveryOutcome } from '../job/rules/reporting.ts'
import { isRowForReport } from '../job/rules/row-with-report.ts'
import { within } from '../platform/deadline.ts'
import { log } from '../platform/log.ts'
import { inRequest } from '../platform/request-context.ts'
import { readProfile } from '../registry/profile-cache.ts'
import type { Profile } from '../registry/profile.ts'
import { type Offer, offerReport } from './call-listener.ts'
import { DEADLINE, deliver, deliverSigned, unanswered, judge } from './deliver.ts'
import type { ResultFrame } from '../contract/report-frames.ts'
import { signReport } from './sign-report.ts'

/** How long (ms) the caller waits for a try: enough to learn of a fault of the hub's own. */
const PATIENCE = 50

/** How long (ms) a row may take: the try ends before the object counts it as lost. */
const LONGEST_WRITE = 10_000

/** How a try stands: `failed` is a fault of ours, `slow` is still under way. */
type Attempted = 'done' | 'failed' | 'slow'

/**
 * A try at a report, in an invocation of its own: a slow receiver then holds up no other batch of
 * the queue. If it is cut off, the job still owes the report, and sends it again.
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
 * Writes the row that waits for this try, while the receiver answers. Returns its sequence, or
 * nothing where no row waits or it takes too long: then the object sends it by its queue.
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

/** How a try went, and what shows those who listen what was recorded of it. */
type Delivered = { outcome: DeliveryOutcome; tell: (recorded: Job | null) => void }

function nobody(): void {}

/**
 * Delivers a report. In test mode a listener that answers gets it in place of the `report_url`,
 * with the same deadline, unless it declines; listeners that only watch see what is sent, and its
 * outcome.
 */
export async function deliverListened(
  env: Env,
  job: Job,
  revision: number,
  profile: Profile,
): Promise<Delivered> {
  const delivery = crypto.randomUUID()
  const offer = profile.mode === 'test' ? await offerReport(env, profile, delivery) : null
  if (!offer) return { outcome: await deliver(env, job, revision, profile), tell: nobody }
  const signed = await signReport(env, job, revision, profile)
  const start = Date.now()
  const { reportUrl } = job.order
  const to = offer.as === 'answers' ? 'listener' : 'report_url'
  const about = { delivery, job: job.id, revision }
  offer.show({ type: 'report', ...about, try: triesOf(job, revision) + 1, to, reportUrl, ...signed })
  const answered = to === 'listener' ? await answerOf(offer) : 'declined'
  const outcome = answered === 'declined' ? await deliverSigned(env, job, signed) : answered
  const ms = Date.now() - start
  const tell = (recorded: Job | null): void => {
    const result = resultOf(recorded, revision)
    offer.show({ type: 'result', ...about, outcome: outcome.outcome, ...result, ms })
    offer.end()
  }
  return { outcome, tell }
}

function triesOf(job: Job, revision: number): number {
  return job.reports.find((report) => report.revision === revision)?.attempts.length ?? 0
}

/** How the listeners take a report. A declined one goes to its `report_url` with the same try. */
async function answerOf(offer: Offer): Promise<DeliveryOutcome | 'declined'> {
  const deadline = AbortSignal.timeout(DEADLINE)
  const answer = await offer.answer(deadline)
  if (answer === null) return unanswered(deadline)
  if (answer.type === 'declined') return 'declined'
  if ('failed' in answer) return { is: 'failed', outcome: answer.failed, retryAfter: null }
  const { status, retryAfter } = answer
  return judge({
    status,
    headers: new Headers(retryAfter === undefined ? {} : { 'retry-after': retryAfter }),
  })
}

/** How the report stands now. One that the job no longer has was overtaken by a newer one. */
function resultOf(recorded: Job | null, revision: number): Pick<ResultFrame, 'state' | 'nextTry'> {
  const report = recorded?.reports.find((known) => known.revision === revision)
  if (!report) return { state: 'superseded', nextTry: null }
  const dueAt = realAt(recorded?.clock, report.dueAt)
  const nextTry = report.state === 'waiting' ? new Date(dueAt).toISOString() : null
  return { state: report.state, nextTry }
}
