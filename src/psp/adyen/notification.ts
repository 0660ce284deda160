import * as v from 'valibot'
import { isJobId } from '../../contract/ids.ts'
import { toBase64, equalInConstantTime } from '../../platform/crypto/hash.ts'
import { hmac } from '../../platform/crypto/signing.ts'
import type { InstructionKind, MoneyMove, News } from '../answer.ts'
import type { Notification, NotificationReading, NotifiedPayment } from '../port.ts'
import { shorten, fromPspUnits } from '../values.ts'
import { REPORT_NAME } from './report.ts'
import { type Credentials, keysIn, UNITS } from './tables.ts'

/**
 * What an event means for the money. `part`: the event has the reference that instructions need.
 * `cancelled`: the amount is not the shop's, even if it was captured before. `…-refused`: Adyen did not
 * do what the hub requested.
 */
type Says =
  | Exclude<MoneyMove['kind'], 'refund-not-yet' | 'release-failed'>
  | `${InstructionKind}-refused`
  | 'cancelled'
  | 'nothing'

/**
 * The events of standard webhooks about money, with their meaning if `success` is true and if it is
 * false (https://docs.adyen.com/api-explorer/Webhooks/1/overview). Adyen's API shows neither captures
 * nor refunds, so the hub believes these events. A successful capture was sent to the card scheme, which
 * may still reject it (CAPTURE_FAILED). If a gift card and a card pay an order, Adyen authorises each.
 */
export const EVENTS: ReadonlyMap<string, { true: Says; false?: Says }> = new Map([
  ['AUTHORISATION', { true: 'part' }],
  ['CAPTURE', { true: 'capture', false: 'capture-refused' }],
  ['CAPTURE_FAILED', { true: 'capture-failed' }],
  ['CANCELLATION', { true: 'cancelled', false: 'release-refused' }],
  ['TECHNICAL_CANCEL', { true: 'cancelled' }],
  ['CANCEL_OR_REFUND', { true: 'cancelled' }],
  ['EXPIRE', { true: 'cancelled' }],
  ['REFUND', { true: 'refund', false: 'refund-refused' }],
  ['REFUND_FAILED', { true: 'refund-failed' }],
  ['REFUNDED_REVERSED', { true: 'refund-failed' }],
  ['CHARGEBACK', { true: 'chargeback' }],
  ['SECOND_CHARGEBACK', { true: 'chargeback' }],
  ['CHARGEBACK_REVERSED', { true: 'chargeback-reversed' }],
  ['PREARBITRATION_WON', { true: 'chargeback-reversed' }],
  ['SCHEME_ARBITRATION_WON', { true: 'chargeback-reversed' }],
])

/** Returns the meaning of an event. Unknown ones say `nothing`, but still make the hub ask. */
function saidBy(eventCode: string, success: string): Says {
  return EVENTS.get(eventCode)?.[success === 'true' ? 'true' : 'false'] ?? 'nothing'
}

/**
 * Returns an instruction's name at Adyen ("Maximum length: 80 characters"): the ids of the job and of
 * the instruction. Webhooks about it have this as their `merchantReference`, instead of the payment's:
 * https://github.com/Adyen/adyen-commercetools/blob/main/docs/adr/0011-matching-adyen-notification.md
 */
export function referenceOf(job: string, instruction: string): string {
  return `${job}.${instruction}`
}

/** Returns the job in a `merchantReference`, and the instruction if it names one. */
function idsIn(merchantReference: string): { job: string; instruction: string | null } {
  const [job = '', instruction = null, ...rest] = merchantReference.split('.')
  return rest.length > 0 ? { job: '', instruction: null } : { job, instruction }
}

/** A member that the signature covers, as text. A missing one counts as an empty text. */
const Signed = v.pipe(v.nullish(v.union([v.string(), v.number(), v.boolean()]), ''), v.transform(String))

const Item = v.object({
  pspReference: Signed,
  originalReference: Signed,
  merchantAccountCode: Signed,
  merchantReference: Signed,
  amount: v.nullish(v.object({ value: Signed, currency: Signed }), {}),
  eventCode: Signed,
  success: Signed,
  reason: v.fallback(v.nullish(v.string(), ''), ''),
  additionalData: v.object({
    hmacSignature: v.string(),
    // Adyen does not sign this. It counts only if it is the id of the payment that the hub announced.
    paymentLinkId: v.fallback(v.nullish(v.string(), null), null),
  }),
})
type Item = v.InferOutput<typeof Item>

