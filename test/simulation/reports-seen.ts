import { Webhook } from 'standardwebhooks'
import type { State } from '../../src/job/core/state.ts'
import { hmacSha512 } from '../support/shops/hmac.ts'
import { promise } from './violation.ts'

/** The tries that reached the shop under one `webhook-id`. */
type Seen = { job: string; tries: number }

/**
 * Remembers the reports that reached the shop, and judges them as any receiver can: by signatures and ids.
 */
export function keepReports(secrets: () => readonly string[] | null) {
  const seen = new Map<string, Seen>()
  return {
    /** Notes a try of a report. Rejects if a receiver could not trust it. */
    async note(job: string, headers: Headers, body: string): Promise<void> {
      const id = headers.get('webhook-id') ?? ''
      const before = seen.get(id) ?? { job, tries: 0 }
      seen.set(id, { ...before, tries: before.tries + 1 })
      promise(before.job === job, `webhook-id ${id} of a report of ${before.job} came with one of ${job}`)
      const known = secrets()
      if (known === null) return
      await checkSigned(known, `a report of ${job}`, headers, body)
      const isVerified = known.some((secret) => verifies(secret, headers, body))
      promise(isVerified, `a report of ${job} is not verified by the library of Standard Webhooks`)
    },
    /**
     * Checks that each report of a job had its own id, and that the hub claims no try that never happened.
     */
    check({ id, report, revision }: State): void {
      const ids = [...seen.values()].filter(({ job }) => job === id)
      const answered = report?.history.filter(isAnswered) ?? []
      const reported = new Set(answered.map((tried) => tried.revision)).size
      promise(
        ids.length >= reported && ids.length <= revision,
        `${revision} revisions of ${id}, ${reported} of them reported, came under ${ids.length} ids`,
      )
      const tried = answered.length
      const tries = ids.reduce((sum, each) => sum + each.tries, 0)
      promise(tries >= tried, `job ${id} has ${tried} answers of the shop, which got ${tries} requests`)
    },
  }
}

/** Returns whether the shop answered: then the outcome is a status code. */
function isAnswered({ outcome }: { outcome: string }): boolean {
  return /^\d{3}$/.test(outcome)
}

function verifies(secret: string, headers: Headers, body: string): boolean {
  try {
    new Webhook(secret).verify(body, Object.fromEntries(headers))
    return true
  } catch {
    return false
  }
}

/** Checks that `X-Signature` signs the body with one of the shop's secrets. */
export async function checkSigned(
  secrets: readonly string[],
  what: string,
  headers: Headers,
  body: string,
): Promise<void> {
  const signatures = await Promise.all(secrets.map((secret) => hmacSha512(secret, body)))
  promise(
    signatures.includes(headers.get('x-signature') ?? ''),
    `${what} is not signed by the point of sale's secret`,
  )
}
