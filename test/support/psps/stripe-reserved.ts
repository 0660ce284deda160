import type { Account, Answer } from './stripe-api.ts'
import { missing, refused, sessionOf } from './stripe-money-back.ts'
import {
  type Session,
  capturableOf,
  endReservation,
  intentJson,
  membersOf,
  receivedOf,
} from './stripe-objects.ts'
import type { Form } from './stripe-parameters.ts'

const TAKEN = {
  capture: /^(amount_to_capture|final_capture|metadata\[[^\]]{1,40}\]|expand\[\d*\])$/,
  cancel: /^(cancellation_reason|expand\[\d*\])$/,
  retrieve: /^expand\[\d*\]$/,
}
type Act = keyof typeof TAKEN

function refuseState(session: Session, could: string, also = ''): Answer | null {
  const { status } = intentJson(session)
  return status === 'requires_capture' || status === also
    ? null
    : refused({
        code: 'payment_intent_unexpected_state',
        message: `${could} because it has a status of ${status}. Only a PaymentIntent with one of the following statuses may be used: ${also && `${also}, `}requires_capture.`,
      })
}

/** Captures, cancels or returns a payment intent. */
export function actOnIntent(account: Account, intent: string, act: Act, form: Form): Answer {
  const param = [...form.keys()].find((name) => !TAKEN[act].test(name))
  if (param !== undefined)
    return refused({ code: 'parameter_unknown', param, message: `Received unknown parameter: ${param}` })
  const session = sessionOf(account, intent)
  if (!session) return missing('payment_intent', intent)
  const problem =
    act === 'capture' ? refuseCapture(session, form) : act === 'cancel' ? refuseCancel(session) : null
  if (problem) return problem
  if (act === 'capture') capture(session, form)
  if (act === 'cancel') endReservation(session, form.get('cancellation_reason') ?? null)
  return { status: 200, body: intentJson(session, [...form.values()]) }
}

/**
 * https://docs.stripe.com/api/payment_intents/cancel: the intent of a Checkout session only once its money is
 * reserved.
 */
function refuseCancel(session: Session): Answer | null {
  const also = session.terminal ? 'requires_payment_method' : ''
  return refuseState(session, 'You cannot cancel this PaymentIntent', also)
}

/** https://docs.stripe.com/api/payment_intents/capture */
function refuseCapture(session: Session, form: Form): Answer | null {
  const wrong = refuseState(session, 'This PaymentIntent could not be captured')
  if (wrong) return wrong
  const amount = Number(form.get('amount_to_capture') ?? capturableOf(session))
  const isFinal = form.get('final_capture') !== 'false'
  const mayBeNone = isFinal && receivedOf(session) > 0
  if (!Number.isSafeInteger(amount) || amount < (mayBeNone ? 0 : 1))
    return refused({
      code: 'parameter_invalid_integer',
      param: 'amount_to_capture',
      message: 'This value must be greater than or equal to 1.',
    })
  if (amount > capturableOf(session))
    return refused({
      code: 'amount_too_large',
      param: 'amount_to_capture',
      message: `The amount could not be captured because it is greater than the amount capturable (${capturableOf(session)}).`,
    })
  return isFinal || session.isMulticapture
    ? null
    : refused({
        param: 'final_capture',
        message: 'Multicapture is not available for this PaymentIntent.',
      })
}

/** A final capture releases the rest. Any other leaves the intent as it is. */
export function capture(session: Session, form: Form): void {
  const amount = Number(form.get('amount_to_capture') ?? capturableOf(session))
  session.captured = receivedOf(session) + amount
  session.noted = { ...session.noted, ...membersOf(form, 'metadata') }
  if (form.get('final_capture') !== 'false') session.money = 'paid'
}
