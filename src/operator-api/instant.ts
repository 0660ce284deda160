import * as v from 'valibot'

/** An instant that an operator names, in milliseconds. */
export const Instant = v.pipe(
  v.string('is required'),
  v.isoTimestamp('must be a time such as 2026-01-31T10:00:00Z'),
  v.transform(Date.parse),
  v.integer('must be a time such as 2026-01-31T10:00:00Z'),
)
