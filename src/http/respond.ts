import { type Result, ok } from '../domain/result.ts'

type Responded = Result<Response, never>

/** Answers with JSON. */
export const json = (content: object, init: ResponseInit = {}): Responded => ok(Response.json(content, init))

/** Sends a browser on with a GET, after whatever it did before (RFC 9110, section 15.4.4). */
export const seeOther = (location: string): Responded =>
  ok(new Response(null, { status: 303, headers: { location } }))
