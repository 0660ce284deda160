import { realAt } from '../job/rules/job-clock.ts'
import type { Job } from '../job/rules/job.ts'
import type { Profile } from '../registry/profile.ts'
import type { DeliveryOutcome } from '../job/rules/reporting.ts'
import { type Offer, offerReport } from './call-listener.ts'
import type { ResultFrame } from '../contract/report-frames.ts'
import { DEADLINE, deliver, deliverSigned, unanswered } from './deliver.ts'
import { judge } from './judge.ts'
import { signReport } from './sign-report.ts'

/** How a try went, and what shows those who listen what was recorded of it. */
export type Delivered = { outcome: DeliveryOutcome; tell: (recorded: Job | null) => void }

function nobody(): void {}

/**
 * Delivers a report of a point of sale. In test mode, those who listen to its reports are asked first: with one that answers, the
 * report goes to it in place of its `report_url`, with the same deadline, unless it declines; those that only watch are shown what is sent, and what came
 * of it. In live mode nobody is asked.
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

/** How the listeners take a report, or that it is for none of them: then it goes to its `report_url` with the same try. */
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

/** How the report stands now. One that the job does not have any more was overtaken by a newer one. */
function resultOf(recorded: Job | null, revision: number): Pick<ResultFrame, 'state' | 'nextTry'> {
  const report = recorded?.reports.find((known) => known.revision === revision)
  if (!report) return { state: 'superseded', nextTry: null }
  const dueAt = realAt(recorded?.clock, report.dueAt)
  const nextTry = report.state === 'waiting' ? new Date(dueAt).toISOString() : null
  return { state: report.state, nextTry }
}
