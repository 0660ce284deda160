import * as v from 'valibot'
import { seal, unseal } from '../platform/crypto/seal.ts'
import type { Visit, View } from './visit.ts'

/** Cookies of the console. Over https they have the names that browsers take only from the host itself (RFC 6265bis, section 4.1.3). */

function isSecure(url: URL): boolean {
  return url.protocol === 'https:'
}

/** The name of the session's cookie, at the address that was asked. A hub on this machine, over http, cannot have the prefix. */
function sessionName(url: URL): string {
  return isSecure(url) ? '__Host-hub-session' : 'hub-session'
}

function cookie(url: URL, name: string, value: string, path: string, seconds: number): string {
  return `${name}=${value}; Path=${path}; Max-Age=${seconds}; HttpOnly; SameSite=Strict${isSecure(url) ? '; Secure' : ''}`
}

export function sessionCookie(url: URL, session: string, until: string, now: number): string {
  return cookie(
    url,
    sessionName(url),
    session,
    '/',
    Math.max(0, Math.floor((Date.parse(until) - now) / 1000)),
  )
}

export function endedSession(url: URL): string {
  return cookie(url, sessionName(url), '', '/', 0)
}

export function cookieOf(request: Request, name: string): string | null {
  for (const pair of (request.headers.get('cookie') ?? '').split(';')) {
    const [found = '', ...value] = pair.trim().split('=')
    if (found === name) return value.join('=')
  }
  return null
}

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

function endedOnce(url: URL): string {
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

/** What was just made and is shown this once, each with a button that copies it. */
export function ShownOnce({ once }: { once: Once | null }) {
  return (
    once && (
      <section class="card once" aria-labelledby="once">
        <h2 id="once">Copy this now</h2>
        <p>It is shown this once: no reload has it.</p>
        {Object.entries(once).map(([name, text]) => (
          <p key={name} class="secret">
            <span>{name}</span>
            <code data-copied>{text}</code>
            <button type="button" class="small" data-copy hidden>
              Copy
            </button>
          </p>
        ))}
      </section>
    )
  )
}

/** The headers of the page that shows it: from now on it is gone. */
export function onceHeaders({ url }: Visit, once: Once | null): NonNullable<View['headers']> {
  return once === null ? {} : { 'set-cookie': endedOnce(url) }
}
