import { WorkerEntrypoint, exports } from 'cloudflare:workers'
import { callJob } from '../job/call-job.ts'
import { isoTime } from '../contract/timestamp.ts'
import { nextReportAt } from '../job/core/duties.ts'
import type { FactOf } from '../job/core/facts.ts'
import { realAt } from '../contract/advance.ts'
import { leftAloneUntil } from '../job/core/schedule.ts'
import type { State } from '../job/core/state.ts'
import { type ReportMessage, reportMessage } from '../job/messages.ts'
import { log } from '../platform/log.ts'
import { inRequest } from '../platform/request-context.ts'
import { throwIfLost } from '../registry/lost-registry.ts'
import { readProfile } from '../registry/copies.ts'
import type { Profile } from '../registry/profile.ts'
import { type Offer, offerReport } from './call-listener.ts'
import { type DeliveryOutcome, DEADLINE, deliver, unanswered, judge, signReport } from './deliver.ts'
import type { ResultFrame } from '../contract/report-frames.ts'
import { eachMessage } from '../platform/queues.ts'

/** How long (ms) the caller waits for a try: long enough to notice a fault of the hub itself. */
const PATIENCE = 50

/** The state of a try. `failed`: a fault of the hub. `slow`: still under way. */
type Attempted = 'done' | 'failed' | 'slow'

/** Makes one try at a report, in an invocation of its own, so that a slow receiver delays no other batch. */
export class ReportDelivery extends WorkerEntrypoint<Env> {
  async attempt(message: ReportMessage): Promise<Attempted> {
    const work = inRequest(() => this.#attempt(message))
    this.ctx.waitUntil(work)
    const patience = new Promise<Attempted>((resolve) => setTimeout(resolve, PATIENCE, 'slow'))
    return Promise.race([work, patience])
  }

  async #attempt({ job: id, revision }: ReportMessage): Promise<Attempted> {
    let pos: string | undefined
    try {
      const job = await callJob<State | null>(this.env, id, async (stub) => stub.toReport(revision))
      if (!job) return 'done'
      pos = job.pos
      const profile = await readProfile(this.env, job.pos)
      if (!profile) await throwIfLost(this.env)
      const start = Date.now()
      const { outcome, tell } = profile ? await deliverListened(this.env, job, revision, profile) : unknownPos
      if (outcome.is !== 'delivered') {
        log.warn('report.failed', { job: id, revision, pos: job.pos, outcome: outcome.outcome })
      }
      const tried = triedAs(outcome, revision, job.clock.offset, start, Date.now())
      tell(
        await callJob<State | null>(this.env, id, async (stub) => stub.tell({ do: 'record-report', tried })),
      )
      return 'done'
    } catch (error) {
      log.fault('report.not-tried', error, { job: id, revision, pos })
      return 'failed'
    }
  }
}

/** Returns a try as a fact, by the job's clock, which is `offset` (ms) ahead. */
function triedAs(
  outcome: DeliveryOutcome,
  revision: number,
  offset: number,
  start: number,
  end: number,
): FactOf<'report-tried'> {
  const retryAfter = outcome.is === 'failed' ? (outcome.retryAfter ?? 0) : 0
  return {
    is: 'report-tried',
    revision,
    began: start + offset,
    ms: Math.max(end - start, 0),
    outcome: outcome.outcome,
    result: outcome.is === 'stopped' ? 'unwanted' : outcome.is,
    ...(outcome.is !== 'delivered' && outcome.answer !== undefined ? { answer: outcome.answer } : {}),
    ...(retryAfter > 0 ? { notBefore: leftAloneUntil(end + offset, retryAfter) } : {}),
  }
}

const unknownPos: Delivered = {
  outcome: { is: 'stopped', outcome: 'point of sale unknown' },
  tell: noListeners,
}

/** The result of a try, and a function that shows listeners what the job recorded. */
type Delivered = { outcome: DeliveryOutcome; tell: (recorded: State | null) => void }

function noListeners(): void {}

/**
 * Delivers a report of a point of sale. In test mode its listeners come first: one that answers
 * gets the report instead of `report_url`, with the same deadline, unless it declines; those that
 * only watch see the report and the result. In live mode there are no listeners.
 */
export async function deliverListened(
  env: Env,
  job: State,
  revision: number,
  profile: Profile,
): Promise<Delivered> {
  const delivery = crypto.randomUUID()
  const offer = profile.mode === 'test' ? await offerReport(env, profile, delivery) : null
  const signed = await signReport(env, job, revision, profile)
  if (!offer) return { outcome: await deliver(env, job, signed), tell: noListeners }
  const start = Date.now()
  const { reportUrl } = job.order
  const to = offer.as === 'answers' ? 'listener' : 'report_url'
  const about = { delivery, job: job.id, revision }
  offer.show({ type: 'report', ...about, try: triesOf(job, revision) + 1, to, reportUrl, ...signed })
  const answered = to === 'listener' ? await answerOf(offer) : 'declined'
  const outcome = answered === 'declined' ? await deliver(env, job, signed) : answered
  const ms = Date.now() - start
  const tell = (recorded: State | null): void => {
    const result = resultOf(recorded, revision)
    offer.show({ type: 'result', ...about, outcome: outcome.outcome, ...result, ms })
    offer.end()
  }
  return { outcome, tell }
}

function triesOf({ report }: State, revision: number): number {
  return report?.history.filter((tried) => tried.revision === revision).length ?? 0
}

/** Waits for a listener's answer. A declined report goes to its `report_url` in the same try. */
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

/** Returns how the report now stands: replaced by a newer one if the job no longer has it. */
function resultOf(recorded: State | null, revision: number): Pick<ResultFrame, 'state' | 'nextTry'> {
  const report = recorded?.report
  if (!recorded || report?.revision !== revision) return { state: 'superseded', nextTry: null }
  if (report.state !== 'due') return { state: report.state, nextTry: null }
  const next = nextReportAt(recorded, Date.now() + recorded.clock.offset)
  return { state: 'due', nextTry: next === null ? null : isoTime(realAt(recorded.clock, next)) }
}

/** Consumes the `reports` queue: each message is one try. The job plans the next. */
export function consumeReports(batch: MessageBatch): Promise<void> {
  return eachMessage(batch, reportMessage, async (message) => {
    const attempted = await exports.ReportDelivery.attempt(message)
    if (attempted === 'failed') throw new Error('the report could not be tried')
  })
}

/** Consumes the dead letter queue: reports that the hub failed to try. Jobs send them again. */
export function consumeDeadReports(batch: MessageBatch): Promise<void> {
  return eachMessage(batch, reportMessage, ({ job, revision }) => {
    log.error('report.dead-letter', { job, revision })
    return Promise.resolve()
  })
}
