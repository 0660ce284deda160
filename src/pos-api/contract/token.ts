import * as v from 'valibot'

/** The answer of the guardian: a new access token. */
export const Token = v.pipe(
  v.object({
    token: v.pipe(
      v.string(),
      v.minLength(1),
      v.description('The access token. Cache it: each request to the guardian makes a new one.'),
    ),
    expiration: v.pipe(
      v.number(),
      v.integer(),
      v.description('When it expires, in Unix seconds: 24 hours from now.'),
      v.examples([1_790_086_400]),
    ),
    expiration_datetime: v.pipe(
      v.string(),
      v.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/),
      v.description('The same time in ISO 8601.'),
      v.examples(['2026-09-22T14:13:20+00:00']),
    ),
  }),
  v.title('Token'),
  v.description('An access token, and until when it is valid.'),
)
export type Token = v.InferOutput<typeof Token>
