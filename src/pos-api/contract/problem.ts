import * as v from 'valibot'

/** One field of a request that is invalid. */
export const InvalidField = v.pipe(
  v.object({
    field: v.pipe(v.string(), v.description('The name of the field.'), v.examples(['amount'])),
    error: v.pipe(
      v.string(),
      v.description('What is wrong with it.'),
      v.examples(['must be more than zero']),
    ),
  }),
  v.title('Invalid field'),
)

/** Why a request was not served: a problem (RFC 9457), with the members `error` and `field` that clients of this API read. */
export const Problem = v.pipe(
  v.object({
    type: v.pipe(
      v.string(),
      v.description('The address of the page that explains this `code`.'),
      v.examples(['https://payment-hub.example.com/docs/errors#fields-invalid']),
    ),
    title: v.pipe(
      v.string(),
      v.description('What the problem is, the same for each of its `code`.'),
      v.examples(['Some fields are not valid']),
    ),
    status: v.pipe(
      v.number(),
      v.integer(),
      v.minValue(400),
      v.maxValue(599),
      v.description('The status of the answer.'),
      v.examples([422]),
    ),
    code: v.pipe(
      v.string(),
      v.description('What a program decides by. A code keeps its meaning for ever; more codes may come.'),
      v.examples(['fields-invalid']),
    ),
    detail: v.pipe(
      v.string(),
      v.description('What went wrong, for people. It may change.'),
      v.examples(['amount must be more than zero']),
    ),
    error: v.pipe(
      v.string(),
      v.description('`detail` without the name of the field in front, so that `field: error` reads well.'),
      v.examples(['must be more than zero']),
    ),
    field: v.pipe(
      v.string(),
      v.description('The first field or header that is wrong; an empty text where it is none.'),
      v.examples(['amount']),
    ),
    errors: v.exactOptional(
      v.pipe(
        v.array(InvalidField),
        v.minLength(1),
        v.description('Every invalid field, where fields are invalid.'),
      ),
    ),
  }),
  v.title('Problem'),
  v.description('Why a request was not served (RFC 9457).'),
)
export type Problem = v.InferOutput<typeof Problem>
