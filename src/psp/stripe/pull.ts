import * as v from 'valibot'
import type { PullAnswer } from '../answer.ts'
import { DEADLINE, within } from '../deadline.ts'
import { type Call, type Called, unavailable } from '../http-client.ts'
import { standingOf } from '../meaning.ts'
import { withoutPayment } from '../refusal.ts'
import { urlPart } from '../url-part.ts'
import { chargedBack } from './disputes.ts'
import { Session, chargeIn, intentIdOf, meaningIn } from './session.ts'
import { PATIENCE } from './statuses.ts'
import { minorUnits } from './units.ts'

/** Stripe Checkout: https://docs.stripe.com/api/checkout/sessions */
export const SESSIONS = '/v1/checkout/sessions'

export function sessionPath(reference: string): string {
  return `${SESSIONS}/${urlPart(reference)}`
}

/**
 * Asks how a session stands, with its payment intent and the charge that took the money. A restricted key that may not read
 * charges gets a 403: then the payment is asked for without what went back. Disputes are asked for only where there was one.
 */
export function pullSession(call: Call, reference: string, currency: string): Promise<PullAnswer> {
  return within(DEADLINE, async (deadline) => {
    const ask = (expanded: string) =>
      call('GET', `${sessionPath(reference)}?expand[]=${expanded}`, { deadline })
    const whole = await ask('payment_intent.latest_charge')
    const isForbidden = whole.is === 'answered' && whole.status === 403
    const answer = isForbidden ? await ask('payment_intent') : whole
    const pulled = toPulled(answer, currency)
    return pulled.is === 'observed' && answer.is === 'answered'
      ? withMoneyBack(call, pulled, answer.body, currency, deadline)
      : pulled
  })
}

export function toPulled(answer: Called, currency: string): PullAnswer {
  if (answer.is === 'unavailable') return answer
  if (answer.status === 404) return { is: 'unknown' }
  const session = v.safeParse(Session, answer.body)
  if (!session.success)
    return withoutPayment(answer.status, `Stripe answered ${answer.status} without the payment.`)
  const total = amountIn(session.output, currency)
  if (total === null) return unavailable('Stripe answered with an amount that cannot be read.')
  const meaning = meaningIn(session.output)
  if (meaning.is === 'unavailable') return meaning
  const method = chargeIn(session.output)?.payment_method_details?.type ?? null
  const standing = standingOf(meaning, PATIENCE, method)
  return {
    is: 'observed',
    ...standing,
    paid: standing.status === 'SUCCESS' ? total : 0,
    expiresAt: endOf(session.output.expires_at),
  }
}

type Observed = PullAnswer & { is: 'observed' }

/**
 * What went back of a payment. A total that Stripe does not tell, or that cannot be read, changes nothing. While Stripe does
 * not answer what was disputed nothing is recorded: it notifies again, and then all of it is.
 */
async function withMoneyBack(
  call: Call,
  pulled: Observed,
  body: unknown,
  currency: string,
  deadline: AbortSignal,
): Promise<PullAnswer> {
  const session = v.parse(Session, body)
  const charge = chargeIn(session)
  const intent = intentIdOf(session)
  if (charge === null || pulled.status !== 'SUCCESS') return pulled
  const refunded = minorUnits(charge.amount_refunded, charge.currency, currency)
  const seen: Observed = refunded === null ? pulled : { ...pulled, refunded }
  if (charge.disputed === false) return { ...seen, chargedBack: 0 }
  if (charge.disputed !== true || intent === null) return seen
  const disputed = await chargedBack(call, intent, currency, deadline)
  if (typeof disputed === 'object' && disputed !== null) return disputed
  return disputed === null ? seen : { ...seen, chargedBack: disputed }
}

/** What a session is over, in minor units; null where it is in another currency, or they cannot hold it. */
export function amountIn(session: Session, currency: string): number | null {
  return minorUnits(session.amount_total, session.currency, currency)
}

export function endOf(seconds: number | null | undefined): number | null {
  return seconds ? seconds * 1000 : null
}
