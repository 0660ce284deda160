import * as v from 'valibot'
import { seal, unseal } from '../../platform/crypto/seal.ts'
import { cookieOf, pageCookieName, setCookie } from '../../platform/http/browser.ts'
import type { View, Visit } from './visit.ts'

/**
 * Shows a new secret, such as an API key, on one page, once. The redirect carries it in a cookie for only
 * that page. The page deletes the cookie at once, so a reload shows nothing, and no address contains the
 * secret. The hub seals the cookie for its page and its time. Otherwise an attacker who controls another
 * host of the domain could set it, and an operator would copy a foreign key into a shop.
 */
const SECONDS = 60
function sealName(path: string): string {
  return `shown once at ${path}`
}

const Once = v.record(v.string(), v.string())
const Kept = v.object({ until: v.number(), shown: Once })
export type Once = v.InferOutput<typeof Once>

/** Makes the cookie that lets the page at `to` show `shown` once. */
export async function onceCookie({ url, now, sealingKey }: Visit, to: string, shown: Once): Promise<string> {
  const path = new URL(to, url).pathname
  const text = JSON.stringify({ until: now + SECONDS * 1000, shown })
  const sealed = encodeURIComponent(await seal(sealingKey, sealName(path), text))
  return setCookie(url.href, pageCookieName(url.href), sealed, path, SECONDS)
}

/**
 * Returns the secrets in the cookie. Null without one, or when it expired or belongs to another
 * page.
 */
export async function shownOnce({ request, url, now, sealingKey }: Visit): Promise<Once | null> {
  const sealed = cookieOf(request, pageCookieName(url.href))
  if (!sealed) return null
  try {
    const text = await unseal(sealingKey, sealName(url.pathname), decodeURIComponent(sealed))
    const { until, shown } = v.parse(Kept, JSON.parse(text))
    return until > now ? shown : null
  } catch {
    return null
  }
}

/** Shows new secrets, each with a copy button. */
export function ShownOnce({ once }: { once: Once | null }) {
  return (
    once && (
      <section class="card once" aria-labelledby="once">
        <h2 id="once">Copy this now</h2>
        <p>The hub shows it only once. After a reload it is gone.</p>
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

/** Returns the header that deletes the cookie once the page has shown the secrets. */
export function onceHeaders({ url }: Visit, once: Once | null): NonNullable<View['headers']> {
  const ended = setCookie(url.href, pageCookieName(url.href), '', url.pathname, 0)
  return once === null ? {} : { 'set-cookie': ended }
}
