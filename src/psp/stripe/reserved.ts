import * as v from 'valibot'
import { type Result, ok, refuse } from '../../contract/result.ts'
import { withDeadline } from '../../platform/deadline.ts'
import type { InstructionAnswer, Unavailable } from '../answer.ts'
import { type Call, DEADLINE, unavailable } from '../http-client.ts'
import type { Instructed, Instruction } from '../port.ts'
import { instructedIn, stateOf } from '../reading.ts'
import { toPspUnits, urlPart } from '../values.ts'
import { type Intent, chargeOf, takesSeveralCaptures } from './intent.ts'
import { AT_STRIPE, callWithKeys, sessionIntent, shownBy, wholeSession } from './session.ts'
import { UNITS } from './tables.ts'

/** A request about a payment intent: the end of its path, and its form. */
type Request = { act: 'capture' | 'cancel'; form: Record<string, string> }

/**
 * How Stripe takes an instruction about reserved money. It has no objects of captures and releases: the
 * payment intent shows whether Stripe has done it.
 */
type Kind = {
  kind: 'capture' | 'release'
  isDone: (intent: Intent, wanted: Instruction) => boolean
  /** Returns null for an amount that Stripe cannot take. */
  request: (intent: Intent, wanted: Instruction) => Request | null
}

/**
 * https://docs.stripe.com/api/payment_intents/capture. The id of the capture is a name in the intent's
 * metadata (at most 40 characters): the same request that captures sets it. By default the rest is
 * released; "you can only use" `final_capture=false` where the charge takes several captures.
 */
const CAPTURE: Kind = {
  kind: 'capture',
  isDone: ({ metadata }, { id }) => v.is(v.object({ [id]: v.literal('capture') }), metadata),
  request(intent, { id, amount, currency, isFinal = false }) {
    const units = toPspUnits(amount, currency, UNITS)
    const keepsRest = !isFinal && takesSeveralCaptures(chargeOf(intent))
    const form = {
      amount_to_capture: String(units),
      [`metadata[${id}]`]: 'capture',
      ...(keepsRest ? { final_capture: 'false' } : {}),
    }
    return units === null ? null : { act: 'capture', form }
  },
}

/**
 * https://docs.stripe.com/api/payment_intents/cancel. "If you want to release the uncaptured funds for
 * a partially captured payment, set the amount to 0 and set `final_capture` to `true`":
 * https://docs.stripe.com/payments/multicapture
 */
const RELEASE: Kind = {
  kind: 'release',
  isDone: ({ status, amount, amount_received }) =>
    status === 'canceled' || (status === 'succeeded' && amount !== amount_received),
  request: ({ status, amount_received }) =>
    status === 'requires_capture' && amount_received !== 0
      ? { act: 'capture', form: { amount_to_capture: '0', final_capture: 'true' } }
      : { act: 'cancel', form: {} },
}

export function captures(call: Call): Instructed {
  return instructed(call, CAPTURE)
}

export function releases(call: Call): Instructed {
  return instructed(call, RELEASE)
}

/**
 * Looks at the intent before each request: Stripe forgets idempotency keys after a day, and a fault that
 * it repeats does not say whether it has captured.
 */
function instructed(call: Call, { kind, isDone, request }: Kind): Instructed {
  const outcomeIn = (intent: Intent, wanted: Instruction): InstructionAnswer =>
    isDone(intent, wanted) ? stateOf(AT_STRIPE, kind, shownBy(intent)) : { is: 'unknown' }

  return {
    instruct: (payment, wanted) =>
      withDeadline(DEADLINE, (deadline) =>
        callWithKeys(wanted.id, deadline, async (idempotencyKey): Promise<InstructionAnswer> => {
          const intent = await intentNow(call, payment.reference, deadline)
          if (!intent.ok) return intent.error
          if (intent.value === null) return { is: 'refused', message: `Stripe has no money to ${kind}.` }
          const outcome = outcomeIn(intent.value, wanted)
          if (outcome.is !== 'unknown') return outcome
          const wish = request(intent.value, wanted)
          if (wish === null)
            return { is: 'refused', message: `Stripe cannot ${kind} that much ${wanted.currency}.` }
          const path = `/v1/payment_intents/${urlPart(intent.value.id ?? '')}/${wish.act}`
          const body = new URLSearchParams(wish.form)
          const answer = await call('POST', path, { body, idempotencyKey, deadline })
          return answer.is === 'unavailable' ? answer : instructedIn(AT_STRIPE, kind, answer)
        }),
      ),
    check: (payment, wanted) =>
      withDeadline(DEADLINE, async (deadline): Promise<InstructionAnswer> => {
        const intent = await intentNow(call, payment.reference, deadline)
        if (!intent.ok) return intent.error
        // Nobody has begun to pay, so Stripe did nothing.
        return intent.value === null ? { is: 'unknown' } : outcomeIn(intent.value, wanted)
      }),
  }
}

/** Returns the intent of a session as it stands; null before anybody begins to pay. */
async function intentNow(
  call: Call,
  reference: string,
  deadline: AbortSignal,
): Promise<Result<Intent | null, Unavailable>> {
  const answer = await wholeSession(call, reference, deadline)
  if (answer.is === 'unavailable') return refuse(answer)
  const intent = sessionIntent(answer.body)
  return intent === undefined
    ? refuse(unavailable(`Stripe answered ${answer.status} without the payment.`))
    : ok(intent)
}
