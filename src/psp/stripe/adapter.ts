import * as v from 'valibot'
import { type Called, apiClient, postUntilFree, isConflict, unavailable } from '../http-client.ts'
import { type Checked, type Connection, type PaymentRequest, type Psp, defineAdapter } from '../port.ts'
import { type AnnounceAnswer, ofOrderOrAccount } from '../refusal.ts'
import { toPspUnits } from '../units.ts'
import { announcement, tooFine } from './announcement.ts'
import { captureSession } from './capture.ts'
import { Credentials, modeOf } from './credentials.ts'
import { toRefused } from './error.ts'
import { readNotification } from './notification.ts'
import { SESSIONS, amountIn, endOf, pullSession, sessionPath, toPulled } from './pull.ts'
import { pullRefund, refund } from './refunds.ts'
import { jobOf } from './job-of.ts'
import { Session, meaningIn } from './session.ts'
import { LIMITS, METHODS, UNITS } from './tables.ts'

const ENDPOINT = 'https://api.stripe.com'

/**
 * The version of the API that all of this was written for, whatever the account's own is. From 2026-09-30 on a payment
 * method is asked for by `allowed_payment_method_types`; `payment_method_types` is refused:
 * https://docs.stripe.com/changelog/endive/2026-09-30/remove-payment-method-types-checkout-sessions
 */
const VERSION = '2026-10-28.endive'

function open({ fetch, endpoint = ENDPOINT, credentials }: Connection<Credentials>): Psp {
  const { secretKey } = credentials
  const headers = { authorization: `Bearer ${secretKey}`, 'stripe-version': VERSION }
  const call = apiClient({ fetch, endpoint, headers, secret: secretKey })

  return {
    async announce(payment, deadline) {
      const amount = toPspUnits(payment.amount, payment.currency, UNITS)
      if (amount === null) return tooFine(payment)
      const body = announcement(payment, amount)
      for (const idempotencyKey of keysOf(payment.job)) {
        const options = { body, idempotencyKey, deadline }
        const answer = await postUntilFree(call, SESSIONS, options, isConflict)
        if (answer.is === 'answered' || !answer.replayed) return toAnnounced(answer, payment)
        if (deadline.aborted) break
      }
      return unavailable('Stripe repeats its fault of before.')
    },
    pull: (reference, currency) => pullSession(call, reference, currency),
    jobOf: (reference) => jobOf(call, reference),
    async stop(reference, currency) {
      const answer = await call('POST', `${sessionPath(reference)}/expire`, { body: new URLSearchParams() })
      // 400: it is no longer open. How it stands now is the answer.
      if (answer.is === 'answered' && answer.status === 400) return pullSession(call, reference, currency)
      const seen = toPulled(answer, currency)
      return seen.is === 'observed' && seen.status === 'EXPIRED' ? { ...seen, status: 'CANCELLED' } : seen
    },
    capture: (reference, amount, currency) => captureSession(call, reference, amount, currency),
    refund: (payment, wanted) => refund(call, payment, wanted),
    pullRefund: (payment, wanted) => pullRefund(call, payment, wanted),
    readNotification: (notification) => readNotification(notification, credentials, call),
    accepted: 'OK',
    check: async () => toChecked(await call('GET', `${SESSIONS}?limit=1`)),
  }
}

export const stripe = defineAdapter({
  credentials: Credentials,
  methods: METHODS,
  limits: LIMITS,
  references: /^(cs|pi)_\w+$/,
  modeOf,
  open,
})

/**
 * Stripe repeats even a 500 for a day under the key that met it: then the next key is tried, which is the same for each
 * repetition. https://docs.stripe.com/api/idempotent_requests
 */
function keysOf(job: string): string[] {
  return [job, ...[2, 3, 4].map((next) => `${job}-${next}`)]
}

function toAnnounced(answer: Called, { currency, amount }: PaymentRequest): AnnounceAnswer {
  if (answer.is === 'unavailable') return answer
  if (answer.status >= 400 && answer.status !== 409) {
    const refused = toRefused(answer.body)
    return refused.is === 'refused' ? ofOrderOrAccount(answer.status, refused) : refused
  }
  const session = v.safeParse(Session, answer.body)
  if (!session.success || !session.output.url || !URL.canParse(session.output.url)) {
    return unavailable('Stripe answered without a session to check out.')
  }
  const meaning = meaningIn(session.output)
  if (meaning.is === 'unavailable') return meaning
  if (amountIn(session.output, currency) !== amount) {
    return unavailable('Stripe answered with a session of another amount or currency.')
  }
  const { id, url, expires_at } = session.output
  return { is: 'announced', reference: id, checkoutUrl: url, expiresAt: endOf(expires_at) }
}

function toChecked(answer: Called): Checked {
  if (answer.is === 'unavailable') return answer
  return answer.status === 200 ? { is: 'working' } : toRefused(answer.body)
}
