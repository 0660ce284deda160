import { type Result, ok } from '../../contract/result.ts'

type Responded = Result<Response, never>

/** Answers with JSON. */
export function json(content: object, init: ResponseInit = {}): Responded {
  return ok(Response.json(content, init))
}

/** Sends a browser on with a GET, after whatever it did before (RFC 9110, section 15.4.4). */
export function seeOther(location: string): Responded {
  return ok(new Response(null, { status: 303, headers: { location } }))
}

/**
 * The answer to a prefetch or prerender of an address that does something. Browsers drop an answer of 503, and ask again when
 * the customer goes there (https://developer.chrome.com/docs/web-platform/prerender-pages).
 */
export function notAhead(): Responded {
  return ok(new Response(null, { status: 503 }))
}
