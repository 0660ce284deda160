import * as v from 'valibot'
import {
  AUTHORIZED,
  OPEN,
  PAID,
  UNDERWAY,
  type Unavailable,
  closedAs,
  endedAs,
  faultOf,
  unknownWord,
  wordIn,
} from '../answer.ts'
import { type PspReading, type ShownPayment, shownCard } from '../reading.ts'
import { type Charge, Intent, chargeOf, moneyIn, ofMethod, reservedIn } from './intent.ts'
import { FAULTS } from './terminal-faults.ts'
import { type Action, CardError, Text, intentOfAction } from './reader.ts'
import { AT_STRIPE } from './session.ts'
import { PATIENCE, minorUnits } from './tables.ts'

type Standing = Pick<ShownPayment, 'meaning' | 'progress' | 'reason'>

/**
 * The meanings of a payment intent's status at a terminal. For `requires_payment_method` the reader knows
 * more, and a `canceled` intent may have been declined before.
 */
export const AT_TERMINAL: Readonly<Record<string, Standing>> = {
  requires_payment_method: { meaning: OPEN },
  requires_confirmation: { meaning: OPEN, progress: 'card-read' },
  requires_action: { meaning: OPEN, progress: 'authorising' },
  requires_capture: { meaning: AUTHORIZED },
  processing: { meaning: UNDERWAY, progress: 'authorising' },
  succeeded: { meaning: PAID },
  canceled: { meaning: closedAs('CANCELLED') },
}

/**
 * Returns the state of an attempt at a reader. The reader itself lets the customer try again after it could
 * not read a card, and asks for the PIN after a soft decline; its action stays `in_progress`. Once that has
 * failed, nothing continues by itself. The hub makes one attempt per job, so the job fails at once. A
 * question has no side effects, so this does not cancel the intent. The end is therefore not closed: once
 * the reader does something else the intent shows as open, and the hub then stops it.
 */
function attemptOf(action: Action): Standing {
  const { status, failure_code } = action
  if (status === 'in_progress') return { meaning: OPEN, progress: 'waiting-for-card' }
  // "The payment confirmation request might have been processed": only the intent knows. After a success
  // at the reader, an intent that the hub read just before is out of date.
  if (status !== 'failed' || failure_code === 'connection_error')
    return { meaning: OPEN, progress: 'authorising' }
  if (failure_code === 'customer_canceled') return { meaning: endedAs('CANCELLED') }
  const { code, decline_code, message } = action.api_error ?? {}
  return {
    meaning: endedAs('FAILURE'),
    reason: failed(decline_code ?? code ?? failure_code, message ?? action.failure_message),
  }
}

function failed(code: string | null | undefined, says: string | null | undefined): string {
  return faultOf(FAULTS, { psp: 'Stripe', code, says })
}

function standingOf(intent: Intent, action: Action | null): Standing | Unavailable {
  const { id, status } = intent
  if (status === 'requires_payment_method' && action && intentOfAction(action) === id)
    return attemptOf(action)
  const error = v.safeParse(CardError, intent.last_payment_error)
  if (status === 'canceled' && error.success) {
    const { code, decline_code, message } = error.output
    return { meaning: closedAs('FAILURE'), reason: failed(decline_code ?? code, message) }
  }
  return wordIn(AT_TERMINAL, status) ?? unknownWord('Stripe', 'payment intent', status)
}

/** Returns how to read a payment intent with the charge. `action`: what its reader does, if the hub asked. */
export function readingWith(action: Action | null): PspReading {
  // A card at a counter is authorised within seconds.
  const patience = { ...PATIENCE, otherwise: 1 }
  return { ...AT_STRIPE, patience, read: (body, currency) => shownOf(body, currency, action) }
}

const WithTip = v.object({ tip: v.object({ amount: v.number() }) })

function shownOf(body: unknown, currency: string, action: Action | null): ShownPayment | Unavailable | null {
  const shown = v.safeParse(Intent, body)
  if (!shown.success || shown.output.id === null) return null
  const intent = shown.output
  const standing = standingOf(intent, action)
  if ('is' in standing) return standing
  const units = (value: unknown) => minorUnits(value, intent.currency, currency)
  const charge = chargeOf(intent)
  const reserved = reservedIn(intent, charge?.paid === true, currency)
  const { meaning } = standing
  const taken = meaning.is === 'paid' ? units(intent.amount_received) : 0
  const money = moneyIn(charge, reserved, { meaning, taken }, currency)
  const tip = v.safeParse(WithTip, intent.amount_details)
  return {
    ...standing,
    ...money,
    reference: shown.output.id,
    checkoutUrl: null,
    expiresAt: null,
    amount: units(intent.amount),
    ...(money.paid && tip.success ? { tip: units(tip.output.tip.amount) ?? 0 } : {}),
    ...(money.paid && charge ? cardOf(charge) : {}),
  }
}

/** https://docs.stripe.com/api/charges/object, `payment_method_details.card_present` */
const CardPresent = v.object({
  brand: Text,
  last4: Text,
  read_method: Text,
  receipt: v.fallback(v.nullish(v.object({ authorization_code: Text })), null),
})

function cardOf(charge: Charge): Pick<ShownPayment, 'card'> {
  const read = v.safeParse(CardPresent, ofMethod(charge))
  if (!read.success) return {}
  const { brand, last4, read_method, receipt } = read.output
  return shownCard({
    brand,
    lastFour: last4,
    entryMode: read_method,
    authorisationCode: receipt?.authorization_code,
  })
}
