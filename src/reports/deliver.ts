import { traceLine } from '../contract/payment-job.ts'
import type { State } from '../job/core/state.ts'
import { represent } from '../job/core/show.ts'
import { traceHead } from '../job/trace-head.ts'
import { bodySignature, signingSecrets, webhookHeaders } from '../platform/crypto/signing.ts'
import { currentRequestId } from '../platform/request-context.ts'
import { type Profile, presentSecret } from '../registry/profile.ts'
import { readConfig } from '../platform/config.ts'
import { refusedUrl, registrableName, tillAddress } from '../platform/http/public-url.ts'
import { type Quota, countRequest } from '../platform/http/rate-limit.ts'
import { retryAfterOf } from '../platform/http/headers.ts'

type SignedReport = { headers: Record<string, string>; body: string }

/** Signs the report of a job as it stands. All tries at a revision have the same `webhook-id`. */
export async function signReport(
  env: Env,
  job: State,
  revision: number,
  profile: Profile,
): Promise<SignedReport> {
  const shown = represent(job)
  const body = JSON.stringify(shown)
  const secrets = await signingSecrets(env.SIGNING_ROOT, profile.pos, profile.signingVersion)
  const secret = await presentSecret(env.SIGNING_ROOT, profile)
  const id = `msg_${job.id}_${revision}`
  const signed = await webhookHeaders(secrets, id, Math.floor(Date.now() / 1000), body)
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'payment-hub',
    'x-request-id': currentRequestId(),
    'x-signature': await bodySignature(secret, body),
    'x-trace-head': await traceHead(secret, job.id, shown.payments.steps.map(traceLine)),
    ...signed,
  }
  return { headers, body }
}

/** The result of a try. `retryAfter` is in seconds; `answer`: the beginning of an error's body. */
export type DeliveryOutcome =
  | { is: 'delivered'; outcome: string }
  | { is: 'failed'; outcome: string; retryAfter: number | null; answer?: string }
  | { is: 'stopped'; outcome: string; answer?: string }

/** How long (ms) a receiver may take to answer. */
export const DEADLINE = 15_000

/** The limit of wrangler.toml on reports of test jobs whose time was advanced. */
export const REPORT_QUOTAS = {
  hurriedReportsPerHost: { name: 'hurried-reports', limit: 60, period: 60 },
} as const satisfies Record<string, Quota>

/**
 * POSTs a report. Checks its address again, because the hub's own hosts may have changed. Limits the
 * reports of jobs whose shop advances their time, by the registered name of the host and by shop, so
 * that no shop can flood another's host. The hub's own till follows its jobs itself, so it gets no report.
 */
export async function deliver(env: Env, job: State, signed: SignedReport): Promise<DeliveryOutcome> {
  const { origin, order, clock, pos } = job
  if (order.reportUrl === tillAddress(origin)) return { is: 'delivered', outcome: 'shown at the till' }
  const { hosts, loopback } = readConfig(env)
  const isRefused = refusedUrl(order.reportUrl, { own: [new URL(origin).hostname, ...hosts], loopback })
  if (isRefused) return { is: 'stopped', outcome: 'address refused' }
  const quota = REPORT_QUOTAS.hurriedReportsPerHost
  const isHurried = clock.offset > 0
  const counted = isHurried ? [registrableName(new URL(order.reportUrl).hostname), pos] : []
  const limits = await Promise.all(
    counted.map((name) => countRequest(env.HURRIED_REPORTS_PER_HOST, quota, name)),
  )
  if (limits.some(({ ok }) => !ok))
    return { is: 'failed', outcome: 'too many reports to this host', retryAfter: quota.period }
  return post(order.reportUrl, signed)
}

/** POSTs a signed body. Only a 2xx counts as delivered; follows no redirect. */
export async function post(url: string, { headers, body }: SignedReport): Promise<DeliveryOutcome> {
  const deadline = AbortSignal.timeout(DEADLINE)
  try {
    const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal: deadline })
    const judged = judge(response)
    if (judged.is === 'delivered') {
      await response.body?.cancel()
      return judged
    }
    const answer = await answerBeginning(response)
    return answer === '' ? judged : { ...judged, answer }
  } catch {
    return unanswered(deadline)
  }
}

export function unanswered({ aborted }: AbortSignal): DeliveryOutcome {
  return { is: 'failed', outcome: aborted ? 'no answer in time' : 'no connection', retryAfter: null }
}

/** Turns an answer into an outcome. 410: the receiver wants no more (Standard Webhooks). */
export function judge({ status, headers }: Pick<Response, 'status' | 'headers'>): DeliveryOutcome {
  const outcome = String(status)
  if (status >= 200 && status <= 299) return { is: 'delivered', outcome }
  return status === 410
    ? { is: 'stopped', outcome }
    : { is: 'failed', outcome, retryAfter: retryAfterOf(headers, Date.now()) }
}

/** The most bytes of an answer that the hub reads, and for how long (ms). */
const MOST_BYTES = 1024
const LONGEST = 1000
const MOST_CHARACTERS = 200

/** Returns the beginning of an answer in one line, in limited time, whatever the receiver does. */
export async function answerBeginning({ body }: Response): Promise<string> {
  if (!body) return ''
  const reader = body.getReader()
  const stop = (): void => void reader.cancel().catch(() => {})
  // This also ends a waiting read.
  const timer = setTimeout(stop, LONGEST)
  const decoder = new TextDecoder()
  let text = ''
  let length = 0
  try {
    while (length < MOST_BYTES) {
      const { value } = await reader.read()
      if (!value) break
      text += decoder.decode(value.subarray(0, MOST_BYTES - length), { stream: true })
      length += value.byteLength
    }
  } catch {
    // The connection broke: the part that arrived may still help.
  } finally {
    clearTimeout(timer)
    stop()
  }
  return inOneLine(text)
}

function inOneLine(text: string): string {
  return Array.from(text.replaceAll(/[\p{C}\p{Z}]+/gu, ' ').trim())
    .slice(0, MOST_CHARACTERS)
    .join('')
}
