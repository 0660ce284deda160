import { DurableObject, exports } from 'cloudflare:workers'
import { readConfig } from '../../platform/config.ts'
import { type JobClock, jobNow, realAt } from '../../contract/advance.ts'
import { UnreadableError, storedShape } from '../../platform/stored.ts'
import { log } from '../../platform/log.ts'
import type { Result } from '../../contract/result.ts'
import { withPauses } from '../../platform/named-object.ts'
import { type Change, changed } from './change.ts'
import {
  type Outcome,
  Payment,
  asOf,
  completed,
  isOwn,
  nextWake,
  notified,
  purgeAt,
  wakeOf,
} from './payment.ts'

/** A payment as its object stores it, under the key `payment`. */
export const storedPayment = storedShape(Payment)

/** Mollie waits this long (ms) for the answer to a notification. */
const NOTIFICATION_DEADLINE = 15_000

/**
 * One payment of the sandbox. Its id is derived from that of the job, so the object is the guard.
 */
export class SandboxPayment extends DurableObject<Env> {
  readonly #retention = readConfig(this.env).retention

  /** Creates the payment, or gives back the one that is there already. */
  create(payment: Payment): Payment {
    const known = this.read()
    if (!known) this.#save(payment)
    return known ?? payment
  }

  read(): Payment | null {
    const payment = this.#stored()
    if (!payment) return null
    return asOf(payment, nowOf(payment))
  }

  /** Completes an open payment; any other stays as it is. */
  settle(outcome: Outcome): Payment | null {
    const payment = this.read()
    if (!payment) return null
    const next = completed(payment, outcome, nowOf(payment))
    if (next !== payment) this.#save(next)
    return next
  }

  /** Lets something happen to the payment, or says why it cannot; null when there is none. */
  change(change: Change): Result<Payment, string> | null {
    const payment = this.read()
    if (!payment) return null
    const next = changed(payment, change, nowOf(payment))
    if (next.ok && next.value !== payment) this.#save(next.value)
    return next
  }

  /**
   * Moves the payment's clock with its job's, and does what is due by then. Returns when (ms) it
   * next changes or notifies by itself.
   */
  async moveTo(clock: JobClock): Promise<number | undefined> {
    const payment = this.read()
    if (!payment) return undefined
    if (clock.offset > (payment.clock?.offset ?? 0)) this.#save({ ...payment, clock })
    await this.#doWhatIsDue()
    const moved = this.read()
    return moved ? wakeOf(moved) : undefined
  }

  /**
   * Expires the payment, delivers the notification that is due, or deletes the payment. It must not
   * throw.
   */
  override alarm(): Promise<void> {
    return withPauses(this.ctx, { payment: this.ctx.id.name }, () => this.#doWhatIsDue())
  }

  async #doWhatIsDue(): Promise<void> {
    const stored = this.#stored()
    if (stored && wakeOf(stored) === undefined && purgeAt(stored, this.#retention) <= nowOf(stored)) {
      return this.ctx.storage.deleteAll()
    }
    const payment = this.read()
    if (!payment) return
    if (payment.notify === null || payment.notify.at > nowOf(payment)) return this.#save(payment)
    const delivered = await notify(payment)
    this.#save(notified(this.read() ?? payment, payment.notify, delivered, nowOf(payment)))
  }

  #stored(): Payment | null {
    const stored = this.ctx.storage.kv.get('payment')
    if (stored === undefined) return null
    const read = storedPayment.read(stored)
    if (!read.ok) throw new UnreadableError('the payment of the sandbox', read.error)
    return read.value
  }

  #save(payment: Payment): void {
    this.ctx.storage.kv.put('payment', storedPayment.write(payment))
    this.#setAlarm(payment)
  }

  #setAlarm(payment: Payment): void {
    const wake = realAt(payment.clock, nextWake(payment, this.#retention))
    void this.ctx.storage.setAlarm(Math.max(wake, Date.now() + 100))
  }
}

/** What the payment's clock shows (ms). */
function nowOf({ clock }: Payment): number {
  return jobNow(clock, Date.now())
}

/**
 * POSTs the payment's id as a form; the hub's own address is called within the Worker, which cannot
 * reach itself by name.
 */
async function notify(payment: Payment): Promise<boolean> {
  const { webhookUrl, id } = payment
  if (webhookUrl === null) return true
  const request = new Request(webhookUrl, {
    method: 'POST',
    body: new URLSearchParams({ id }),
    redirect: 'manual',
    signal: AbortSignal.timeout(NOTIFICATION_DEADLINE),
  })
  try {
    const response = await (isOwn(payment) ? exports.default.fetch(request) : fetch(request))
    await response.body?.cancel()
    return response.ok
  } catch (error) {
    log.fault('sandbox.notification-failed', error, { payment: id })
    return false
  }
}
