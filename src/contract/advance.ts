import * as v from 'valibot'

/** How many seconds a test job's clock may be ahead: 400 days. */
export const MOST_SECONDS = 400 * 24 * 60 * 60

const WHOLE = `must be a whole number from 1 to ${MOST_SECONDS}`

/** The body of `POST /v2/paymentjobs/{id}/advance`. */
export const Advance = v.pipe(
  v.object({
    seconds: v.pipe(
      v.number(WHOLE),
      v.integer(WHOLE),
      v.minValue(1, WHOLE),
      v.maxValue(MOST_SECONDS, WHOLE),
      v.description('How much time passes. All of a job together: 400 days at most.'),
      v.examples([259_200]),
    ),
  }),
  v.title('Advance'),
  v.description('How much time to let pass for a job in test mode.'),
)
export type Advance = v.InferOutput<typeof Advance>
