import * as v from 'valibot'
import { INSTRUCTION, words } from './refund.ts'
import {
  MUST_BE_TEXT,
  SENT_AMOUNT_PATTERN,
  amount,
  described,
  documented,
  flag,
  id,
  members,
  sentAmount,
} from './values.ts'

export const CaptureStatus = v.pipe(
  v.picklist(['PENDING', 'SUCCESS', 'FAILURE']),
  v.description(
    '`PENDING`: the PSP has not reported the outcome yet. `SUCCESS`: the money is captured. `FAILURE`: it is not; `error` says why. ' +
      'A `SUCCESS` may still become a `FAILURE`, if the bank does not pay after all.',
  ),
)

const final = v.exactOptional(
  v.pipe(
    flag(
      'Releases what this capture leaves. Some PSPs capture only once, and then release the rest by themselves.',
    ),
    v.examples([true]),
  ),
)

/** The body of a capture. Refuses unknown members: a misspelt `amount` would capture everything. */
export const NewCapture = v.pipe(
  members({
    amount: v.exactOptional(
      sentAmount('The amount to capture, written as in a create. Without it, all that is left.', '20.00'),
    ),
    final,
    description: v.exactOptional(
      v.pipe(
        words,
        v.description('A description, which some PSPs show. By default `Order` and the number.'),
        v.examples(['The first of two parcels']),
      ),
    ),
  }),
  v.description('Reserved money to capture.'),
)
export type NewCapture = v.InferInput<typeof NewCapture>

/** The problems of a capture and of a release. */
export const OF_RESERVED_MONEY = ['capture-not-reserved', 'capture-nothing-left', 'capture-limit'] as const

/** The body of a release. Refuses an `amount`, because the hub would release everything. */
export const NewRelease = v.pipe(
  members({}),
  v.description('Empty: everything that is reserved and not captured is released.'),
)

/**
 * The body of an operator's capture. Without `amount`, it captures all that is left. The same `id`
 * again is the same capture.
 */
export const OperatorNewCapture = members({
  id: v.pipe(v.string(MUST_BE_TEXT), v.uuid('must be a UUID')),
  amount: v.exactOptional(
    v.pipe(v.string('must be a text such as 20.00'), v.metadata({ pattern: SENT_AMOUNT_PATTERN })),
  ),
  final,
  description: v.exactOptional(words),
})

export const Capture = documented('A capture that was requested here.', {
  capture: id('The id of the capture.'),
  ...INSTRUCTION,
  amount: amount('The captured amount.'),
  description: described('The description.', 'The first of two parcels'),
  final: v.pipe(v.boolean(), v.description('Whether it also released the rest.')),
  status: CaptureStatus,
  error: v.pipe(v.nullable(v.string()), v.description('Why it failed; otherwise `null`.')),
})
export type Capture = v.InferOutput<typeof Capture>

export const CaptureList = documented('The captures of a payment that were requested here.', {
  captures: v.pipe(v.array(Capture), v.description('The oldest first.')),
})
export type CaptureList = v.InferOutput<typeof CaptureList>
