import { type JobClock, jobNow } from '../../contract/advance.ts'
import { DAY } from '../../contract/timestamp.ts'
import { sha256 } from '../../platform/crypto/hash.ts'
import { markId } from '../../platform/crypto/signing.ts'
import { unlessAborted, withDeadline } from '../../platform/deadline.ts'
import { log } from '../../platform/log.ts'
import { namedObject } from '../../platform/named-object.ts'
import { SANDBOX_ACCOUNT } from '../../registry/profile.ts'
import {
  type AskAnswer,
  type InstructionAnswer,
  type InstructionKind,
  type Transfer,
  type Unavailable,
  refusedOrder,
  standingOf,
} from '../answer.ts'
import { DEADLINE, unavailable } from '../http-client.ts'
import { readNotification } from '../mollie/adapter.ts'
import { DESCRIPTION_LENGTH, METHODS, PATIENCE, localeOf, meaningOf } from '../mollie/tables.ts'
import type { Act, PaymentRequest, Psp, Rail } from '../port.ts'
import { shorten } from '../values.ts'
import type { Change } from './change.ts'
import {
  type Payment,
  type RefundOrCapture,
  captureBefore,
  checkoutUrl,
  isOnItsWay,
  isPaymentId,
  openPayment,
  refunded,
  taken,
  wasReserved,
} from './payment.ts'
import { atTerminal, giveToTerminal, listSandboxTerminals, terminalObject } from './terminal.ts'
import { wishIn } from './wishes.ts'

/**
 * Opens the sandbox, a PSP within the hub at `origin` that behaves like Mollie. Each of its payments is
 * an object of the same Worker, which the hub calls without HTTP.
 */
export function openSandbox(env: Env, origin: string): Psp {
  const objectOf = (id: string) => namedObject(env, env.SANDBOX_PAYMENT, id)
  const read = (reference: string) => (isPaymentId(reference) ? objectOf(reference).read() : null)

  /** Returns what `say` makes of a payment, after a change if there is one. `why`: why that cannot happen. */
  const about = <Answer>(
    reference: string,
    say: (payment: Payment | null, why?: string) => Answer,
    change?: Change,
  ) =>
    inTime(async () => {
      const held = await read(reference)
      const trouble = await troubleOf(held)
      if (trouble) return trouble
      const changed = held && change ? await objectOf(reference).change([change]) : null
      if (!changed) return say(held)
      return changed.ok ? say(changed.value) : say(await read(reference), changed.error)
    })

  const acting =
    (kind: InstructionKind): Act =>
    ({ reference }, { id, amount, description, isFinal = false }) =>
      about(
        reference,
        (payment, why = 'There is no such payment') => {
          const made = payment && outcomeOf(payment, kind, id)
          if (!made) return { is: 'refused', message: `The sandbox refused the ${kind}: ${why}.` }
          const isLost = kind === 'capture' && wishIn(payment.description)?.is === 'capture-lost'
          return isLost ? unavailable('The answer of the sandbox was lost, as its order asks.') : made
        },
        { is: kind, amount, description, key: id, isFinal },
      )

  const rail: Rail = {
    announce: (payment, deadline) =>
      inTime(async () => {
        const wish = wishIn(payment.description)
        if (wish?.is === 'refuse')
          return refusedOrder(wish.reason, 'The sandbox refused the payment, as its order asks.')
        const wanted = await paymentOf(env, origin, payment)
        const { terminal } = payment
        const refused = terminal ? await giveToTerminal(env, wanted, terminal) : null
        if (refused) return refused
        const held = await objectOf(wanted.id).create(wanted)
        if (held.fingerprint !== wanted.fingerprint)
          return refusedOrder('refused_other', 'The sandbox holds another order under this id.')
        const trouble = await troubleOf(held)
        if (trouble) return trouble
        const { id: reference, expiresAt } = held
        return terminal
          ? { is: 'announced', reference, way: 'terminal', terminal: terminal.id, expiresAt: null }
          : { is: 'announced', reference, way: 'page', checkoutUrl: checkoutUrl(held), expiresAt }
      }, deadline),
    ask: (reference) => about(reference, toSeen),
    /** Cancels an open payment, and leaves any other as it is. */
    stop: (reference) => about(reference, toSeen, { is: 'cancel' }),
  }

  return {
    ...rail,
    terminals: { ...rail, list: listSandboxTerminals },
    jobOf: async (reference) => (await read(reference))?.job ?? null,
    refund: acting('refund'),
    capture: acting('capture'),
    release: acting('release'),
    // A repeated release releases nothing more.
    keyLife: { release: PATIENCE.authorized * DAY },
    readNotification,
    accepted: 'OK',
    check: async () => ({ is: 'working' }),
  }
}

