import * as v from 'valibot'
import type { PullAnswer } from '../answer.ts'
import { type Call, unavailable } from '../http-client.ts'
import { toPspUnits } from '../units.ts'
import { urlPart } from '../url-part.ts'
import { pullSession, sessionPath } from './pull.ts'
import { Session, intentIdOf } from './session.ts'
import { UNITS } from './tables.ts'

/**
 * Takes money that is reserved: https://docs.stripe.com/api/payment_intents/capture. Whatever Stripe answers, how the
 * payment stands then is what counts: a 400 says that it was captured already, or is no longer held. It has no idempotency
 * key: Stripe captures once by itself, and would repeat a fault under a key for a day.
 */
export async function captureSession(
  call: Call,
  reference: string,
  amount: number,
  currency: string,
): Promise<PullAnswer> {
  const held = await call('GET', sessionPath(reference))
  if (held.is === 'unavailable') return held
  const session = v.safeParse(Session, held.body)
  const intent = session.success ? intentIdOf(session.output) : null
  const units = toPspUnits(amount, currency, UNITS)
  if (intent === null || units === null)
    return unavailable(`Stripe answered ${held.status} without the payment.`)
  const answer = await call('POST', `/v1/payment_intents/${urlPart(intent)}/capture`, {
    body: new URLSearchParams({ amount_to_capture: String(units) }),
  })
  return answer.is === 'unavailable' ? answer : pullSession(call, reference, currency)
}
