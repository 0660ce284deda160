import { type AdyenAnswer, REQUESTS, adyenError, checkRequest } from './adyen-requests.ts'
import { type AdyenLink, type AdyenWebhookItem, adyenItem, pspReferenceOf } from './adyen-webhook.ts'

type Amount = AdyenWebhookItem['amount']

/**
 * A capture, a cancellation or a refund that Adyen has received: PaymentCaptureResponse,
 * PaymentCancelResponse and PaymentRefundResponse of CheckoutService-v71. A cancellation has no amount.
 */
export type AdyenModification = {
  amount: Amount
  merchantAccount: string
  paymentPspReference: string
  pspReference: string
  reference: string
  status: 'received'
}

export type AdyenModificationKind = 'captures' | 'cancels' | 'refunds'

const KINDS = {
  captures: { schema: REQUESTS.capture, eventCode: 'CAPTURE', prefix: 'CP93617894906488' },
  cancels: { schema: REQUESTS.cancel, eventCode: 'CANCELLATION', prefix: 'CN93617894906488' },
  refunds: { schema: REQUESTS.refund, eventCode: 'REFUND', prefix: 'RF93617894906488' },
} as const

/** A modification, and Adyen's webhook items about it, the outcome first. */
export type Received = {
  kind: AdyenModificationKind
  made: AdyenModification
  isDone: boolean
  events: Partial<AdyenWebhookItem>[]
}

/** The reasons in Adyen's webhooks for a modification that failed. */
const NOT_ENOUGH = 'Insufficient balance on payment'
const NOT_CAPTURED = "Transaction hasn't been captured, refund not possible"

/** "28 days from the day the payment is authorised, for all major global card networks". */
const HELD_FOR = 28 * 86_400_000

/**
 * The modifications of all links. `captures`: `several` if Adyen enabled multiple partial captures. With
 * `once`, "any unclaimed amount after a partial capture gets cancelled".
 */
