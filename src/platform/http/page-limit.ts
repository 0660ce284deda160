import * as v from 'valibot'

const LIMIT = 'must be a number from 1 to 200'

/** How many of a list a page has, as its query says it. */
export const PageLimit = v.optional(
  v.pipe(
    v.string(),
    v.regex(/^\d{1,3}$/, LIMIT),
    v.transform(Number),
    v.minValue(1, LIMIT),
    v.maxValue(200, LIMIT),
  ),
  '50',
)
