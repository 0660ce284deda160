import * as v from 'valibot'
import {
  type AnnounceAnswer,
  type Announced,
  type RefusedOrder,
  type Unavailable,
  refusedOrder,
} from '../answer.ts'
import type { Call } from '../http-client.ts'
import type { PaymentRequest } from '../port.ts'
import { announcedIn, refusedBy } from '../reading.ts'
import { shorten, toPspUnits, urlPart } from '../values.ts'
import { PAYMENT_INTENTS, intentPath } from './intent.ts'
import { type Action, type AtReader, actionOf, intentOfAction, readerPath } from './reader.ts'
import { AT_STRIPE, callWithKeys, codeIn, intentOf, tooFine } from './session.ts'
import { DESCRIPTION_LENGTH, UNITS } from './tables.ts'
import { FAULTS } from './terminal-faults.ts'
import { readingWith } from './terminal-reading.ts'

export function post(call: Call, path: string, deadline: AbortSignal, form: Record<string, string> = {}) {
  return call('POST', path, { body: new URLSearchParams(form), deadline })
}

/** How often the hub sends an order to a reader that does not acknowledge it. */
const TRIES = 3

/** A payment that is to begin at its reader. */
type Start = { taken: Announced; terminal: string; call: Call; deadline: AbortSignal }

/** Begins a payment at its reader, unless the reader has it already. */
export async function announceAt(
  call: Call,
  payment: PaymentRequest,
  deadline: AbortSignal,
): Promise<AnnounceAnswer> {
  const { terminal, job } = payment
  if (!terminal) return refusedOrder('refused_other', 'The order names no terminal.')
  const amount = toPspUnits(payment.amount, payment.currency, UNITS)
  if (amount === null) return tooFine(payment)
  const body = announcement(payment, terminal.id, amount)
  const [made, before] = await Promise.all([
    callWithKeys(job, deadline, (idempotencyKey) =>
      call('POST', PAYMENT_INTENTS, { body, idempotencyKey, deadline }),
    ),
    actionOf(call, terminal.id, deadline),
  ])
  const taken = announcedIn(readingWith(null), made, payment)
  if (taken.is !== 'announced') return taken
  const start = { taken, terminal: terminal.id, call, deadline }
  const known = terminal.isSent ? await earlierAnswer(start, before, payment) : null
  if (known) return known
  if (!terminal.mayStart)
    return giveUp(start, refusedOrder('terminal_unreachable', 'The payment never began at the terminal.'))
  const isBusy = before.is === 'seen' && (await isAtWork(start, before.action))
  return isBusy
    ? giveUp(start, refusedOrder('terminal_busy', 'The terminal is busy with another payment.'))
    : processAt(start)
}

/**
 * Returns the payment intent to create. Since API version 2026-09-30 `allowed_payment_method_types` takes
 * `card_present`, and Stripe refuses `payment_method_types`:
 * https://docs.stripe.com/changelog/endive/2026-09-30/card-present-and-interac-present-enum-values-for-allowed-payment-method-types
 */
function announcement(payment: PaymentRequest, reader: string, amount: number): URLSearchParams {
  return new URLSearchParams({
    amount: String(amount),
    currency: payment.currency.toLowerCase(),
    'allowed_payment_method_types[0]': 'card_present',
    capture_method: payment.capture,
    description: shorten(payment.description, DESCRIPTION_LENGTH),
    'metadata[payment_job]': payment.job,
    // This tells the hub later which reader to ask and to stop.
    'metadata[terminal]': reader,
  })
}

/** Returns the answer for an order that may have reached its reader before; null if it never began. */
async function earlierAnswer(
  start: Start,
  before: AtReader,
  { job, terminal }: PaymentRequest,
): Promise<AnnounceAnswer | null> {
  if (before.is === 'unavailable') return before
  if (intentOfAction(before.action) === start.taken.reference) return start.taken
  const known = await standingNow(start, null)
  return known ?? (terminal?.mayStart ? null : olderOf(start, job))
}

