import * as v from 'valibot'

/**
 * The files of this folder are what the operator API answers, under `/operator/v1`: a schema and its type for each answer. The
 * CLI and the OpenAPI document read them, so they import Valibot alone; the Worker takes their types alone, which keeps it small. Times are ISO 8601
 * in UTC; amounts are decimal texts. A refusal is a `Problem`. What the API takes is in `../requests.ts`.
 */

/** A refusal as RFC 9457 has it, with the `error` and `field` members that clients read. */
export const Problem = v.object({
  /** A stable name. */
  code: v.optional(v.string()),
  title: v.string(),
  status: v.number(),
  detail: v.string(),
  error: v.string(),
  field: v.nullable(v.string()),
  /** Every invalid field, where there are some. */
  errors: v.optional(v.array(v.object({ field: v.string(), error: v.string() }))),
})
export type Problem = v.InferOutput<typeof Problem>
