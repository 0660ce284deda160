import type { IRequest } from 'itty-router'
import { isJobId } from '../domain/job-id.ts'
import type { Job } from '../domain/job.ts'
import { readText } from '../http/body.ts'
import type { Answer } from '../http/door.ts'
import { withJob } from '../payment-job/jobs.ts'
import { openPsp } from '../payment-job/open-psp.ts'

/**
 * `POST /notifications/{account}/{job}`: a PSP says that a payment changed. Its word is a reason to pull. What is
 * unknown gets a 200 too: a PSP switches a webhook off that answers errors, and nobody learns which jobs exist.
 */
export const receive = async (request: IRequest & Request, env: Env): Promise<Answer> => {
  const { account, job: id } = request.params
  const body = await readText(request)
  if (typeof body !== 'string') return body
  const job = id && isJobId(id) ? await withJob(env, id, (stub) => stub.read()) : null
  if (job?.account !== account || job?.announcement.is !== 'announced') return accepted()
  const psp = await openPsp(env, job)
  const reading = await psp.readNotification({
    job: job.id,
    headers: request.headers,
    body,
    at: Date.now(),
  })
  if (reading.is === 'unauthentic') {
    return {
      refused: 'unauthenticated',
      detail: 'The notification is not signed by the PSP.',
      tokenGiven: false,
    }
  }
  const { reference } = job.announcement
  const isAboutJob = reading.payments.some((payment) => payment.reference === reference)
  if (!isAboutJob || hasSettled(job)) return accepted()
  const seen = await psp.pull(reference, job.order.currency)
  await withJob(env, job.id, (stub) => stub.record('Statuspull', seen))
  // No answer from the PSP now: let it notify again.
  return seen.is === 'unavailable'
    ? { refused: 'unavailable', detail: 'The status could not be pulled. Notify again.', retryAfter: 60 }
    : accepted()
}

const accepted = () => new Response('OK')

/** Nothing leaves SUCCESS, and the trace has it from a pull already. */
const hasSettled = (job: Job): boolean =>
  job.steps.some((step) => step.action === 'Statuspull' && step.status === 'SUCCESS')