/** Asks an object. A fault or no answer by the deadline is `unavailable`. */
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

/** Waits while the sandbox is slow for a payment, and returns `unavailable` while it is down. */
async function troubleOf(payment: Payment | null): Promise<Unavailable | null> {
  const { weather, clock } = payment ?? {}
  if (!weather || jobNow(clock, Date.now()) >= weather.until) return null
  if (weather.is === 'down') return unavailable('The sandbox is down, as its payment asks.')
  await scheduler.wait(weather.seconds * 1000)
  return null
}

/** Returns the id of a job's payment at the sandbox. It is derived from the job's, so a job has only one. */
export async function sandboxPaymentOf(env: Env, job: string): Promise<string> {
  const name = (await sha256(`sandbox-payment:${job}`)).slice(0, 14)
  return markId(env.SIGNING_ROOT, `tr_${name}`)
}

async function paymentOf(env: Env, origin: string, order: PaymentRequest): Promise<Payment> {
  const { job, fingerprint, currency, amount, returnUrl, notificationUrl, terminal } = order
  const wanted = {
    id: await sandboxPaymentOf(env, job),
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
    ...(order.capture === 'manual' ? { capture: order.capture } : {}),
    ...(terminal
      ? { terminal: { id: terminal.id, object: await terminalObject(env, order.pos, terminal.id) } }
      : {}),
  }
  return openPayment(wanted, Date.now())
}

function toSeen(payment: Payment | null): AskAnswer {
  const meaning = payment && meaningOf(payment.status, payment.method)
  if (!meaning) return { is: 'unknown' }
  const { status, method, amount, expiresAt, chargedBack = 0, released = 0, authorizedAt } = payment
  const isReserved = wasReserved(payment)
  const paid = status === 'paid' || isReserved ? taken(payment) : 0
  const isPaid = status === 'paid' || paid > 0
  const transfers = {
    ...(isReserved ? { capture: listOf(payment, 'capture') } : {}),
    ...(isPaid ? { refund: listOf(payment, 'refund') } : {}),
  }
  return {
    is: 'observed',
    ...standingOf(meaning, PATIENCE, method),
    paid,
    expiresAt: status === 'open' ? expiresAt : null,
    ...(isPaid ? { refunded: refunded(payment), chargedBack } : {}),
    ...(isReserved ? { authorized: amount, released, captureBefore: captureBefore(payment) } : {}),
    ...(authorizedAt === undefined ? {} : { authorizedAt }),
    ...(isPaid || isReserved ? { transfers } : {}),
    ...atTerminal(payment),
  }
}

function listOf(payment: Payment, kind: 'capture' | 'refund'): Transfer[] {
  const now = jobNow(payment.clock, Date.now())
  return (payment[`${kind}s`] ?? []).map((made) => transferOf(made, kind, now))
}

function transferOf(made: RefundOrCapture, kind: 'capture' | 'refund', now: number): Transfer {
  const { id, key, amount, failed } = made
  const shown = { id, ...(key === null ? {} : { own: key }), amount }
  if (failed) return { ...shown, state: 'failed', why: `The sandbox says that the ${kind} failed.` }
  // Only a refund that the hub asked for takes its time.
  const isPending = kind === 'refund' && key !== null && isOnItsWay(made, now)
  return { ...shown, state: isPending ? 'pending' : 'done' }
}

/** Returns what an instruction came to; undefined if it was not made. A release is done once nothing is held. */
function outcomeOf(payment: Payment, kind: InstructionKind, id: string): InstructionAnswer | undefined {
  if (kind === 'release') {
    const isDone = wasReserved(payment) && payment.status !== 'authorized'
    return isDone ? { is: 'taken', reference: null, state: 'done' } : undefined
  }
  const made = listOf(payment, kind).find(({ own }) => own === id)
  if (!made) return undefined
  const { id: reference, state, why = '' } = made
  return state === 'pending' || state === 'done'
    ? { is: 'taken', reference, state }
    : { is: 'failed', message: why }
}

/**
 * Moves the clock of a sandbox payment, and performs what is due by then. Returns when (ms) the payment
 * next changes by itself; Infinity for never.
 */
export async function moveSandboxPayment(env: Env, reference: string, clock: JobClock): Promise<number> {
  return namedObject(env, env.SANDBOX_PAYMENT, reference).moveTo(clock)
}
