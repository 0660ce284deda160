import * as v from 'valibot'
import { Integer } from '../../contract/integer.ts'
import type { Job } from './job.ts'
import type { PullAnswer } from '../../psp/answer.ts'

/**
 * Status pulls that the PSP did not answer, one after another: since when and at last when (both ms), how many, and what came instead.
 * `silent`: no answer; `refused`: not to this account; `unknown`: the PSP does not know the payment. That there are any is stored;
 * `last` and `pulls` may be older in storage than in memory.
 */
export const Unanswered = v.object({
  is: v.picklist(['silent', 'refused', 'unknown']),
  since: Integer,
  last: Integer,
  pulls: Integer,
  message: v.string(),
})
export type Unanswered = v.InferOutput<typeof Unanswered>

/** Several who ask within this time (ms) share one pull. */
const ONE_PULL = 2000

/** Notes that a pull was answered, or was not. The same job back where that is known. */
export function noteAnswer(job: Job, answer: PullAnswer, now: number): Job {
  const { unanswered: known, ...rest } = job
  if (answer.is === 'observed') return known ? rest : job
  if (known && now < known.last + ONE_PULL) return job
  const unanswered: Unanswered = {
    is: answer.is === 'unknown' ? 'unknown' : answer.accountRefused ? 'refused' : 'silent',
    since: known?.since ?? now,
    last: now,
    pulls: (known?.pulls ?? 0) + 1,
    message: answer.is === 'unknown' ? '' : answer.message,
  }
  return { ...job, unanswered }
}