const Found = v.object({ data: v.array(v.object({ id: v.string(), status: v.string() })) })

/**
 * Finds an earlier payment of the order. Stripe forgets an idempotency key after a day, and then makes
 * another payment intent. Stripe's search finds one after a minute, and does not exist in India:
 * https://docs.stripe.com/search
 */
async function olderOf({ taken, call, deadline }: Start, job: string): Promise<AnnounceAnswer | null> {
  const query = urlPart(`metadata['payment_job']:'${job}'`)
  const answer = await call('GET', `${PAYMENT_INTENTS}/search?query=${query}`, { deadline })
  if (answer.is === 'unavailable') return answer
  const found = v.safeParse(Found, answer.body)
  const intents = found.success ? found.output.data : []
  const older = intents.find(({ id, status }) => id !== taken.reference && status !== 'canceled')
  return older ? { ...taken, reference: older.id } : null
}

/**
 * Returns whether a reader is busy with something else. Stripe refuses another payment only while a card is
 * being authorised. Before that a second payment replaces the first, and the customer of one counter would
 * pay at another. A reader that lost its connection stays `in_progress`, so a payment that has ended does
 * not make it busy. A mere display may be replaced.
 */
async function isAtWork({ call, deadline }: Start, action: Action | null): Promise<boolean> {
  if (action?.status !== 'in_progress' || action.type === 'set_reader_display') return false
  const other = intentOfAction(action)
  const now = other === null ? null : await intentOf(call, other, deadline)
  const status = now?.ok ? now.value?.status : undefined
  return status !== 'succeeded' && status !== 'canceled'
}

/**
 * Tells a reader to process the payment. "On rare occasions, a `terminal_reader_timeout` error code is a
 * false negative": the reader then shows the payment as its action. There is no idempotency key, because
 * Stripe would repeat that error.
 */
async function processAt(start: Start): Promise<AnnounceAnswer> {
  const { taken, terminal, call, deadline } = start
  const path = `${readerPath(terminal)}/process_payment_intent`
  for (let tries = 1; ; tries++) {
    const answer = await post(call, path, deadline, { payment_intent: taken.reference })
    if (answer.is === 'unavailable') return answer
    if (answer.status < 400) return taken
    const code = codeIn(answer)
    // The payment is being paid, has been paid, or was cancelled.
    const known = code === 'intent_invalid_state' ? await standingNow(start, null) : null
    if (known) return known
    if (code === 'terminal_reader_timeout') {
      const now = await actionOf(call, terminal, deadline)
      if (now.is === 'unavailable') return now
      if (intentOfAction(now.action) === taken.reference) return taken
      if (tries < TRIES) continue
    }
    const refused = refusedBy(AT_STRIPE, answer, 'payment')
    if (refused.is === 'unavailable' && !refused.accountRefused) return refused
    const reason = FAULTS.get(code ?? '')
    return giveUp(start, reason ? refusedOrder(reason, refused.message) : refused)
  }
}

/** Cancels a payment that did not begin, so that a reader that got it late cannot take the money. */
async function giveUp(start: Start, why: RefusedOrder | Unavailable): Promise<AnnounceAnswer> {
  const { taken, call, deadline } = start
  const answer = await post(call, `${intentPath(taken.reference)}/cancel`, deadline)
  if (answer.is === 'unavailable') return answer
  return answer.status < 400 ? why : ((await standingNow(start, why)) ?? start.taken)
}

/** Returns the answer by the payment's intent; null if it still waits for a reader. */
async function standingNow(
  { taken, call, deadline }: Start,
  why: RefusedOrder | Unavailable | null,
): Promise<AnnounceAnswer | null> {
  const now = await intentOf(call, taken.reference, deadline)
  if (!now.ok) return now.error
  const status = now.value?.status
  if (status === 'requires_payment_method') return null
  if (status !== 'canceled') return taken
  return why ?? refusedOrder('terminal_unreachable', 'Stripe cancelled the payment before it began.')
}
