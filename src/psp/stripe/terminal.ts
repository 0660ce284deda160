import * as v from 'valibot'
import { withDeadline } from '../../platform/deadline.ts'
import {
  AUTHORIZED,
  type AnnounceAnswer,
  type Announced,
  type AskAnswer,
  OPEN,
  PAID,
  type RefusedOrder,
  type TerminalReason,
  UNDERWAY,
  type Unavailable,
  closedAs,
  endedAs,
  refusedOrder,
  unknownWord,
  wordIn,
} from '../answer.ts'
import { type Call, DEADLINE, unavailable } from '../http-client.ts'
import type { ListedTerminal, PaymentRequest, Terminals } from '../port.ts'
import { type PspReading, type Shown, announcedIn, listIn, refusedBy, seenIn, shownCard } from '../reading.ts'
import { shorten, toPspUnits, urlPart } from '../values.ts'
import {
  type Charge,
  Intent,
  PAYMENT_INTENTS,
  chargeOf,
  intentPath,
  moneyIn,
  ofMethod,
  reservedIn,
} from './intent.ts'
import {
  AT_STRIPE,
  callWithKeys,
  codeIn,
  intentOf,
  pageIn,
  tooFine,
  wholePayment,
  withDisputes,
} from './session.ts'
import { DESCRIPTION_LENGTH, PATIENCE, UNITS, minorUnits } from './tables.ts'

const READERS = '/v1/terminal/readers'

/**
 * Card readers that Stripe drives from its servers:
 * https://docs.stripe.com/terminal/payments/collect-card-payment?terminal-sdk-platform=server-driven.
 * A payment is a payment intent, which a reader is told to process. An intent takes money once at most,
 * however often a reader processes it, and never once it is cancelled.
 */
export function stripeTerminals(call: Call): Terminals {
  return {
    announce: (payment, deadline) => announceAt(call, payment, deadline),
    ask: (reference, currency) =>
      withDeadline(DEADLINE, (deadline) => askIntent(call, reference, currency, deadline)),
    stop: (reference, currency) =>
      withDeadline(DEADLINE, (deadline) => stopIntent(call, reference, currency, deadline)),
    list: () => withDeadline(DEADLINE, (deadline) => listReaders(call, deadline)),
  }
}

const Text = v.fallback(v.nullish(v.string()), null)

/** https://docs.stripe.com/api/errors, as far as it says why a card was declined. */
const CardError = v.object({ code: Text, decline_code: Text, message: Text })

/** The one thing that a reader does or did last: https://docs.stripe.com/api/terminal/readers/object */
const Action = v.looseObject({
  type: v.string(),
  status: v.string(),
  failure_code: Text,
  failure_message: Text,
  api_error: v.fallback(v.nullish(CardError), null),
})
type Action = v.InferOutput<typeof Action>
const WithAction = v.object({ action: v.nullish(Action) })

const IntentId = v.union([
  v.string(),
  v.pipe(
    v.object({ id: v.string() }),
    v.transform(({ id }) => id),
  ),
])
const OfIntent = v.object({ payment_intent: IntentId })

/** Returns the payment intent that an action of a reader is about; null for none. */
function intentOfAction(action: Action | null): string | null {
  const told = v.safeParse(OfIntent, action?.[action.type])
  return told.success ? told.output.payment_intent : null
}

/** Returns the payment intent that a reader is or was at work on; null for none. */
export function intentAtReader(reader: unknown): string | null {
  const shown = v.safeParse(WithAction, reader)
  return shown.success ? intentOfAction(shown.output.action ?? null) : null
}

/** The hub's metadata of a payment intent: its charge has them, too. */
export const TerminalMetadata = v.object({ payment_job: v.string(), terminal: v.string() })

type AtReader = { is: 'seen'; action: Action | null } | Unavailable

