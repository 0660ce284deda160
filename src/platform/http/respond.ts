import { type Result, ok } from '../../contract/result.ts'
import { type Refusal, problem } from './refusal.ts'

type Responded = Result<Response, never>

/** Sends a browser on with a GET, after whatever it did before (RFC 9110, section 15.4.4). */
export function seeOther(location: string): Responded {
  return ok(new Response(null, { status: 303, headers: { location } }))
}

/**
 * The answer to a prefetch or prerender of an address that does something. Browsers drop an answer
 * of 503, and ask again when the customer goes there
 * (https://developer.chrome.com/docs/web-platform/prerender-pages).
 */
export function notAhead(): Responded {
  return ok(new Response(null, { status: 503 }))
}

/**
 * Whether a request comes ahead of the customer, or without one: a prefetch or prerender, which
 * browsers mark with `Sec-Purpose` (https://wicg.github.io/nav-speculation/prefetch.html), older
 * ones with `Purpose` or `X-Moz`; or the preview of a link, by `Purpose` or `X-Purpose`.
 */
export function isPrefetch({ headers }: Request): boolean {
  return ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'].some((name) =>
    /^\s*(prefetch|preview)\b/i.test(headers.get(name) ?? ''),
  )
}

/**
 * Whether somebody went to an address, and no page had it loaded
 * (https://www.w3.org/TR/fetch-metadata/).
 */
export function isNavigation({ headers }: Request): boolean {
  return (headers.get('sec-fetch-dest') ?? 'document') === 'document'
}

/** For pages of the site and the console: they load from the hub alone, and no frame shows them. */
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

/** A year: browsers that were here once do not ask over http again (RFC 6797). */
const STAY_WITH_HTTPS = 'max-age=31536000'

/**
 * The answer to a request over plain http, or null for one over https. What can be asked again is
 * sent on to the same address. Anything else is refused: its body and its token were readable on
 * the way, and its client should learn that.
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

const plain: Refusal = { code: 'https-required', detail: 'Use https: what is sent over http can be read.' }
