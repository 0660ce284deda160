import * as v from 'valibot'

/** What the operator API answers about how many payments there were, and what became of them. */

/** By what figures are told apart: the hour (UTC) or the day that payments were created in, and where they went. */
export const FiguresBy = v.picklist(['hour', 'day', 'psp', 'account', 'method', 'pos', 'currency'])
export type FiguresBy = v.InferOutput<typeof FiguresBy>

/** Money in one currency: how much payments that were paid had, as a decimal text. */
const Sum = v.object({ currency: v.string(), amount: v.string() })

/**
 * Payments of one group. `key` is what they have in common (an hour such as `2026-01-31T14:00:00Z`, an account …), `name` what a
 * reader calls it. `successRate` is of those that have ended; null while none has. `medianSeconds` is about how long half of those
 * that were paid took from their creation; null where none was.
 */
export const FigureRow = v.object({
  key: v.string(),
  name: v.string(),
  created: v.number(),
  pending: v.number(),
  success: v.number(),
  failure: v.number(),
  cancelled: v.number(),
  expired: v.number(),
  successRate: v.nullable(v.number()),
  medianSeconds: v.nullable(v.number()),
  paid: v.array(Sum),
})
export type FigureRow = v.InferOutput<typeof FigureRow>

/**
 * The answer of `GET /figures?from&to&by&pos&account&method&mode`: a row for each group that has payments, and all together. Its time
 * is that which was asked for, widened to whole hours; `mode` is that of the points of sale.
 */
export const Figures = v.object({
  from: v.string(),
  to: v.string(),
  by: FiguresBy,
  mode: v.picklist(['test', 'live']),
  rows: v.array(FigureRow),
  total: FigureRow,
})
export type Figures = v.InferOutput<typeof Figures>
