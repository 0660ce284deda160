import { type JobClock, jobNow } from '../../contract/advance.ts'
import { sha256 } from '../../platform/crypto/hash.ts'
import { markId } from '../../platform/crypto/signing.ts'
import { unlessAborted, withDeadline } from '../../platform/deadline.ts'
import { log } from '../../platform/log.ts'
import { namedObject } from '../../platform/named-object.ts'
import { SANDBOX_ACCOUNT } from '../../registry/profile.ts'
import { type AskAnswer, type RefundAnswer, type Unavailable, refusedOrder, standingOf } from '../answer.ts'
import { DEADLINE, unavailable } from '../http-client.ts'
import { readNotification } from '../mollie/adapter.ts'
import { DESCRIPTION_LENGTH, METHODS, PATIENCE, localeOf, meaningOf } from '../mollie/tables.ts'
import type { PaymentRequest, Psp } from '../port.ts'
import { shorten } from '../values.ts'
import type { Change } from './change.ts'
import {
  type Payment,
  checkoutUrl,
  isPaymentId,
  openPayment,
  refundStatus,
  refunded,
  taken,
} from './payment.ts'
import { wishIn } from './weather.ts'

/**
 * Opens the sandbox: a PSP within the hub at `origin`. It behaves like Mollie. Each of its payments
 * is an object of the same Worker, which the hub calls without HTTP.
 */
export function openSandbox(env: Env, origin: string): Psp {
  const objectOf = (id: string) => namedObject(env, env.SANDBOX_PAYMENT, id)
  const read = (reference: string) => (isPaymentId(reference) ? objectOf(reference).read() : null)

  /** Returns what `say` makes of a payment after a change. `why`: why the change cannot happen. */
  const about = <Answer>(
    reference: string,
    say: (payment: Payment | null, why: string | null) => Answer,
    change?: Change,
  ) =>
    inTime(async () => {
      const held = await read(reference)
      const trouble = await troubleOf(held)
      if (trouble) return trouble
      const changed = held && change ? await objectOf(reference).change([change]) : null
      return changed?.ok ? say(changed.value, null) : say(held, changed?.error ?? null)
    })

  return {
    announce: (payment, deadline) =>
      inTime(async () => {
        const wish = wishIn(payment.description)
        if (wish?.is === 'refuse')
          return refusedOrder(wish.reason, 'The sandbox refused the payment, as its order asks.')
        const wanted = await paymentOf(env, origin, payment)
        const held = await objectOf(wanted.id).create(wanted)
        if (held.fingerprint !== wanted.fingerprint)
          return refusedOrder('refused_other', 'The sandbox holds another order under this id.')
        const { id, expiresAt } = held
        const trouble = await troubleOf(held)
        return trouble ?? { is: 'announced', reference: id, checkoutUrl: checkoutUrl(held), expiresAt }
      }, deadline),
    ask: (reference) => about(reference, toSeen),
    jobOf: async (reference) => (await read(reference))?.job ?? null,
    /** Cancels a payment that is open; leaves any other as it is. */
    stop: (reference) => about(reference, toSeen, { is: 'cancel' }),
    capture: (reference, amount) => about(reference, toSeen, { is: 'capture', amount }),
    refund: ({ reference }, { id, amount, description }) =>
      about(
        reference,
        (payment, why) =>
          payment === null || why !== null
            ? {
                is: 'refused',
                message: `The sandbox refused the refund: ${why ?? 'There is no such payment'}.`,
              }
            : refundIn(payment, { id, reference: null }),
        { is: 'refund', amount, description, key: id },
      ),
    askRefund: ({ reference }, wanted) => about(reference, (payment) => refundIn(payment, wanted)),
    readNotification,
    accepted: 'OK',
    check: async () => ({ is: 'working' }),
  }
}

/** Asks an object. A fault, or no answer by the deadline, is `unavailable`. */
async function inTime<Answer>(
  ask: () => Promise<Answer>,
  deadline?: AbortSignal,
): Promise<Answer | Unavailable> {
  if (!deadline) return withDeadline(DEADLINE, (signal) => inTime(ask, signal))
  try {
    return await unlessAborted(deadline, ask())
  } catch (error) {
    if (deadline.aborted) return unavailable('The sandbox did not answer in time.')
    log.fault('psp.account-unusable', error, { account: SANDBOX_ACCOUNT.id })
    return unavailable('The sandbox cannot be used.')
  }
}

/** Waits as long as a payment's weather wants. Returns no answer while the sandbox is down. */
async function troubleOf(payment: Payment | null): Promise<Unavailable | null> {
  const { weather, clock } = payment ?? {}
  if (!weather || jobNow(clock, Date.now()) >= weather.until) return null
  if (weather.is === 'down') return unavailable('The sandbox is down, as its payment asks.')
  await scheduler.wait(weather.seconds * 1000)
  return null
}

/** Makes the payment of an order. Its id comes from the job's, so an order makes only one. */
async function paymentOf(env: Env, origin: string, order: PaymentRequest): Promise<Payment> {
  const { job, fingerprint, currency, amount, returnUrl, notificationUrl } = order
  const name = (await sha256(`sandbox-payment:${job}`)).slice(0, 14)
  const wanted = {
    id: await markId(env.SIGNING_ROOT, `tr_${name}`),
    job,
    fingerprint,
    origin,
    currency,
    amount,
    returnUrl,
    notificationUrl,
    description: shorten(order.description, DESCRIPTION_LENGTH),
    method: METHODS.get(order.paymentMethod.toLowerCase()) ?? null,
    locale: localeOf(order.language) ?? null,
  }
  return openPayment(wanted, Date.now())
}

function toSeen(payment: Payment | null): AskAnswer {
  const meaning = payment && meaningOf(payment.status, payment.method)
  if (!meaning) return { is: 'unknown' }
  const { status, method, expiresAt, chargedBack = 0 } = payment
  const isPaid = status === 'paid'
  return {
    is: 'observed',
    ...standingOf(meaning, PATIENCE, method),
    paid: isPaid ? taken(payment) : 0,
    expiresAt: status === 'open' ? expiresAt : null,
    ...(isPaid ? { refunded: refunded(payment), chargedBack } : {}),
  }
}

/** Finds a refund by its reference, or by the hub's id. */
function refundIn(
  payment: Payment | null,
  { id, reference }: { id: string; reference: string | null },
): RefundAnswer {
  const refund = payment?.refunds?.find((made) => made.id === reference || made.key === id)
  if (!payment || !refund) return { is: 'unknown' }
  const status = refundStatus(refund, jobNow(payment.clock, Date.now()))
  return status === 'failed'
    ? { is: 'failed', message: 'The sandbox says that the refund failed.' }
    : { is: 'taken', reference: refund.id, state: status === 'refunded' ? 'done' : 'pending' }
}

/**
 * Moves a sandbox payment's clock, and performs what is due by then. Returns when (ms) the payment
 * next changes by itself; Infinity for never.
 */
export async function moveSandboxPayment(env: Env, reference: string, clock: JobClock): Promise<number> {
  return namedObject(env, env.SANDBOX_PAYMENT, reference).moveTo(clock)
}
