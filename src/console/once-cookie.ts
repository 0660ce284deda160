import * as v from 'valibot'
import { seal, unseal } from '../platform/crypto/seal.ts'
import { cookie, cookieOf, isSecure } from './cookies.ts'
import type { Visit } from './visit.ts'

/**
 * What is shown once, such as a new API key, comes with the redirect to its page in a cookie for that page alone. The page takes it away
 * again as it shows it: a reload does not have it, and it is in no address. It is sealed, for its page and its time: somebody who can
 * set cookies of the host, from another name of the domain, could else have a key of their own shown here and copied into a till.
 */
const SECONDS = 60
function nameOf(url: URL): string {
  return isSecure(url) ? '__Secure-hub-once' : 'hub-once'
}
function sealName(path: string): string {
  return `shown once at ${path}`
}

const Once = v.record(v.string(), v.string())
const Kept = v.object({ until: v.number(), shown: Once })
export type Once = v.InferOutput<typeof Once>

/** The cookie with which the page at `to` shows something. */
export async function onceCookie({ url, now, sealingKey }: Visit, to: string, shown: Once): Promise<string> {
  const path = new URL(to, url).pathname
  const text = JSON.stringify({ until: now + SECONDS * 1000, shown })
  return cookie(
    url,
    nameOf(url),
    encodeURIComponent(await seal(sealingKey, sealName(path), text)),
    path,
    SECONDS,
  )
}

export function endedOnce(url: URL): string {
  return cookie(url, nameOf(url), '', url.pathname, 0)
}

/** What this page shows once: null where there is nothing, or where the hub did not make it for this page, or too long ago. */
export async function shownOnce({ request, url, now, sealingKey }: Visit): Promise<Once | null> {
  const sealed = cookieOf(request, nameOf(url))
  if (!sealed) return null
  try {
    const text = await unseal(sealingKey, sealName(url.pathname), decodeURIComponent(sealed))
    const { until, shown } = v.parse(Kept, JSON.parse(text))
    return until > now ? shown : null
  } catch {
    return null
  }
}
