import * as v from 'valibot'
import { DAY } from '../../contract/timestamp.ts'
import { Integer } from '../../contract/values.ts'
import { AUTHORIZED, type Meaning, PAID, closedAs } from '../answer.ts'
import type { ShownPayment } from '../reading.ts'
import { urlPart } from '../values.ts'
import { daysHeld, minorUnits } from './tables.ts'

/** https://docs.stripe.com/api/payment_intents: a payment at a terminal is one, and has no session. */
export const PAYMENT_INTENTS = '/v1/payment_intents'

export function intentPath(id: string): string {
  return `${PAYMENT_INTENTS}/${urlPart(id)}`
}

/** Returns whether a reference names a payment intent, not a session. */
export function isIntent(reference: string): boolean {
  return reference.startsWith('pi_')
}

/** The id of an object that Stripe shows as an id or expanded: https://docs.stripe.com/api/expanding_objects */
export const ExpandableId = v.union([
  v.string(),
  v.pipe(
    v.object({ id: v.string() }),
    v.transform(({ id }) => id),
  ),
])

const Anything = v.optional(v.unknown())

/**
 * https://docs.stripe.com/api/payment_intents/object. Strict only about the status, so that an oddity
 * elsewhere does not hide a payment.
 */
export const Intent = v.object({
  id: v.fallback(v.nullable(v.string()), null),
  status: v.string(),
  currency: v.fallback(v.string(), ''),
  amount: Anything,
  amount_capturable: Anything,
  amount_received: Anything,
  capture_method: Anything,
  cancellation_reason: Anything,
  metadata: Anything,
  latest_charge: Anything,
  amount_details: Anything,
  last_payment_error: Anything,
})
export type Intent = v.InferOutput<typeof Intent>

const Seconds = v.fallback(v.nullish(Integer), null)

const Details = v.looseObject({ type: v.string() })
const DetailsOfMethod = v.object({
  capture_before: Seconds,
  multicapture: v.fallback(v.nullish(v.object({ status: v.string() })), null),
})

const Charge = v.object({
  created: Seconds,
  currency: v.fallback(v.string(), ''),
  amount_refunded: Anything,
  refunds: Anything,
  disputed: Anything,
  paid: Anything,
  payment_method_details: v.fallback(v.nullish(Details), null),
})
export type Charge = v.InferOutput<typeof Charge>

/**
 * Returns the charge that took or reserved the money, https://docs.stripe.com/api/charges/object; null
 * if the answer lacks it.
 */
export function chargeOf(intent: Intent | null | undefined): Charge | null {
  const charge = v.safeParse(Charge, intent?.latest_charge)
  return charge.success ? charge.output : null
}

function detailsOf(charge: Charge) {
  const shown = v.safeParse(DetailsOfMethod, ofMethod(charge))
  return shown.success ? shown.output : null
}

/** Returns the part of a charge that depends on its method. */
export function ofMethod({ payment_method_details: details }: Charge): unknown {
  return details?.[details.type]
}

/** Returns whether several captures are possible: https://docs.stripe.com/payments/multicapture */
export function takesSeveralCaptures(charge: Charge | null): boolean {
  return charge !== null && detailsOf(charge)?.multicapture?.status === 'available'
}

/** The statuses of an intent whose money is not reserved yet, or neither captured nor released yet. */
const UNDECIDED: ReadonlySet<string> = new Set(['requires_confirmation', 'requires_action', 'processing'])

/** The `cancellation_reason` of an intent that Stripe cancels because its time is up. */
const TIME_IS_UP: ReadonlySet<unknown> = new Set(['automatic', 'expired'])

/** Money that is or was reserved for a later capture, in minor units. */
type ReservedMoney = { authorized: number; paid: number; released: number; meaning: Meaning }

/**
 * Returns the reserved money of an intent; null if an amount cannot be read, undefined for a payment whose
 * money was not reserved. `isComplete`: the customer is done, so Stripe has reserved the money at some
 * time, even if the intent is canceled now. An intent that took less than its amount was captured by
 * hand, whatever its `capture_method`.
 */
export function reservedIn(
  intent: Intent,
  isComplete: boolean,
  currency: string,
): ReservedMoney | null | undefined {
  const { status, capture_method } = intent
  if (UNDECIDED.has(status)) return undefined
  const units = (value: unknown) => minorUnits(value, intent.currency, currency)
  const [amount, paid] = [units(intent.amount), units(intent.amount_received)]
  const isHeld = status === 'requires_capture'
  const isPart = amount !== null && paid !== null && paid > 0 && paid < amount
  if (capture_method !== 'manual' && !isHeld && !isPart) return undefined
  const held = isHeld ? units(intent.amount_capturable) : 0
  if (amount === null || paid === null || held === null || paid + held > amount) return null
  if (paid + held === 0 && !isComplete) return undefined
  const meaning = held > 0 ? AUTHORIZED : paid > 0 ? PAID : endOf(intent)
  return { authorized: amount, paid, released: amount - paid - held, meaning }
}

/** Returns how a reservation without a capture ended. */
function endOf({ status, cancellation_reason }: Intent): Meaning {
  if (status === 'requires_payment_method') return closedAs('FAILURE')
  return closedAs(TIME_IS_UP.has(cancellation_reason) ? 'EXPIRED' : 'CANCELLED')
}

/**
 * Returns since when (ms) Stripe has reserved money, until when it holds it, and whether several captures
 * are possible. Only the charge of a card shows its own end; the other methods have fixed days.
 */
function timesOf(charge: Charge | null): Pick<ShownPayment, 'authorizedAt' | 'captureBefore' | 'inParts'> {
  if (!charge?.created) return {}
  const { created, payment_method_details } = charge
  const until = detailsOf(charge)?.capture_before
  return {
    authorizedAt: created * 1000,
    captureBefore: until ? until * 1000 : created * 1000 + daysHeld(payment_method_details?.type) * DAY,
    inParts: takesSeveralCaptures(charge),
  }
}

/**
 * Returns a payment's money, by its charge and its reserved money. `taken`: what was paid if no money was
 * reserved.
 */
export function moneyIn(
  charge: Charge | null,
  reserved: ReservedMoney | null | undefined,
  { meaning, taken }: { meaning: Meaning; taken: number | null },
  currency: string,
): Omit<ShownPayment, 'reference' | 'checkoutUrl' | 'expiresAt' | 'amount'> {
  const paid = reserved === undefined ? taken : (reserved?.paid ?? null)
  return {
    meaning: reserved?.meaning ?? meaning,
    method: charge?.payment_method_details?.type ?? null,
    paid,
    ...(paid && charge ? { refunded: refundedIn(charge, reserved?.released ?? 0, currency) } : {}),
    ...(reserved ? { authorized: reserved.authorized, released: reserved.released, ...timesOf(charge) } : {}),
  }
}

/**
 * Returns what was refunded (minor units), also by refunds under way. If a charge takes one capture, Stripe adds
 * the released rest to `amount_refunded`: "Any additional amount is automatically refunded", as its reference said
 * of `amount_to_capture` in earlier versions. If a charge takes several, it does not:
 * https://docs.stripe.com/payments/multicapture#final-capture
 */
function refundedIn(charge: Charge, released: number, currency: string): number | null {
  const total = minorUnits(charge.amount_refunded, charge.currency, currency)
  const hasRest = total !== null && total >= released && !takesSeveralCaptures(charge)
  return hasRest ? total - released : total
}
