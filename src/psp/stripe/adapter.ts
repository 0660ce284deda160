import * as v from 'valibot'
import type { PullAnswer } from '../../domain/psp-answer.ts'
import { type Called, apiClient, callUntilFree, isConflict, unavailable } from '../http-client.ts'
import { type Checked, type Connection, type PaymentRequest, type Psp, defineAdapter } from '../port.ts'
import { type AnnounceAnswer, ofOrderOrAccount, withoutPayment } from '../refusal.ts'
import { fromPspUnits, toPspUnits } from '../units.ts'
import { announcement, tooFine } from './announcement.ts'
import { Credentials, modeOf } from './credentials.ts'
import { toRefused } from './error.ts'
import { readNotification } from './notification.ts'
import { Session, statusOf } from './session.ts'
import { METHODS, UNITS } from './tables.ts'

/** Stripe Checkout: https://docs.stripe.com/api/checkout/sessions */
const ENDPOINT = 'https://api.stripe.com'
const SESSIONS = '/v1/checkout/sessions'

/**
 * The version of the API that all of this was written for, whatever the account's own is. From 2026-09-30 on a payment
 * method is asked for by `allowed_payment_method_types`; `payment_method_types` is refused:
 * https://docs.stripe.com/changelog/endive/2026-09-30/remove-payment-method-types-checkout-sessions
 */
const VERSION = '2026-10-28.endive'

const open = ({ fetch, endpoint = ENDPOINT, credentials }: Connection<Credentials>): Psp => {
  const { secretKey } = credentials
  const headers = { authorization: `Bearer ${secretKey}`, 'stripe-version': VERSION }
  const call = apiClient({ fetch, endpoint, headers, secret: secretKey })
  const pull = async (reference: string, currency: string): Promise<PullAnswer> =>
    toPulled(await call('GET', `${pathOf(reference)}?expand[]=payment_intent`), currency)

  return {
    async announce(payment, deadline) {
      const amount = toPspUnits(payment.amount, payment.currency, UNITS)
      if (amount === null) return tooFine(payment)
      const body = announcement(payment, amount)
      for (const idempotencyKey of keysOf(payment.job)) {
        const post = () => call('POST', SESSIONS, { body, idempotencyKey, deadline })
        const answer = await callUntilFree(post, isConflict, deadline)
        if (answer.is === 'answered' || !answer.replayed) return toAnnounced(answer, payment)
        if (deadline.aborted) break
      }
      return unavailable('Stripe repeats its fault of before.')
    },
    pull,
    async stop(reference, currency) {
      const answer = await call('POST', `${pathOf(reference)}/expire`, { body: new URLSearchParams() })
      // 400: it is no longer open. How it stands now is the answer.
      if (answer.is === 'answered' && answer.status === 400) return pull(reference, currency)
      const seen = toPulled(answer, currency)
      return seen.is === 'observed' && seen.status === 'EXPIRED' ? { ...seen, status: 'CANCELLED' } : seen
    },
    readNotification: (notification) => readNotification(notification, credentials),
    accepted: 'OK',
    check: async () => toChecked(await call('GET', `${SESSIONS}?limit=1`)),
  }
}

export const stripe = defineAdapter({ credentials: Credentials, methods: METHODS, modeOf, open })

const pathOf = (reference: string): string => `${SESSIONS}/${encodeURIComponent(reference)}`

/**
 * Stripe repeats even a 500 for a day under the key that met it: then the next key is tried, which is the same for each
 * repetition. https://docs.stripe.com/api/idempotent_requests
 */
const keysOf = (job: string): string[] => [job, ...[2, 3, 4].map((next) => `${job}-${next}`)]

const toAnnounced = (answer: Called, { currency, amount }: PaymentRequest): AnnounceAnswer => {
  if (answer.is === 'unavailable') return answer
  if (answer.status >= 400 && answer.status !== 409) {
    const refused = toRefused(answer.body)
    return refused.is === 'refused' ? ofOrderOrAccount(answer.status, refused) : refused
  }
  const session = v.safeParse(Session, answer.body)
  if (!session.success || !session.output.url || !URL.canParse(session.output.url)) {
    return unavailable('Stripe answered without a session to check out.')
  }
  if (amountIn(session.output, currency) !== amount) {
    return unavailable('Stripe answered with a session of another amount or currency.')
  }
  const { id, url, expires_at } = session.output
  return { is: 'announced', reference: id, checkoutUrl: url, expiresAt: endOf(expires_at) }
}

const toPulled = (answer: Called, currency: string): PullAnswer => {
  if (answer.is === 'unavailable') return answer
  if (answer.status === 404) return { is: 'unknown' }
  const session = v.safeParse(Session, answer.body)
  if (!session.success)
    return withoutPayment(answer.status, `Stripe answered ${answer.status} without the payment.`)
  const total = amountIn(session.output, currency)
  if (total === null) return unavailable('Stripe answered with an amount that cannot be read.')
  const status = statusOf(session.output)
  if (status === null) return unavailable('Stripe answered with a payment whose status cannot be read.')
  return {
    is: 'observed',
    status,
    paid: status === 'SUCCESS' ? total : 0,
    expiresAt: endOf(session.output.expires_at),
  }
}

const endOf = (seconds: number | null | undefined): number | null => (seconds ? seconds * 1000 : null)

/** What a session is over, in minor units; null where it is in another currency, or they cannot hold it. */
const amountIn = (session: Session, currency: string): number | null =>
  session.currency === currency.toLowerCase() ? fromPspUnits(session.amount_total, currency, UNITS) : null

const toChecked = (answer: Called): Checked => {
  if (answer.is === 'unavailable') return answer
  return answer.status === 200 ? { is: 'working' } : toRefused(answer.body)
}
