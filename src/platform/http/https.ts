import { type Refusal, problem } from './refusal.ts'

/** A year: browsers that were here once do not ask over http again (RFC 6797). */
const STAY_WITH_HTTPS = 'max-age=31536000'

/**
 * The answer to a request over plain http, or null for one over https. What can be asked again is sent on to the same
 * address. Anything else is refused: its body and its token were readable on the way, and its client should learn that.
 */
export function refusePlainHttp(request: Request): Response | null {
  const url = new URL(request.url)
  if (url.protocol !== 'http:') return null
  if (request.method !== 'GET' && request.method !== 'HEAD') return problem(plain)
  url.protocol = 'https:'
  url.port = ''
  return new Response(null, { status: 308, headers: { location: url.href, 'cache-control': 'no-store' } })
}

/** Adds HSTS to an answer over https. */
export function withHsts(request: Request, response: Response): Response {
  if (request.url.startsWith('https:')) response.headers.set('strict-transport-security', STAY_WITH_HTTPS)
  return response
}

const plain: Refusal = { code: 'https-required', detail: 'Use https: what is sent over http can be read.' }