export function adyenModifications(captures: 'once' | 'several') {
  const all: Received[] = []
  /** The reason why Adyen now fails every modification of a kind. */
  const refusals = new Map<AdyenModificationKind, string>()
  const doneOf = (kind: AdyenModificationKind, payment: string) =>
    all.filter((one) => one.kind === kind && one.isDone && one.made.paymentPspReference === payment)
  const sumOf = (kind: AdyenModificationKind, payment: string) =>
    doneOf(kind, payment).reduce((sum, { made }) => sum + made.amount.value, 0)

  /** The amount of a link's payment that is still reserved. */
  const heldOf = (link: AdyenLink, now: number): number => {
    const payment = pspReferenceOf(link)
    const isGone =
      !isManual(link) ||
      doneOf('cancels', payment).length > 0 ||
      (captures === 'once' && doneOf('captures', payment).length > 0) ||
      now >= (link.authorisedAt ?? 0) + HELD_FOR
    return isGone ? 0 : amountOf(link).value - sumOf('captures', payment)
  }

  /** The reason why a modification fails; null if it succeeds. Adyen accepts the request in both cases. */
  const whyNot = (kind: AdyenModificationKind, link: AdyenLink, value: number, now: number) => {
    const payment = pspReferenceOf(link)
    const held = heldOf(link, now)
    const refusal = refusals.get(kind)
    if (refusal !== undefined) return refusal
    if (kind === 'captures') return value <= held && value > 0 ? null : NOT_ENOUGH
    if (kind === 'cancels') return held > 0 ? null : NOT_ENOUGH
    const captured = isManual(link) ? sumOf('captures', payment) : amountOf(link).value
    if (captured === 0) return NOT_CAPTURED
    return value + sumOf('refunds', payment) <= captured ? null : NOT_ENOUGH
  }

  const add = (kind: AdyenModificationKind, link: AdyenLink, own: Partial<AdyenModification>) => {
    const { eventCode, prefix } = KINDS[kind]
    const made: AdyenModification = {
      amount: amountOf(link),
      merchantAccount: link.merchantAccount,
      paymentPspReference: pspReferenceOf(link),
      pspReference: (all.length + 1).toString(16).toUpperCase().padStart(16, prefix),
      reference: '',
      status: 'received',
      ...own,
    }
    const reason = whyNot(kind, link, made.amount.value, Date.now())
    const outcome = { eventCode, success: String(reason === null), reason: reason ?? '' }
    all.push({ kind, made, isDone: reason === null, events: [outcome] })
    return made
  }

  const find = (pspReference: string): Received => {
    const found = all.find(({ made }) => made.pspReference === pspReference)
    if (!found) throw new Error(`Adyen has no modification ${pspReference}`)
    return found
  }

  return {
    /** Answers a request to modify a payment. `link` is undefined if the payment is unknown. */
    receive: (
      kind: AdyenModificationKind,
      paymentPspReference: string,
      link: AdyenLink | undefined,
      merchantAccount: string,
      body: string,
    ): AdyenAnswer => {
      const checked = checkRequest(KINDS[kind].schema, body)
      if (!checked.ok) return checked.answer
      if (checked.fields['merchantAccount'] !== merchantAccount)
        return adyenError(403, '901', 'Invalid Merchant Account', 'security')
      if (link?.merchantAccount !== merchantAccount || link.status !== 'completed')
        return adyenError(422, '167', 'Original pspReference required for this operation')
      const { amount, reference = '' } = checked.fields as { amount?: Amount; reference?: string }
      const made = add(kind, link, { paymentPspReference, reference, ...(amount ? { amount } : {}) })
      const { amount: _, ...withoutAmount } = made
      return { status: 201, body: kind === 'cancels' ? withoutAmount : made }
    },
    /** The shop modifies a payment in the Customer Area. */
    byHand: (kind: AdyenModificationKind, link: AdyenLink, value = amountOf(link).value) =>
      add(kind, link, { amount: { ...amountOf(link), value } }),
    /** The card scheme rejects a capture that had succeeded. Adyen may then capture again. */
    failCapture: (pspReference: string) => {
      const capture = find(pspReference)
      capture.isDone = false
      capture.events.push({ eventCode: 'CAPTURE_FAILED', success: 'true', reason: 'Capture Failed' })
    },
    recapture: (pspReference: string) => {
      const capture = find(pspReference)
      capture.isDone = true
      capture.events.push({ eventCode: 'CAPTURE', success: 'true', reason: 'Transaction Recaptured' })
    },
    /** Adyen fails every further modification of a kind with this reason; null ends that. */
    refuse: (kind: AdyenModificationKind, reason: string | null) =>
      reason === null ? void refusals.delete(kind) : void refusals.set(kind, reason),
    heldOf,
    of: (link: AdyenLink): readonly Received[] =>
      all.filter(({ made }) => made.paymentPspReference === pspReferenceOf(link)),
    all: (kind: AdyenModificationKind): readonly AdyenModification[] =>
      all.flatMap((one) => (one.kind === kind ? [one.made] : [])),
    find,
    /** Adyen's webhook items about a link's captures, cancellations and expired reservation. */
    itemsOf: (link: AdyenLink, at: number): AdyenWebhookItem[] => {
      const payment = pspReferenceOf(link)
      const own = all.filter(({ kind, made }) => kind !== 'refunds' && made.paymentPspReference === payment)
      const isExpired = isManual(link) && link.status === 'completed' && heldOf(link, 0) > heldOf(link, at)
      const expiry = { ...adyenItem(link, 'authorized', at), additionalData: {}, eventCode: 'EXPIRE' }
      return [
        ...own.flatMap(({ made, events }) => events.map((event) => modificationItem(link, made, at, event))),
        ...(isExpired ? [expiry] : []),
      ]
    },
  }
}

function isManual({ request }: AdyenLink): boolean {
  return request['manualCapture'] === true
}

function amountOf({ request }: AdyenLink): Amount {
  return request['amount'] as Amount
}

/** A webhook item about a modification, with the modification's own reference if it has one. */
export function modificationItem(
  link: AdyenLink,
  made: AdyenModification,
  at: number,
  changes: Partial<AdyenWebhookItem>,
): AdyenWebhookItem {
  const authorisation = adyenItem(link, 'authorized', at)
  return {
    ...authorisation,
    additionalData: {},
    amount: made.amount,
    merchantReference: made.reference === '' ? authorisation.merchantReference : made.reference,
    originalReference: made.paymentPspReference,
    pspReference: made.pspReference,
    ...changes,
  }
}