async function actionOf(call: Call, reader: string, deadline: AbortSignal): Promise<AtReader> {
  const answer = await call('GET', `${READERS}/${urlPart(reader)}`, { deadline })
  if (answer.is === 'unavailable') return answer
  const shown = v.safeParse(WithAction, answer.body)
  return answer.status === 200 && shown.success
    ? { is: 'seen', action: shown.output.action ?? null }
    : unavailable(`Stripe answered ${answer.status} without the reader.`)
}

function post(call: Call, path: string, deadline: AbortSignal, form: Record<string, string> = {}) {
  return call('POST', path, { body: new URLSearchParams(form), deadline })
}

/** Why a reader did not begin: https://docs.stripe.com/error-codes */
const NOT_BEGUN: Readonly<Record<string, TerminalReason>> = {
  terminal_reader_offline: 'terminal_off',
  terminal_reader_busy: 'terminal_busy',
  terminal_reader_timeout: 'terminal_unreachable',
}

/** How often the hub sends an order to a reader that does not acknowledge it. */
const TRIES = 3

/** How a payment that is to begin meets its reader. */
type Start = { taken: Announced; terminal: string; call: Call; deadline: AbortSignal }

async function announceAt(
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
  const known = terminal.isSent ? await becameOf(start, before, payment) : null
  if (known) return known
  if (!terminal.mayStart)
    return giveUp(start, refusedOrder('terminal_unreachable', 'The payment never began at the terminal.'))
  const isBusy = before.is === 'seen' && (await isAtWork(start, before.action))
  return isBusy
    ? giveUp(start, refusedOrder('terminal_busy', 'The terminal is at work on another payment.'))
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
    // By this the hub knows later which reader to ask, and to stop.
    'metadata[terminal]': reader,
  })
}

