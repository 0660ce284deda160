import * as v from 'valibot'
import { INSTRUCTION, words } from './refund.ts'
import {
  MUST_BE_FLAG,
  MUST_BE_TEXT,
  SENT_AMOUNT_PATTERN,
  amount,
  described,
  documented,
  id,
  members,
  sentAmount,
} from './values.ts'

export const CaptureStatus = v.pipe(
  v.picklist(['PENDING', 'SUCCESS', 'FAILURE']),
  v.description(
    '`PENDING`: the PSP has not said yet what became of it. `SUCCESS`: the money is captured. `FAILURE`: it is not; `error` says why. ' +
      'A capture that is `SUCCESS` may still become `FAILURE`, when the bank does not pay after all.',
  ),
)

const final = v.exactOptional(
  v.pipe(
    v.boolean(MUST_BE_FLAG),
    v.description(
      'What this capture leaves is released with it. A PSP that captures once does so by itself.',
    ),
    v.examples([true]),
  ),
)

/**
 * The body of a capture. Refuses members that it does not know: a misspelt `amount` would capture all.
 */
export const NewCapture = v.pipe(
  members({
    amount: v.exactOptional(
      sentAmount('What is to be captured, written as in a create. Without it, all that is left.', '20.00'),
    ),
    final,
    description: v.exactOptional(
      v.pipe(
        words,
        v.description('What it is for, where the PSP shows that. Without it: `Order` and the number.'),
        v.examples(['The first of two parcels']),
      ),
    ),
  }),
  v.description('Reserved money to capture.'),
)
export type NewCapture = v.InferInput<typeof NewCapture>

/** The body of a release. Refuses an `amount`, because all would be released. */
export const NewRelease = v.pipe(
  members({}),
  v.description('Nothing: all that is reserved and not captured is released.'),
)

/**
 * The body of an operator's capture. Without `amount`, all that is left is captured. The same `id` again
 * is the same capture.
 */
export const OperatorNewCapture = members({
  id: v.pipe(v.string(MUST_BE_TEXT), v.uuid('must be a UUID')),
  amount: v.exactOptional(
    v.pipe(v.string('must be a text such as 20.00'), v.metadata({ pattern: SENT_AMOUNT_PATTERN })),
  ),
  final,
  description: v.exactOptional(words),
})

export const Capture = documented('A capture that was asked for here.', {
  capture: id('The id of the capture.'),
  ...INSTRUCTION,
  amount: amount('What is captured.'),
  description: described('What it is for.', 'The first of two parcels'),
  final: v.pipe(v.boolean(), v.description('Whether what it left was released with it.')),
  status: CaptureStatus,
  error: v.pipe(v.nullable(v.string()), v.description('Why it failed; else `null`.')),
})
export type Capture = v.InferOutput<typeof Capture>

export const CaptureList = v.pipe(
  v.object({ captures: v.pipe(v.array(Capture), v.description('The oldest first.')) }),
  v.description('The captures of a payment that were asked for here.'),
)
export type CaptureList = v.InferOutput<typeof CaptureList>
