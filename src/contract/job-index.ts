import * as v from 'valibot'
import { atAccount, ofMethod, ofPos } from './job-search.ts'
import { figuresWith } from './money-figures.ts'
import { type Operations, CHANGE, done, LOOK } from './operation.ts'
import { after, day, inMode, openRange } from './queries.ts'
import { recordOf } from './record-of.ts'
import { Mode } from './values.ts'

export const IndexDays = v.object({ days: v.array(v.string()) })

/**
 * The answer of `GET /index/{day}/verify` and `POST /index/{day}/rebuild`, for one page: how many
 * jobs the hub compared, and the ids of those whose row was wrong. `next` is the `after` of the
 * next page, or null at the end. The last page of a day also has `wrongHours`: the hours
 * (`2026-01-31T14:00:00Z`) whose figures did not agree with the rows.
 */
export const IndexPage = v.object({
  jobs: v.number(),
  wrong: v.array(v.string()),
  wrongHours: v.optional(v.array(v.string()), []),
  next: v.nullable(v.string()),
})
export type IndexPage = v.InferOutput<typeof IndexPage>

export const Retention = v.object({
  days: v.number(),
  forgotten: v.array(v.object({ day: v.string(), objects: v.number(), rows: v.number() })),
})

const BY = ['hour', 'day', 'psp', 'account', 'method', 'pos', 'currency'] as const

/**
 * The groups of figures: by the hour (UTC) or the day (in the hub's time zone) in which payments were
 * created, or by where they went.
 */
export const FiguresBy = v.picklist(BY, `must be one of ${BY.join(', ')}`)
export type FiguresBy = v.InferOutput<typeof FiguresBy>

/** Money in one currency; `amount` is a decimal text. */
const Sum = v.object({ currency: v.string(), amount: v.string() })

/**
 * The figures of one group of payments. `key` is what its payments have in common (an hour such as
 * `2026-01-31T14:00:00Z`, an account …), `name` is for people. `successRate` counts only payments
 * that have ended; null while none has. `medianSeconds` estimates the median time from creation to
 * payment; null if none was paid. `paid` is what customers paid, `net` what is left after all
 * that went back.
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
  ...recordOf(figuresWith('isBack'), () => v.array(Sum)),
  net: v.array(Sum),
})
export type FigureRow = v.InferOutput<typeof FigureRow>

/**
 * The answer of `GET /figures`: a row for each group that has payments, and the total. `from` and
 * `to` are those of the query, widened to whole hours. `mode` is the mode of the points of sale.
 * `zone` is the time zone of the days.
 */
export const Figures = v.object({
  from: v.string(),
  to: v.string(),
  by: FiguresBy,
  mode: Mode,
  zone: v.string(),
  rows: v.array(FigureRow),
  total: FigureRow,
})
export type Figures = v.InferOutput<typeof Figures>

const ofDay = { params: v.object({ day }), query: v.object({ after }) }

export const INDEX_OPERATIONS = {
  listIndexDays: {
    ...LOOK,
    path: '/operator/v1/index/days',
    summary: 'List the days on which jobs were created',
    answer: done(IndexDays),
  },
  verifyIndexDay: {
    ...LOOK,
    ...ofDay,
    path: '/operator/v1/index/:day/verify',
    summary: 'Compare a page of the index with the jobs',
    answer: done(IndexPage),
  },
  rebuildIndexDay: {
    ...CHANGE,
    ...ofDay,
    path: '/operator/v1/index/:day/rebuild',
    audit: { action: 'index.rebuild', keeps: ['after'] },
    summary: 'Repair a page of the index',
    answer: done(IndexPage),
  },
  showFigures: {
    ...LOOK,
    path: '/operator/v1/figures',
    summary: 'Count payments and their outcomes',
    description:
      'Payments by the hour (UTC) of their creation, from counters in the index. The hub widens the time range to whole hours: at most a ' +
      'month by the hour, a year by anything else; the last 24 hours by default. Days are in the time zone of the hub (`TIME_ZONE`); an ' +
      'hour that contains midnight (`Asia/Kolkata`) counts for the day in which it begins. Money counts in the hour in which its payment ' +
      'was created: the export of movements has the time of each movement.',
    query: v.object({
      ...openRange,
      by: v.optional(v.pipe(FiguresBy, v.description('How to group them.')), 'hour'),
      pos: ofPos,
      account: atAccount,
      method: ofMethod,
      mode: inMode('Of points of sale in this mode: by default live ones, if there are any.'),
    }),
    answer: done(Figures),
  },
  showRetention: {
    ...LOOK,
    path: '/operator/v1/retention',
    summary: 'See how long jobs are kept, and how many were purged',
    answer: done(Retention),
  },
} as const satisfies Operations
