import { DurableObject, exports } from 'cloudflare:workers'
import { readConfig } from '../../platform/config.ts'
import { type JobClock, jobNow, realAt } from '../../contract/advance.ts'
import { type StoredShape, UnreadableError, storedShape } from '../../platform/stored.ts'
import { DAY } from '../../contract/timestamp.ts'
import { log } from '../../platform/log.ts'
import { type Result, ok } from '../../contract/result.ts'
import { withPauses } from '../../platform/named-object.ts'
import { type Change, changed } from './change.ts'
import { Terminal } from './terminal.ts'
import { Payment, asOf, dueNotice, nextChange, notified, purgeAt } from './payment.ts'

/** A payment as its object stores it, under the key `payment`. */
export const storedPayment = storedShape(Payment)

/** A terminal as its object stores it, under the key `terminal`. */
export const storedTerminal = storedShape(Terminal)

/** How long (ms) an object remembers an unused terminal. */
const UNUSED = 30 * DAY

/** The sandbox waits this long (ms) for the answer to a notification, as Mollie does. */
const NOTIFICATION_DEADLINE = 15_000

/**
 * A payment or a terminal of the sandbox. A payment's id is derived from the job's, so a job has only
 * one.
 */
export class SandboxPayment extends DurableObject<Env> {
  readonly #retention = readConfig(this.env).retention

  create(payment: Payment): Payment {
    const known = this.read()
    if (!known) this.#save(payment)
    return known ?? payment
  }

  read(): Payment | null {
    const payment = this.#stored('payment', storedPayment)
    return payment && asOf(payment, nowOf(payment))
  }

  /** Makes all changes; or makes none, and returns why one is impossible. Null without a payment. */
  change(changes: readonly Change[]): Result<Payment, string> | null {
    const payment = this.read()
    if (!payment) return null
    let next = payment
    for (const change of changes) {
      const result = changed(next, change, nowOf(next))
      if (!result.ok) return result
      next = result.value
    }
    if (next !== payment) this.#save(next)
    return ok(next)
  }

  /**
   * Moves the payment's clock with its job's, and performs what is due by then. Returns when (ms)
   * the payment next changes or notifies by itself; Infinity for never.
   */
  async moveTo(clock: JobClock): Promise<number> {
    const payment = this.read()
    if (!payment) return Infinity
    if (clock.offset > (payment.clock?.offset ?? 0)) this.#save({ ...payment, clock })
    await this.#doWhatIsDue()
    const moved = this.read()
    return moved ? nextChange(moved) : Infinity
  }

  terminal(): Terminal | null {
    return this.#stored('terminal', storedTerminal)
  }

  /**
   * Gives the terminal a payment, unless it has one other than `known`. Returns the payment that it then
   * has.
   */
  take(id: string, payment: string, known: string | null): string {
    const terminal = this.terminal()
    const other = terminal?.payment ?? null
    if (other !== null && other !== known) return other
    this.#keep({ ...terminal, id, payment, since: Date.now() })
    return payment
  }

  switch(isOn: boolean): void {
    const { isOff: _, ...terminal } = this.terminal() ?? { id: '', payment: null, since: 0 }
    this.#keep(isOn ? terminal : { ...terminal, isOff: true })
  }

  #keep(terminal: Terminal): void {
    this.ctx.storage.kv.put('terminal', storedTerminal.write(terminal))
    void this.ctx.storage.setAlarm(Date.now() + UNUSED)
  }

  /** Sends the due notification, or deletes the payment. Must not throw. */
  override alarm(): Promise<void> {
    return withPauses(this.ctx, { payment: this.ctx.id.name }, () => this.#doWhatIsDue())
  }

  async #doWhatIsDue(): Promise<void> {
    const stored = this.#stored('payment', storedPayment)
    if (!stored) return this.ctx.storage.deleteAll()
    if (nextChange(stored) === Infinity && purgeAt(stored, this.#retention) <= nowOf(stored)) {
      return this.ctx.storage.deleteAll()
    }
    const payment = this.read()
    if (!payment) return
    const notice = dueNotice(payment, nowOf(payment))
    if (!notice) return this.#save(payment)
    const isDelivered = await notify(payment)
    this.#save(notified(this.read() ?? payment, notice, isDelivered, nowOf(payment)))
  }

  #stored<Value>(key: 'payment' | 'terminal', shape: StoredShape<Value>): Value | null {
    const stored = this.ctx.storage.kv.get(key)
    if (stored === undefined) return null
    const read = shape.read(stored)
    if (!read.ok) throw new UnreadableError(`the ${key} of the sandbox`, read.error)
    return read.value
  }

  /** Stores a payment. Sets no alarm for its expiry, because the hub asks about its jobs by itself. */
  #save(payment: Payment): void {
    this.ctx.storage.kv.put('payment', storedPayment.write(payment))
    const next = nextChange(payment)
    const wake = next === Infinity ? purgeAt(payment, this.#retention) : next
    void this.ctx.storage.setAlarm(Math.max(realAt(payment.clock, wake), Date.now() + 100))
  }
}

function nowOf({ clock }: Payment): number {
  return jobNow(clock, Date.now())
}

/** POSTs the payment's id as a form, without the network: a Worker cannot reach itself by name. */
async function notify({ notificationUrl, id }: Payment): Promise<boolean> {
  const request = new Request(notificationUrl, {
    method: 'POST',
    body: new URLSearchParams({ id }),
    redirect: 'manual',
    signal: AbortSignal.timeout(NOTIFICATION_DEADLINE),
  })
  try {
    const response = await exports.default.fetch(request)
    await response.body?.cancel()
    return response.ok
  } catch (error) {
    log.fault('sandbox.notification-failed', error, { payment: id })
    return false
  }
}
