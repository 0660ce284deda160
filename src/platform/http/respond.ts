import { type Result, ok } from '../../contract/result.ts'
import { type Refusal, problem } from './refusal.ts'

type Responded = Result<Response, never>

/** Redirects a browser to a GET (RFC 9110, section 15.4.4). */
export function seeOther(location: string): Responded {
  return ok(new Response(null, { status: 303, headers: { location } }))
}

/**
 * Answers a prefetch or prerender of an address that has an effect. Browsers drop an answer of 503,
 * and ask again when the person goes there
 * (https://developer.chrome.com/docs/web-platform/prerender-pages).
 */
export function notAhead(): Responded {
  return ok(new Response(null, { status: 503 }))
}

/**
 * Tells whether a request comes before a person acts, or without one: a prefetch or prerender by
 * `Sec-Purpose` (https://wicg.github.io/nav-speculation/prefetch.html), in older browsers by
 * `Purpose` or `X-Moz`; or the preview of a link by `Purpose` or `X-Purpose`.
 */
export function isPrefetch({ headers }: Request): boolean {
  return ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'].some((name) =>
    /^\s*(prefetch|preview)\b/i.test(headers.get(name) ?? ''),
  )
}

/** The policy for pages of the site and the console: they load only from the hub, and in no frame. */
export const PAGE_POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** The devices that no page uses. The till uses the loudspeaker, and keeps the screen on. */
const UNUSED = 'camera display-capture geolocation hid microphone midi payment serial usb'

/** What every page says to browsers: no frame, no window and no page of another site gets hold of it. */
export const PAGE_HEADERS = {
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': UNUSED.replaceAll(/\S+/g, '$&=()').replaceAll(' ', ', '),
} as const

/** For a year, browsers use only https (RFC 6797). */
const STAY_WITH_HTTPS = 'max-age=31536000'

/**
 * Answers a request over plain http; null for one over https. Redirects a GET or HEAD to https.
 * Refuses any other: its body and its token could be read on the way, and its client should notice.
 */
export function refusePlainHttp(request: Request): Response | null {
  const url = new URL(request.url)
  if (url.protocol !== 'http:') return null
  if (request.method !== 'GET' && request.method !== 'HEAD') return problem(plain)
  url.protocol = 'https:'
  url.port = ''
  return new Response(null, { status: 308, headers: { location: url.href, 'cache-control': 'no-store' } })
}

export function withHsts(request: Request, response: Response): Response {
  if (request.url.startsWith('https:')) response.headers.set('strict-transport-security', STAY_WITH_HTTPS)
  return response
}

const plain: Refusal = {
  code: 'https-required',
  detail: 'Use https: anyone on the way can read what you send over http.',
}
