import { Webhook } from 'standardwebhooks'
import type { State } from '../../src/job/core/state.ts'
import { hmacSha512 } from '../support/hmac.ts'
import { promise } from './violation.ts'

/** What reached the shop under one `webhook-id`. */
type Seen = { job: string; tries: number }

/**
 * The reports that reached the shop, as any receiver can judge them: by their signatures and ids.
 */
export function keepReports(secrets: () => readonly string[] | null) {
  const seen = new Map<string, Seen>()
  return {
    /** Takes in a try of a report. Rejects with what a receiver could not believe. */
    async saw(job: string, headers: Headers, body: string): Promise<void> {
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
    /** Each report of a job that was tried has an id, and no other report has the same. */
    check({ id, report, revision }: State): void {
      const ids = [...seen.values()].filter(({ job }) => job === id)
      const answered = report?.history.filter(isAnswered) ?? []
      const told = new Set(answered.map((tried) => tried.revision)).size
      promise(
        ids.length >= told && ids.length <= revision,
        `${revision} revisions of ${id}, ${told} of them told, came under ${ids.length} ids`,
      )
      const tried = answered.length
      const tries = ids.reduce((sum, each) => sum + each.tries, 0)
      promise(
        tries >= tried,
        `job ${id} tells of ${tried} answers of the shop, which was asked ${tries} times`,
      )
    },
  }
}

/** A status code is the shop's own answer. */
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

/** `X-Signature` is that of the body, by a secret that the shop has. */
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
