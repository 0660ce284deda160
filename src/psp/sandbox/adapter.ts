import { type JobClock, jobNow } from '../../contract/advance.ts'
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
  type Unavailable,
  refusedOrder,
  standingOf,
} from '../answer.ts'
import { DEADLINE, unavailable } from '../http-client.ts'
import { readNotification } from '../mollie/adapter.ts'
import { DESCRIPTION_LENGTH, METHODS, PATIENCE, localeOf, meaningOf } from '../mollie/tables.ts'
import type { InstructionCalls, PaymentRequest, Psp, Rail } from '../port.ts'
import { shorten } from '../values.ts'
import type { Change } from './change.ts'
import {
  type Payment,
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
    say: (payment: Payment | null, why: string | null) => Answer,
    change?: Change,
  ) =>
    inTime(async () => {
      const held = await read(reference)
      const trouble = await troubleOf(held)
      if (trouble) return trouble
      const changed = held && change ? await objectOf(reference).change([change]) : null
      if (!changed) return say(held, null)
      return changed.ok ? say(changed.value, null) : say(await read(reference), changed.error)
    })

  const instructed = (kind: InstructionKind): InstructionCalls => ({
    instruct: ({ reference }, { id, amount, description, isFinal = false }) =>
      about(
        reference,
        (payment, why) => {
          const made = findIn(payment, kind, { id, reference: null })
          const reason = why ?? 'There is no such payment'
          if (made.is === 'unknown')
            return { is: 'refused', message: `The sandbox refused the ${kind}: ${reason}.` }
          const isLost = kind === 'capture' && wishIn(payment?.description ?? '')?.is === 'capture-lost'
          return isLost ? unavailable('The answer of the sandbox was lost, as its order asks.') : made
        },
        { is: kind, amount, description, key: id, isFinal },
      ),
    check: ({ reference }, wanted) => about(reference, (payment) => findIn(payment, kind, wanted)),
  })

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
    refund: instructed('refund'),
    capture: instructed('capture'),
    release: instructed('release'),
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
  return {
    is: 'observed',
    ...standingOf(meaning, PATIENCE, method),
    paid,
    expiresAt: status === 'open' ? expiresAt : null,
    ...(status === 'paid' || paid > 0 ? { refunded: refunded(payment), chargedBack } : {}),
    ...(isReserved ? { authorized: amount, released, captureBefore: captureBefore(payment) } : {}),
    ...(authorizedAt === undefined ? {} : { authorizedAt }),
    ...atTerminal(payment),
  }
}

/** Finds an instruction by its reference or by the hub's id. A release is done once nothing is held. */
function findIn(
  payment: Payment | null,
  kind: InstructionKind,
  { id, reference }: { id: string; reference: string | null },
): InstructionAnswer {
  if (kind === 'release')
    return payment && wasReserved(payment) && payment.status !== 'authorized'
      ? { is: 'taken', reference: null, state: 'done' }
      : { is: 'unknown' }
  const moves = kind === 'refund' ? payment?.refunds : payment?.captures
  const made = moves?.find((move) => move.id === reference || move.key === id)
  if (!made) return { is: 'unknown' }
  if (made.failed) return { is: 'failed', message: `The sandbox says that the ${kind} failed.` }
  const isPending = kind === 'refund' && isOnItsWay(made, jobNow(payment?.clock, Date.now()))
  return { is: 'taken', reference: made.id, state: isPending ? 'pending' : 'done' }
}

/**
 * Moves the clock of a sandbox payment, and performs what is due by then. Returns when (ms) the payment
 * next changes by itself; Infinity for never.
 */
export async function moveSandboxPayment(env: Env, reference: string, clock: JobClock): Promise<number> {
  return namedObject(env, env.SANDBOX_PAYMENT, reference).moveTo(clock)
}