/** Reads an item that one of the webhook's keys signed; null for any other. */
async function authenticItem(given: unknown, hmacKey: string): Promise<Item | null> {
  const read = v.safeParse(v.object({ NotificationRequestItem: Item }), given)
  if (!read.success) return null
  const item = read.output.NotificationRequestItem
  const text = signedText(item)
  const isAuthentic = await isMadeByKey(hmacKey, item.additionalData.hmacSignature, async (key) =>
    toBase64(await hmac('SHA-256', hexToBase64(key), text, 'base64')),
  )
  return isAuthentic ? item : null
}

/** Returns whether a text is what one of the webhook's keys makes. There are two while one is replaced. */
export async function isMadeByKey(
  hmacKey: string,
  given: string,
  make: (key: string) => Promise<string>,
): Promise<boolean> {
  const made = await Promise.all(keysIn(hmacKey).map(make))
  const matches = await Promise.all(made.map((each) => equalInConstantTime(each, given)))
  return matches.includes(true)
}

/** Like the official library, does not escape colons in the values of items. */
function signedText(item: Item): string {
  return [
    item.pspReference,
    item.originalReference,
    item.merchantAccountCode,
    item.merchantReference,
    item.amount.value,
    item.amount.currency,
    item.eventCode,
    item.success,
  ].join(':')
}

function hexToBase64(hex: string): string {
  return toBase64(Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16)))
}

const Body = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ notificationItems: v.pipe(v.array(v.unknown()), v.minLength(1)) }),
)

/**
 * The most items of a batch that the hub reads. Adyen sends a handful. The payments of any others are
 * found by the hub's scheduled questions.
 */
const MOST_ITEMS = 100

/**
 * Reads a standard webhook, one of which serves all payments of an account. Each item names its job in
 * its reference. Believes the items that one of the keys signed. Adyen sends nothing else while it
 * repeats a webhook, so an item that never counts must not hold up the others:
 * https://docs.adyen.com/development-resources/webhooks/secure-webhooks/verify-hmac-signatures
 */
export async function readNotification(
  { body }: Notification,
  { hmacKey, merchantAccount }: Credentials,
): Promise<NotificationReading> {
  const parsed = v.safeParse(Body, body)
  if (!parsed.success) return { is: 'unauthentic' }
  const given = parsed.output.notificationItems.slice(0, MOST_ITEMS)
  const read = await Promise.all(given.map((item) => authenticItem(item, hmacKey)))
  const authentic = read.flatMap((item) => item ?? [])
  const forged = given.length > 1 && authentic.length < read.length ? { item: read.indexOf(null) + 1 } : {}
  if (authentic.length === 0) return { is: 'unauthentic', ...forged }
  const ours = authentic.filter((item) => item.merchantAccountCode === merchantAccount)
  const byJob = Map.groupBy(ours, (item) => idsIn(item.merchantReference).job)
  const reports = ours
    .filter(({ eventCode, success }) => eventCode === 'REPORT_AVAILABLE' && success === 'true')
    .map(({ pspReference }) => pspReference)
    .filter((name) => REPORT_NAME.test(name))
  return {
    is: 'about',
    payments: [...byJob].flatMap(([job, about]) => (isJobId(job) ? [toNotified(job, about)] : [])),
    ...(reports.length > 0 ? { reports } : {}),
    ...forged,
  }
}

/**
 * Converts the items of a job to news of its payment. No item ends the payment, because the customer may
 * try again while the link is active: a failed AUTHORISATION and OFFER_CLOSED end one attempt. Only items
 * show captures, money that goes back, and the reference that instructions need.
 */
