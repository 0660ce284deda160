import * as v from 'valibot'

/**
 * The messages on the socket of `GET /v2/reports/listen`: JSON in text frames. A listener regularly
 * sends the text `ping`, and gets `pong`; after a minute of silence the hub considers it gone. Later
 * releases may add members and types; a listener ignores frames of unknown types.
 */

/** How often (ms) a listener sends `ping`. */
export const PING_EVERY = 20_000
/** How long (ms) a listener may be silent before the hub considers it gone. */
export const LONGEST_SILENCE = 60_000
/**
 * The name of this protocol (RFC 6455, section 1.9). Browsers send it along with `bearer.` and
 * their access token.
 */
export const PROTOCOL = 'payment-hub-reports'
/** Precedes the access token of a browser, which cannot set the header `Authorization`. */
export const TOKEN_PROTOCOL = 'bearer.'
/**
 * The hub's own codes for closing a socket, in addition to those of RFC 6455. After `authenticateAgain`,
 * the listener connects again with its token.
 */
export const CLOSED = { authenticateAgain: 4401, notUnderstood: 4400 } as const

/**
 * A listener answers instead of the shop (`answers`), or only sees the reports that go to their
 * `report_url` (`watches`).
 */
export const ListenAs = v.picklist(['answers', 'watches'])
export type ListenAs = v.InferOutput<typeof ListenAs>

/** The headers of a report. A listener passes on these, and no other that somebody may have put in their place. */
export const REPORT_HEADERS = [
  'content-type',
  'user-agent',
  'webhook-id',
  'webhook-signature',
  'webhook-timestamp',
  'x-request-id',
  'x-signature',
  'x-trace-head',
] as const

const Ready = v.object({ type: v.literal('ready'), pos: v.string(), as: ListenAs })

/**
 * One try at a report. `headers` and `body` are those of the request to the shop. `delivery` is the
 * id of this try, `try` its number. `to` says who answers: the listeners, or the server at
 * `reportUrl`.
 */
const Report = v.object({
  type: v.literal('report'),
  delivery: v.string(),
  job: v.string(),
  revision: v.number(),
  try: v.number(),
  to: v.picklist(['listener', 'report_url']),
  reportUrl: v.string(),
  headers: v.record(v.string(), v.string()),
  body: v.string(),
})
export type ReportFrame = v.InferOutput<typeof Report>

/**
 * The outcome of a try as the job recorded it: the status code of the answer, or a word that says
 * why there was none. `state` is the state of the report; `nextTry` (ISO 8601) is when the hub tries a
 * due report again. `ms` is how long the answer took.
 */
const Result = v.object({
  type: v.literal('result'),
  delivery: v.string(),
  job: v.string(),
  revision: v.number(),
  outcome: v.string(),
  state: v.picklist(['due', 'delivered', 'given-up', 'superseded']),
  nextTry: v.nullable(v.string()),
  ms: v.number(),
})
export type ResultFrame = v.InferOutput<typeof Result>

export const HubFrame = v.variant('type', [Ready, Report, Result])
export type HubFrame = v.InferOutput<typeof HubFrame>

/** The id of the answered try. A UUID is the same in capitals (RFC 9562, section 4). */
const Delivery = v.pipe(v.string(), v.uuid(), v.toLowerCase())

/**
 * The answer of the program behind a listener, or why there was none. `retryAfter` is its header
 * `Retry-After`.
 */
const Answered = v.object({
  type: v.literal('answer'),
  delivery: Delivery,
  status: v.pipe(v.number(), v.integer(), v.minValue(200), v.maxValue(599)),
  retryAfter: v.exactOptional(v.pipe(v.string(), v.regex(/^[\x20-\x7e]{1,100}$/))),
})
const Unanswered = v.object({
  type: v.literal('answer'),
  delivery: Delivery,
  failed: v.picklist(['no connection', 'no answer in time']),
})

/**
 * The report is not for this listener. If all listeners that answer have declined, the report goes to
 * its `report_url`: this frame also reports that to the sender in the hub.
 */
const Declined = v.object({ type: v.literal('declined'), delivery: Delivery })

export const AnswerFrame = v.union([Answered, Unanswered, Declined])
export type AnswerFrame = v.InferOutput<typeof AnswerFrame>
