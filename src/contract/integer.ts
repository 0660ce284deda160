import * as v from 'valibot'

/** Minor units, revisions, counts and times: integers from zero on. */
export const Integer = v.pipe(v.number(), v.safeInteger(), v.minValue(0))