function toNotified(job: string, items: readonly Item[]): NotifiedPayment {
  const links = items.map(({ additionalData }) => additionalData.paymentLinkId)
  const payment = items.find(
    ({ eventCode, success, pspReference }) => saidBy(eventCode, success) === 'part' && pspReference !== '',
  )
  const moves = items.flatMap(movesIn)
  const news: News = {
    ...(payment ? { payment: payment.pspReference } : {}),
    ...(moves.length > 0 ? { moves } : {}),
  }
  return {
    job,
    reference: links.find((id) => id !== null) ?? null,
    claimedStatus: payment ? 'SUCCESS' : null,
    ...(Object.keys(news).length > 0 ? { told: news } : {}),
  }
}

/** The length of the reason for a failure that the hub keeps. Adyen does not sign it. */
const REASON_LENGTH = 140

/**
 * "Transaction hasn't been captured, refund not possible": Adyen captures soon after it authorises, and
 * accepts the refund then.
 */
const NOT_CAPTURED = /\bcaptured\b/i

/**
 * "Transaction Recaptured" or "Transaction Auto-recaptured": Adyen has captured what had failed
 * (https://docs.adyen.com/online-payments/capture/failure-reasons).
 */
const RECAPTURED = /\brecaptured\b/i

/** Returns the kind of the move of money that an event means. */
function kindOf(says: Exclude<Says, 'nothing'>, reason: string): MoneyMove['kind'] {
  if (says === 'cancelled') return 'refund'
  if (says === 'capture-refused') return 'capture-failed'
  if (says === 'release-refused') return 'release-failed'
  if (says !== 'refund-refused') return says
  return NOT_CAPTURED.test(reason) ? 'refund-not-yet' : 'refund-failed'
}

/** Returns the instruction that an event is about, if its reference names one. */
function namedIn(says: Says, merchantReference: string): Pick<MoneyMove, 'refund' | 'instruction'> {
  const { instruction } = idsIn(merchantReference)
  if (instruction === null) return {}
  return says.startsWith('refund') ? { refund: instruction } : { instruction }
}

/**
 * Returns the moves of money in an item. A second chargeback takes money that the first one took and that
 * came back. It adds those two moves, under the ids of their own items, so that each counts once even if
 * its item never came.
 */
function movesIn(item: Item): MoneyMove[] {
  const isSecond = item.eventCode === 'SECOND_CHARGEBACK' && item.success === 'true'
  const before = isSecond ? ['CHARGEBACK', 'CHARGEBACK_REVERSED'] : []
  return [...before, item.eventCode].flatMap((eventCode) => moveIn({ ...item, eventCode }) ?? [])
}

/**
 * Returns the move of money in an item; null for an amount that the currency cannot hold. All events of a
 * dispute have the same `pspReference`, and so do those of a capture, so the move's id also has the event.
 */
function moveIn({
  eventCode,
  success,
  pspReference,
  originalReference,
  merchantReference,
  amount: { value, currency },
  reason,
}: Item): MoneyMove | null {
  const says = saidBy(eventCode, success)
  if (says === 'nothing' || (says === 'part' && pspReference === '')) return null
  const minor = minorOf(value, currency)
  if (minor === null) return null
  const kind = kindOf(says, reason)
  // An expiry has no original reference, but that of the payment itself.
  const of = originalReference || (says === 'cancelled' ? pspReference : '')
  const isAgain = says === 'capture' && RECAPTURED.test(reason)
  const isFailure = /-(failed|not-yet)$/.test(kind)
  return {
    id: `${eventCode}:${success}:${pspReference}${isAgain ? ':recaptured' : ''}`,
    kind,
    // A request that Adyen refused never counted, so there is nothing to take back.
    amount: says.endsWith('-refused') ? 0 : minor,
    currency,
    // A second success counts as another capture. Its reference is that of the one that failed.
    ...(pspReference === '' || isAgain ? {} : { reference: pspReference }),
    ...(says === 'part' || of === '' ? {} : { of }),
    ...(says === 'cancelled' ? { cancelled: true } : {}),
    ...(eventCode === 'EXPIRE' ? { expired: true } : {}),
    ...namedIn(says, merchantReference),
    ...(isFailure && reason !== '' ? { error: `Adyen says: ${shorten(reason, REASON_LENGTH)}` } : {}),
  }
}

function minorOf(value: string, currency: string): number | null {
  return /^\d{1,15}$/.test(value) ? fromPspUnits(Number(value), currency, UNITS) : null
}
