import * as v from 'valibot'
import {
  amount,
  clearText,
  currency,
  described,
  documented,
  flag,
  id,
  instant,
  MUST_BE_TEXT,
} from './values.ts'
import { members } from './body-members.ts'
import { SENT_AMOUNT_PATTERN, sentAmount } from './sent-values.ts'

/** Instructions to move the money of a payment: captures and releases of reserved money, and refunds. */

export const words = clearText(140)

/** The problems of a refund by PIN. */
export const OF_PINS = ['refund-pin-missing', 'refund-pin-wrong', 'refund-pin-locked'] as const

export const OF_REFUNDS = ['refund-unpaid', 'refund-nothing-left', 'refund-limit', 'refund-too-much'] as const

/** The problems of a capture and of a release. */
export const OF_RESERVED_MONEY = ['capture-not-reserved', 'capture-nothing-left', 'capture-limit'] as const

/** What a point of sale may send of a capture and of a refund. */
const SENT = {
  amount: v.exactOptional(
    sentAmount('The amount, written as in a create. Without it, all that is left.', '5.00'),
  ),
  description: v.exactOptional(
    v.pipe(
      words,
      v.description(
        'A description, which some PSPs show; the customer may read that of a refund. By default `Order` or `Refund of order`, and the number.',
      ),
      v.examples(['A shirt came back']),
    ),
  ),
}

const final = v.exactOptional(
  v.pipe(
    flag(
      'Releases what this capture leaves. Some PSPs capture only once, and then release the rest by themselves.',
    ),
    v.examples([true]),
  ),
)

/** The body of a refund. Refuses unknown members: a misspelt `amount` would give back everything. */
export const NewRefund = v.pipe(
  members(SENT),
  v.description(
    'Money to give back. If several payments paid the order, such as a gift card and a card, a refund without `amount` gives back ' +
      'what is left of the payment with the most left.',
  ),
)
export type NewRefund = v.InferInput<typeof NewRefund>

/** The body of a capture. Refuses unknown members, as a refund does. */
export const NewCapture = v.pipe(members({ ...SENT, final }), v.description('Reserved money to capture.'))
export type NewCapture = v.InferInput<typeof NewCapture>

/** The body of a release. Refuses an `amount`, because the hub would release everything. */
export const NewRelease = v.pipe(
  members({}),
  v.description('Empty: everything that is reserved and not captured is released.'),
)

/** The body of an operator's refund. Without `amount`, all that is left. The same `id` again is the same refund. */
export const OperatorNewRefund = members({
  id: v.pipe(v.string(MUST_BE_TEXT), v.uuid('must be a UUID')),
  amount: v.exactOptional(
    v.pipe(v.string('must be a text such as 5.00'), v.metadata({ pattern: SENT_AMOUNT_PATTERN })),
  ),
  description: v.exactOptional(words),
})

/** The body of an operator's capture. */
export const OperatorNewCapture = members({ ...OperatorNewRefund.entries, final })

function status() {
  return v.pipe(
    v.picklist(['PENDING', 'SUCCESS', 'FAILURE']),
    v.description(
      '`PENDING`: the PSP has not reported the outcome yet. `SUCCESS`: the money is captured, or went back. `FAILURE`: it did not move; ' +
        '`error` says why. A `SUCCESS` may still become a `FAILURE`, if a bank does not pay after all, or returns the money.',
    ),
  )
}
export const CaptureStatus = status()
export const RefundStatus = status()

/** What the hub shows of a capture and of a refund. */
const SHOWN = {
  paymentJob: id('The id of its payment job.'),
  created: instant('When it was requested.'),
  currency,
  amount: amount('The amount that moves.'),
  description: described('The description.', 'A shirt came back'),
}
const error = v.pipe(
  v.nullable(v.string()),
  v.description('Why it failed, or why the PSP cannot make it yet; otherwise `null`.'),
)

export const Refund = documented('A refund that was requested here.', {
  refund: id('The id of the refund.'),
  ...SHOWN,
  status: RefundStatus,
  remaining: v.exactOptional(
    amount(
      'The amount still left to refund, of another payment of the order, such as a gift card next to a card: request another refund. ' +
        'Only in the answer to a refund without `amount`.',
    ),
  ),
  error,
})
export type Refund = v.InferOutput<typeof Refund>

export const Capture = documented('A capture that was requested here.', {
  capture: id('The id of the capture.'),
  ...SHOWN,
  final: v.pipe(v.boolean(), v.description('Whether it also released the rest.')),
  status: CaptureStatus,
  error,
})
export type Capture = v.InferOutput<typeof Capture>

export const RefundList = documented('The refunds of a payment that were requested here.', {
  refunds: v.pipe(v.array(Refund), v.description('The oldest first.')),
})
export type RefundList = v.InferOutput<typeof RefundList>

export const CaptureList = documented('The captures of a payment that were requested here.', {
  captures: v.pipe(v.array(Capture), v.description('The oldest first.')),
})
export type CaptureList = v.InferOutput<typeof CaptureList>
