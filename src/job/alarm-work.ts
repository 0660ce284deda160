import type { Job } from './rules/job.ts'
import { recordOther } from './rules/other-payments.ts'
import type { Work } from './rules/plan.ts'
import { recordRefund } from './rules/refund-request.ts'
import { announceAgain } from './announce-again.ts'
import type { AnnouncedAt } from './announce.ts'
import type { AnnounceCall, AnnounceTurn } from './announce-turns.ts'
import { lookAtOther } from './look-at-other.ts'
import { checkRefund } from './refund-payment.ts'
import { type PullObject, sync } from './sync-with-psp.ts'

/** What the work of an alarm needs of the job's object. */
type AlarmedObject = PullObject & {
  read: () => Job | null
  beginAnnouncement: (call: AnnounceCall) => Promise<AnnounceTurn | null>
  announced: (answer: AnnouncedAt, call: string) => Job | null
}
type Change = (decide: (job: Job, now: number) => Job) => Job | null

/** Why the alarm pulls, by what is due. */
const PULL_REASON = { pull: 'schedule', 'last-pull': 'expiry' } as const

/** Does at the PSP what is due of a job, and records what came of it. */
export async function doAtPsp(
  env: Env,
  object: AlarmedObject,
  change: Change,
  work: Exclude<Work, 'purge'>,
): Promise<void> {
  const call = crypto.randomUUID()
  if (work === 'announce') {
    const turn = await object.beginAnnouncement({ id: call, cause: 'schedule' })
    if (turn?.is === 'announce') object.announced(await announceAgain(env, turn.job), call)
  } else if (typeof work === 'string') {
    await sync(env, { id: call, reason: PULL_REASON[work] }, object)
  } else if ('refund' in work) {
    await lookAtRefund(env, object, change, work.refund)
  } else {
    const job = object.read()
    const found = job && (await lookAtOther(env, job, work.other))
    if (found) change((current, now) => recordOther(current, work.other, found, now))
  }
}

/** Asks what became of a refund. One that is settled now shows in the totals of the payment. */
async function lookAtRefund(env: Env, object: AlarmedObject, change: Change, id: string): Promise<void> {
  const job = object.read()
  if (!job) return
  const answer = await checkRefund(env, job, id)
  const before = object.read()
  const after = change((current, now) => recordRefund(current, id, answer, now))
  if (after !== before) await sync(env, { id: crypto.randomUUID(), reason: 'refund' }, object)
}