/** Tells what became of an order that may have reached its reader before; null if it never began. */
async function becameOf(
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
 * another payment intent. Its search shows one after a minute, and does not exist in India:
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
 * Returns whether a reader is at work on something else. Stripe refuses another payment only while a card
 * is authorised: before that a second payment takes the place of the first, and the customer of one
 * counter would pay at another. A reader that lost its connection stays `in_progress`, so a payment that
 * has ended does not keep it. What it merely displays may be replaced.
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
 * false negative": the reader then shows the payment as its action. No idempotency key: Stripe would
 * repeat that error.
 */
async function processAt(start: Start): Promise<AnnounceAnswer> {
  const { taken, terminal, call, deadline } = start
  const path = `${READERS}/${urlPart(terminal)}/process_payment_intent`
  for (let tries = 1; ; tries++) {
    const answer = await post(call, path, deadline, { payment_intent: taken.reference })
    if (answer.is === 'unavailable') return answer
    if (answer.status < 400) return taken
    const code = codeIn(answer)
    // It is being paid, has been, or was cancelled.
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
    const reason = wordIn(NOT_BEGUN, code)
    return giveUp(start, reason ? refusedOrder(reason, refused.message) : refused)
  }
}

/** Cancels a payment that did not begin: then no reader that got it late can take the money. */
async function giveUp(start: Start, why: RefusedOrder | Unavailable): Promise<AnnounceAnswer> {
  const { taken, call, deadline } = start
  const answer = await post(call, `${intentPath(taken.reference)}/cancel`, deadline)
  if (answer.is === 'unavailable') return answer
  return answer.status < 400 ? why : ((await standingNow(start, why)) ?? start.taken)
}

/** Tells by the intent whether a payment began; null if it still waits for a reader. */
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

type Standing = Pick<Shown, 'meaning' | 'progress' | 'reason'>

/**
 * The meanings of a payment intent's status at a terminal. Of `requires_payment_method` the reader knows
 * more, and a `canceled` one may have been declined before.
 */
export const AT_TERMINAL: Readonly<Record<string, Standing>> = {
  requires_payment_method: { meaning: OPEN },
  requires_confirmation: { meaning: OPEN, progress: 'card-read' },
  requires_action: { meaning: OPEN, progress: 'authorising' },
  requires_capture: { meaning: AUTHORIZED },
  processing: { meaning: UNDERWAY, progress: 'authorising' },
  succeeded: { meaning: PAID },
  canceled: { meaning: closedAs('CANCELLED') },
}

/**
 * Tells how an attempt at a reader stands. The reader itself lets the customer try again after it could
 * not read a card, and asks for the PIN after a soft decline: its action stays `in_progress`. Once that
 * failed, nothing goes on by itself, and the hub makes one attempt a job, so the job fails at once.
 * A question has no side effects, so the intent is not cancelled here. The end is therefore not closed:
 * once the reader does something else the intent shows as open, and the hub then stops it.
 */
function attemptOf(action: Action): Standing {
  const { status, failure_code } = action
  if (status === 'in_progress') return { meaning: OPEN, progress: 'waiting-for-card' }
  // "The payment confirmation request might have been processed": only the intent knows. One that was
  // asked for before the reader shows a success later.
  if (status !== 'failed' || failure_code === 'connection_error')
    return { meaning: OPEN, progress: 'authorising' }
  if (failure_code === 'customer_canceled') return { meaning: endedAs('CANCELLED') }
  const { code, decline_code, message } = action.api_error ?? {}
  return {
    meaning: endedAs('FAILURE'),
    reason: declined(decline_code ?? code ?? failure_code, message ?? action.failure_message),
  }
}

function declined(code: string | null | undefined, words: string | null | undefined): string {
  return `declined: ${[code, words].filter(Boolean).join(': ') || 'Stripe does not say why.'}`
}

function standingOf(intent: Intent, action: Action | null): Standing | Unavailable {
  const { id, status } = intent
  if (status === 'requires_payment_method' && action && intentOfAction(action) === id)
    return attemptOf(action)
  const error = v.safeParse(CardError, intent.last_payment_error)
  if (status === 'canceled' && error.success) {
    const { code, decline_code, message } = error.output
    return { meaning: closedAs('FAILURE'), reason: declined(decline_code ?? code, message) }
  }
  return wordIn(AT_TERMINAL, status) ?? unknownWord('Stripe', 'payment intent', status)
}

/** Reads a payment intent with the charge. `action`: what its reader does, if anybody asked. */
function readingWith(action: Action | null): PspReading {
  // A card at a counter is authorised within seconds.
  const patience = { ...PATIENCE, otherwise: 1 }
  return { ...AT_STRIPE, patience, read: (body, currency) => shownOf(body, currency, action) }
}

const WithTip = v.object({ tip: v.object({ amount: v.number() }) })

function shownOf(body: unknown, currency: string, action: Action | null): Shown | Unavailable | null {
  const shown = v.safeParse(Intent, body)
  if (!shown.success || shown.output.id === null) return null
  const intent = shown.output
  const standing = standingOf(intent, action)
  if ('is' in standing) return standing
  const units = (value: unknown) => minorUnits(value, intent.currency, currency)
  const charge = chargeOf(intent)
  const reserved = reservedIn(intent, charge?.paid === true, currency)
  const { meaning } = standing
  const taken = meaning.is === 'paid' ? units(intent.amount_received) : 0
  const money = moneyIn(charge, reserved, { meaning, taken }, currency)
  const tip = v.safeParse(WithTip, intent.amount_details)
  return {
    ...standing,
    ...money,
    reference: shown.output.id,
    checkoutUrl: null,
    expiresAt: null,
    amount: units(intent.amount),
    ...(money.paid && tip.success ? { tip: units(tip.output.tip.amount) ?? 0 } : {}),
    ...(money.paid && charge ? cardOf(charge) : {}),
  }
}

/** https://docs.stripe.com/api/charges/object, `payment_method_details.card_present` */
const CardPresent = v.object({
  brand: Text,
  last4: Text,
  read_method: Text,
  receipt: v.fallback(v.nullish(v.object({ authorization_code: Text })), null),
})

function cardOf(charge: Charge): Pick<Shown, 'card'> {
  const read = v.safeParse(CardPresent, ofMethod(charge))
  if (!read.success) return {}
  const { brand, last4, read_method, receipt } = read.output
  return shownCard({
    brand,
    lastFour: last4,
    entryMode: read_method,
    authorisationCode: receipt?.authorization_code,
  })
}

/** Returns what the reader of a payment does; null if that cannot be seen: the intent then decides. */
async function actionFor(call: Call, { metadata }: Intent, deadline: AbortSignal): Promise<Action | null> {
  const told = v.safeParse(TerminalMetadata, metadata)
  const seen = told.success ? await actionOf(call, told.output.terminal, deadline) : null
  return seen?.is === 'seen' ? seen.action : null
}

/** Asks how a payment stands: the intent first, so that what the reader says is never older. */
async function askIntent(
  call: Call,
  reference: string,
  currency: string,
  deadline: AbortSignal,
): Promise<AskAnswer> {
  const answer = await wholePayment(call, reference, deadline)
  const read = v.safeParse(Intent, answer.is === 'answered' ? answer.body : null)
  const intent = read.success ? read.output : null
  const isWaiting = intent?.status === 'requires_payment_method'
  const action = isWaiting ? await actionFor(call, intent, deadline) : null
  return withDisputes(call, seenIn(readingWith(action), answer, currency), intent, currency, deadline)
}

/**
 * Takes a payment from its reader, and cancels it. While a card is authorised Stripe answers that the
 * reader is busy: the payment then goes on. Leaves alone what else a reader does.
 */
async function stopIntent(
  call: Call,
  reference: string,
  currency: string,
  deadline: AbortSignal,
): Promise<AskAnswer> {
  const ask = () => askIntent(call, reference, currency, deadline)
  const intent = await intentOf(call, reference, deadline)
  if (!intent.ok || !intent.value || wordIn(AT_TERMINAL, intent.value.status)?.meaning.is !== 'open')
    return ask()
  const told = v.safeParse(TerminalMetadata, intent.value.metadata)
  const action = await actionFor(call, intent.value, deadline)
  if (told.success && action?.status === 'in_progress' && intentOfAction(action) === reference) {
    const path = `${READERS}/${urlPart(told.output.terminal)}/cancel_action`
    if (codeIn(await post(call, path, deadline)) === 'terminal_reader_busy') return ask()
  }
  const answer = await post(call, `${intentPath(reference)}/cancel`, deadline)
  // Refused: the customer has paid meanwhile, or somebody else cancelled it.
  if (answer.is === 'answered' && answer.status >= 400) return ask()
  return seenIn(readingWith(null), answer, currency)
}

const ListedReader = v.object({
  id: v.string(),
  device_type: v.string(),
  label: Text,
  serial_number: Text,
  status: Text,
})

/** Readers that only an app of the shop drives. */
const OF_AN_APP: ReadonlySet<string> = new Set([
  'bbpos_chipper2x',
  'bbpos_wisepad3',
  'mobile_phone_reader',
  'stripe_m2',
  'verifone_P400',
])

const IS_ON: Readonly<Record<string, boolean>> = { online: true, offline: false }

/** https://docs.stripe.com/api/terminal/readers/list */
async function listReaders(call: Call, deadline: AbortSignal) {
  const path = `${READERS}?limit=100`
  const pages = { pageIn: (body: unknown) => pageIn(path, body), what: 'readers', deadline }
  const list = await listIn(AT_STRIPE, call, path, pages)
  return list.is === 'unavailable' ? list : { is: 'listed' as const, terminals: list.items.flatMap(listed) }
}

function listed(one: unknown): ListedTerminal[] {
  const read = v.safeParse(ListedReader, one)
  if (!read.success || OF_AN_APP.has(read.output.device_type)) return []
  const { id, label, serial_number, status } = read.output
  return [{ id, name: label || serial_number || id, isOn: wordIn(IS_ON, status) ?? null }]
}
