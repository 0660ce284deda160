import * as v from 'valibot'
import { type JobClock, jobNow } from '../../contract/advance.ts'
import { randomHex, sha256 } from '../../platform/crypto/hash.ts'
import { markId } from '../../platform/crypto/signing.ts'
import { unlessAborted, withDeadline } from '../../platform/deadline.ts'
import { log } from '../../platform/log.ts'
import { namedObject } from '../../platform/named-object.ts'
import { SANDBOX_ACCOUNT } from '../../registry/profile.ts'
import { type AskAnswer, type RefundAnswer, type Unavailable, refusedOrder, standingOf } from '../answer.ts'
import { DEADLINE, unavailable } from '../http-client.ts'
import { announcement, readNotification } from '../mollie/adapter.ts'
import { PATIENCE, meaningOf } from '../mollie/tables.ts'
import type { PaymentRequest, Psp } from '../port.ts'
import { refundStatus, refunded, taken } from './money-back.ts'
import { type Payment, checkoutUrl, isOpen, isPaymentId, openPayment } from './payment.ts'
import type { SandboxPayment } from './sandbox-payment.ts'
import { wishIn } from './weather.ts'

/** The object of a payment; undefined for a text that is no payment id. */
function objectOf(env: Env, id: string): DurableObjectStub<SandboxPayment> | undefined {
  return isPaymentId(id) ? namedObject(env, env.SANDBOX_PAYMENT, id) : undefined
}

/**
 * The sandbox: a PSP within the hub at `origin`. It behaves as Mollie does, and each of its
 * payments is an object of the same Worker, which is asked without HTTP.
 */
export function openSandbox(env: Env, origin: string): Psp {
  const read = async (reference: string) => (await objectOf(env, reference)?.read()) ?? null
  const about = <Answer>(reference: string, say: (payment: Payment | null) => Answer) =>
    inTime(async () => {
      const payment = await read(reference)
      return inItsWeather(payment, say(payment))
    })
  const ask = (reference: string) => about(reference, toSeen)

  return {
    announce: (payment, deadline) =>
      inTime(async () => {
        const wish = wishIn(payment.description)
        if (wish?.is === 'refuse')
          return refusedOrder(wish.reason, 'The sandbox refused the payment, as its order asks.')
        const wanted = await paymentOf(env, origin, payment)
        const held = await namedObject(env, env.SANDBOX_PAYMENT, wanted.id).create(wanted)
        if (held.fingerprint !== wanted.fingerprint) {
          return refusedOrder('refused_other', 'The sandbox holds another order under this id.')
        }
        const { id, expiresAt } = held
        const announced = {
          is: 'announced',
          reference: id,
          checkoutUrl: checkoutUrl(held),
          expiresAt,
        } as const
        return inItsWeather(held, announced)
      }, deadline),
    ask,
    jobOf: async (reference) => jobIn(await read(reference)),
    /** A payment that can no longer be stopped stays as it is. */
    stop: (reference) =>
      inTime(async () => toSeen((await objectOf(env, reference)?.settle('canceled')) ?? null)),
    capture: (reference, amount) =>
      inTime(async () => {
        await objectOf(env, reference)?.change({ is: 'capture', amount })
        return ask(reference)
      }),
    refund: ({ reference }, { id, amount, description }) =>
      inTime(async () => {
        const late = await inItsWeather(await read(reference), null)
        if (late) return late
        const made = { id: `re_${randomHex(20)}`, amount, description, key: id }
        const changed = await objectOf(env, reference)?.change({ is: 'refund', refund: made })
        if (!changed) return { is: 'refused', message: 'The sandbox has no such payment.' }
        return changed.ok
          ? refundIn(changed.value, { id, reference: null })
          : { is: 'refused', message: `The sandbox refused the refund: ${changed.error}.` }
      }),
    askRefund: ({ reference }, wanted) => about(reference, (payment) => refundIn(payment, wanted)),
    readNotification,
    accepted: 'OK',
    check: async () => ({ is: 'working' }),
  }
}

/** Asks an object. One that fails, or does not answer by the deadline, is `unavailable`. */
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

/** An answer about a payment, as late as its weather has it, or none. */
async function inItsWeather<Answer>(payment: Payment | null, answer: Answer): Promise<Answer | Unavailable> {
  const { weather, clock } = payment ?? {}
  if (!weather || jobNow(clock, Date.now()) >= weather.until) return answer
  if (weather.is === 'down') return unavailable('The sandbox is down, as its payment asks.')
  await scheduler.wait(weather.seconds * 1000)
  return answer
}

/** The payment of an order. Its id is derived from that of the job, so the object is the guard. */
async function paymentOf(env: Env, origin: string, payment: PaymentRequest): Promise<Payment> {
  const { amount, description, redirectUrl, cancelUrl, webhookUrl, method, locale, metadata } =
    announcement(payment)
  const wanted = {
    amount,
    description,
    redirectUrl,
    cancelUrl,
    webhookUrl,
    method: method ?? null,
    locale: locale ?? null,
    metadata,
  }
  const name = (await sha256(`sandbox-payment:${payment.job}`)).slice(0, 14)
  return openPayment(
    {
      ...wanted,
      metadata: JSON.stringify(metadata),
      id: await markId(env.SIGNING_ROOT, `tr_${name}`),
      fingerprint: await sha256(JSON.stringify(wanted)),
      origin,
    },
    Date.now(),
  )
}

function toSeen(payment: Payment | null): AskAnswer {
  const meaning = payment && meaningOf(payment.stage ?? payment.status, payment.method)
  if (!meaning) return { is: 'unknown' }
  const { method, expiresAt, chargedBack = 0 } = payment
  const standing = standingOf(meaning, PATIENCE, method)
  const isPaid = standing.status === 'SUCCESS'
  return {
    is: 'observed',
    ...standing,
    paid: isPaid ? taken(payment) : 0,
    expiresAt: isOpen(payment) ? expiresAt : null,
    ...(isPaid ? { refunded: refunded(payment), chargedBack } : {}),
  }
}

const OfJob = v.pipe(v.string(), v.parseJson(), v.object({ paymentJob: v.string() }))

function jobIn(payment: Payment | null): string | null {
  const metadata = v.safeParse(OfJob, payment?.metadata)
  return metadata.success ? metadata.output.paymentJob : null
}

/** A refund by its reference, or by the hub's id of it. */
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
 * Moves a sandbox payment's clock, and lets happen what is due by then. Returns when (ms) the
 * payment next changes by itself; Infinity for never.
 */
export async function moveSandboxPayment(env: Env, reference: string, clock: JobClock): Promise<number> {
  return (await namedObject(env, env.SANDBOX_PAYMENT, reference).moveTo(clock)) ?? Infinity
}
