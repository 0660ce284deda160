import * as v from 'valibot'
import { withDeadline } from '../../platform/deadline.ts'
import type { InstructionAnswer } from '../answer.ts'
import { type Call, DEADLINE } from '../http-client.ts'
import type { Act, Instruction } from '../port.ts'
import { instructedIn, stateOf } from '../reading.ts'
import { toPspUnits } from '../values.ts'
import { type Intent, chargeOf, intentPath, takesSeveralCaptures } from './intent.ts'
import { AT_STRIPE, callWithKeys, intentOf, shownBy } from './session.ts'
import { UNITS } from './tables.ts'

/**
 * A kind of instruction about reserved money. Stripe has no objects for captures and releases, so the
 * payment intent shows whether one is done. `request`: the end of the path, and the form; null for an
 * amount that Stripe cannot take.
 */
type Kind = {
  kind: 'capture' | 'release'
  isDone: (intent: Intent, wanted: Instruction) => boolean
  request: (
    intent: Intent,
    wanted: Instruction,
  ) => { act: 'capture' | 'cancel'; form: Record<string, string> } | null
}

/**
 * https://docs.stripe.com/api/payment_intents/capture. The request that captures also adds the id of the
 * capture to the intent's metadata, as a name (at most 40 characters), with the amount in minor units. By default
 * the rest is released; "you can only use" `final_capture=false` if the charge takes several captures.
 */
export const CAPTURE: Kind = {
  kind: 'capture',
  isDone: ({ metadata }, { id }) => v.is(v.object({ [id]: v.string() }), metadata),
  request(intent, { id, amount, currency, isFinal = false }) {
    const units = toPspUnits(amount, currency, UNITS)
    const isLast = isFinal || units === intent.amount_capturable
    const keepsRest = !isLast && takesSeveralCaptures(chargeOf(intent))
    const form = {
      amount_to_capture: String(units),
      [`metadata[${id}]`]: String(amount),
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
export const RELEASE: Kind = {
  kind: 'release',
  isDone: ({ status, amount, amount_received }) =>
    status === 'canceled' || (status === 'succeeded' && amount !== amount_received),
  request: ({ status, amount_received }) =>
    status === 'requires_capture' && amount_received !== 0
      ? { act: 'capture', form: { amount_to_capture: '0', final_capture: 'true' } }
      : { act: 'cancel', form: {} },
}

/**
 * Makes the call for a kind of instruction. Looks at the intent before each request, because Stripe forgets
 * idempotency keys after a day, and a fault that it repeats does not show whether it has captured.
 */
export function actOn(call: Call, { kind, isDone, request }: Kind): Act {
  return ({ reference }, wanted) =>
    withDeadline(DEADLINE, (deadline) =>
      callWithKeys(wanted.id, deadline, async (idempotencyKey): Promise<InstructionAnswer> => {
        const found = await intentOf(call, reference, deadline)
        if (!found.ok) return found.error
        const intent = found.value
        if (!intent?.id) return { is: 'refused', message: `Stripe has no money to ${kind}.` }
        if (isDone(intent, wanted)) return stateOf(AT_STRIPE, kind, shownBy(intent))
        const wish = request(intent, wanted)
        if (!wish) return { is: 'refused', message: `Stripe cannot ${kind} that much ${wanted.currency}.` }
        const path = `${intentPath(intent.id)}/${wish.act}`
        const body = new URLSearchParams(wish.form)
        return instructedIn(AT_STRIPE, kind, await call('POST', path, { body, idempotencyKey, deadline }))
      }),
    )
}
