import * as v from 'valibot'

/** The answer of the health check. */
export const Health = v.pipe(
  v.object({
    status: v.pipe(v.literal('ok'), v.description('The hub answers requests.')),
    version: v.pipe(
      v.string(),
      v.regex(/^\d+\.\d+\.\d+/),
      v.description('The release of the hub.'),
      v.examples(['0.3.0']),
    ),
  }),
  v.title('Health'),
  v.description('That the hub answers, and which release of it does.'),
)
export type Health = v.InferOutput<typeof Health>
