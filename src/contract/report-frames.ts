import * as v from 'valibot'

/**
 * What goes over the socket of `GET /v2/reports/listen`: JSON in text frames. A listener sends the
 * text `ping` now and then, and gets `pong`: one that is silent for a minute counts as gone. New
 * members may come; who does not know a type leaves the frame alone.
 */

/** How often (ms) a listener sends `ping`. */
export const PING_EVERY = 20_000
/** How long (ms) a listener may be silent before it counts as gone. */
export const LONGEST_SILENCE = 60_000
/**
 * The name of this protocol (RFC 6455, section 1.9), which browsers send along with `bearer.` and
 * their access token.
 */
export const PROTOCOL = 'payment-hub-reports'
/**
 * What stands before the access token of a browser, which cannot set the header `Authorization`.
 */
export const TOKEN_PROTOCOL = 'bearer.'
/**
 * Why the hub closes a socket, beside the codes of RFC 6455: the listener is to connect again, and
 * say who it is.
 */
export const CLOSED = { authenticateAgain: 4401, notUnderstood: 4400 } as const

/**
 * Whether a listener answers for the receiver, or only watches while reports go to their
 * `report_url`.
 */
export const ListenAs = v.picklist(['answers', 'watches'])
export type ListenAs = v.InferOutput<typeof ListenAs>

/** The hub takes the listener in. */
const Ready = v.object({ type: v.literal('ready'), pos: v.string(), as: ListenAs })

/**
 * One try at a report, as it goes to its receiver: `headers` and `body` are the request's own.
 * `delivery` is the name of this try, `try` its number. `to` says who is asked to answer: the
 * listeners, or the receiver at `reportUrl`.
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
 * What the job has recorded of a try: the receiver's status code, or a word for why there is none.
 * `state` is that of the report; `nextTry` (ISO 8601) is when one that is due is tried again. `ms`
 * is what the answer took.
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

/** What the hub sends to a listener. */
export const HubFrame = v.variant('type', [Ready, Report, Result])
export type HubFrame = v.InferOutput<typeof HubFrame>

/** The name of the try that is answered. A UUID is the same in capitals (RFC 9562, section 4). */
const Delivery = v.pipe(v.string(), v.uuid(), v.toLowerCase())

/**
 * What the receiver behind a listener answered, or why it did not. `retryAfter` is its header of
 * that name.
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
 * The report is not for this listener. Others may still answer; when all that answer have declined,
 * it goes to its `report_url`. The hub itself says it, in the same words, when they have.
 */
const Declined = v.object({ type: v.literal('declined'), delivery: Delivery })

/** What a listener sends to the hub. */
export const AnswerFrame = v.union([Answered, Unanswered, Declined])
export type AnswerFrame = v.InferOutput<typeof AnswerFrame>
