import * as v from 'valibot'
import { type Call, type Called, apiClient } from '../http-client.ts'
import {
  type Connection,
  type Notification,
  type NotificationReading,
  type PaymentRequest,
  type Psp,
  defineAdapter,
} from '../port.ts'
import { announcedIn, checkedIn, seenIn } from '../reading.ts'
import { shorten } from '../values.ts'
import { captures, refunds, releases } from './instructions.ts'
import { AT_MOLLIE, amountOf, keyOf, pathOf } from './payment.ts'
import { mollieSettlements } from './settlements.ts'
import {
  Credentials,
  DESCRIPTION_LENGTH,
  LIMITS,
  METHODS,
  RESERVES,
  UNSUPPORTED,
  localeOf,
  modeOf,
} from './tables.ts'

/** Mollie's Payments API v2: https://docs.mollie.com/reference/payments-api */
const ENDPOINT = 'https://api.mollie.com/v2'

function open({ fetch, endpoint = ENDPOINT, credentials }: Connection<Credentials>): Psp {
  const callAs = (secret: string): Call =>
    apiClient({ fetch, endpoint, headers: { authorization: `Bearer ${secret}` }, secret })
  const { apiKey, organisationToken } = credentials
  const call = callAs(apiKey)
  const ask = async (reference: string, currency: string) =>
    seenIn(AT_MOLLIE, await call('GET', pathOf(reference)), currency)

  return {
    async announce(payment, deadline) {
      const options = { body: announcement(payment), idempotencyKey: keyOf(payment.job), deadline }
      return announcedIn(AT_MOLLIE, await call('POST', '/payments', options), payment)
    },
    ask,
    jobOf: async (reference) => jobIn(await call('GET', pathOf(reference))),
    async stop(reference, currency) {
      const answer = await call('DELETE', pathOf(reference))
      // 422: Mollie can no longer stop it, so the answer is how the payment stands now.
      const isRefused = answer.is === 'answered' && answer.status === 422
      return isRefused ? ask(reference, currency) : seenIn(AT_MOLLIE, answer, currency)
    },
    refund: refunds(call),
    capture: captures(call),
    release: releases(call, ask),
    readNotification,
    accepted: 'OK',
    ...(organisationToken === undefined ? {} : { payouts: mollieSettlements(callAs(organisationToken)) }),
    check: async () => checkedIn(AT_MOLLIE, await call('GET', '/methods')),
  }
}

export const mollie = defineAdapter({
  credentials: Credentials,
  methods: METHODS,
  unsupported: UNSUPPORTED,
  limits: LIMITS,
  reserves: RESERVES,
  references: /^tr_\w+$/,
  modeOf,
  open,
})

/** https://docs.mollie.com/reference/create-payment */
function announcement(payment: PaymentRequest) {
  const method = METHODS.get(payment.paymentMethod.toLowerCase())
  const isHeld = method !== undefined && payment.capture === 'manual'
  const locale = localeOf(payment.language)
  return {
    amount: amountOf(payment.amount, payment.currency),
    description: shorten(payment.description, DESCRIPTION_LENGTH),
    redirectUrl: payment.returnUrl,
    cancelUrl: payment.returnUrl,
    webhookUrl: payment.notificationUrl,
    ...(method ? { method } : {}),
    ...(isHeld ? { captureMode: 'manual' } : {}),
    ...(locale ? { locale } : {}),
    metadata: { paymentJob: payment.job },
  }
}

const OfJob = v.object({ metadata: v.object({ paymentJob: v.string() }) })

/** Returns the job that the hub gave a payment as its metadata. */
function jobIn(answer: Called): string | null {
  const payment = v.safeParse(OfJob, answer.is === 'answered' ? answer.body : null)
  return payment.success ? payment.output.metadata.paymentJob : null
}

/**
 * Reads a notification: a form with only the payment's id, which Mollie does not sign. The job is
 * in the address that the hub gave with the payment: https://docs.mollie.com/reference/webhooks
 */
export async function readNotification({ job, body }: Notification): Promise<NotificationReading> {
  const reference = new URLSearchParams(body).get('id')
  const payments = job && reference ? [{ job, reference, claimedStatus: null }] : []
  return { is: 'about', payments, unsigned: true }
}
