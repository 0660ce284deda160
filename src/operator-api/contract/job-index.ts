import * as v from 'valibot'

/** What the operator API answers about the index of jobs, and about what was purged. */

/** The answer of `GET /index/days`: the days (UTC) that jobs were created on. */
export const IndexDays = v.object({ days: v.array(v.string()) })
export type IndexDays = v.InferOutput<typeof IndexDays>

/**
 * The answer of `GET /index/{day}/verify` and `POST /index/{day}/rebuild`, of one page: how many jobs were looked at, and
 * the ids of those whose row was wrong. `next` is the `after` of the next page, or null at the end. The last page of a day has its
 * hours (`2026-01-31T14:00:00Z`) whose figures were not what the rows come to; others have none.
 */
export const IndexPage = v.object({
  jobs: v.number(),
  wrong: v.array(v.string()),
  wrongHours: v.optional(v.array(v.string()), []),
  next: v.nullable(v.string()),
})
export type IndexPage = v.InferOutput<typeof IndexPage>

/** The answer of `GET /retention`: after how many days a job is purged, and how many were, by day. */
export const Retention = v.object({
  days: v.number(),
  forgotten: v.array(v.object({ day: v.string(), objects: v.number(), rows: v.number() })),
})
export type Retention = v.InferOutput<typeof Retention>
