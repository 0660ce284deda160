import * as v from 'valibot'
import { withDeadline } from '../../platform/deadline.ts'
import { type AskAnswer, type Transfer, type Unavailable, wordIn } from '../answer.ts'
import { type Call, DEADLINE } from '../http-client.ts'
import { listIn, listsIn, seenIn, transfersIn } from '../reading.ts'
import { urlPart } from '../values.ts'
import { type Charge, type Intent, chargeOf } from './intent.ts'
import { AT_STRIPE, intentIn, pageIn, readRefund, shownBy, wholePayment } from './session.ts'
import { DISPUTE_STATUSES, minorUnits } from './tables.ts'

/** Asks about a session. */
export function askSession(call: Call, reference: string, currency: string): Promise<AskAnswer> {
  return withDeadline(DEADLINE, async (deadline) => {
    const answer = await wholePayment(call, reference, deadline)
    const seen = seenIn(AT_STRIPE, answer, currency)
    return withTransfers(seen, intentIn(answer, reference), { call, currency, deadline })
  })
}

type Asking = { call: Call; currency: string; deadline: AbortSignal }

/**
 * Adds the transfers of a payment. Asks for the disputes only if there are any, and for the refunds only if
 * the charge does not have them all.
 */
export async function withTransfers(
  seen: AskAnswer,
  intent: Intent | null | undefined,
  asking: Asking,
): Promise<AskAnswer> {
  if (seen.is !== 'observed' || !intent?.id) return seen
  const { released, refunded } = seen
  const charge = seen.paid > 0 ? chargeOf(intent) : null
  const disputes = await disputesOf(intent.id, charge, asking)
  if ('is' in disputes) return disputes
  const { dispute, ...unread } = disputes
  const refund = await refundsOf(intent.id, charge, { refunded, released: released ?? 0 }, asking)
  const isReserved = released !== undefined
  return {
    ...seen,
    ...unread,
    ...listsIn({
      capture: isReserved ? capturesIn(intent, seen.paid) : undefined,
      release: isReserved ? releaseOf(intent.id, released) : undefined,
      refund,
      dispute,
    }),
  }
}

/** The name and the value of a capture in the metadata of its intent: its id, and its amount or, until 1.1, a word. */
const CAPTURE_ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i
const NOTE = /^(\d+|capture)$/
const NO_AMOUNT = 'capture'

/**
 * Returns the captures of an intent, of which `paid` was captured (minor units). Stripe has no objects of
 * captures: each leaves its id and its amount in the metadata. Of one without its amount that is what the
 * others leave. Undefined if the amounts do not show which captures are done.
 */
function capturesIn(intent: Intent, paid: number): Transfer[] | undefined {
  const { status } = shownBy(intent)
  const metadata = v.safeParse(v.record(v.string(), v.string()), intent.metadata)
  if (!metadata.success) return undefined
  const notes = Object.entries(metadata.output).filter(([id, note]) => CAPTURE_ID.test(id) && NOTE.test(note))
  const left = notes.reduce((rest, [, note]) => rest - (note === NO_AMOUNT ? 0 : Number(note)), paid)
  const unnoted = notes.filter(([, note]) => note === NO_AMOUNT).length
  const isNoneDone = paid === 0 && status !== 'requires_capture'
  if (unnoted > 1 || (unnoted === 1 && left <= 0) || (left < 0 && !isNoneDone)) return undefined
  const items = notes.map(([id, note]) => {
    const amount = note === NO_AMOUNT ? left : Number(note)
    return { id, own: id, amount, status }
  })
  return transfersIn(AT_STRIPE, 'capture', items)
}

/** Returns the release of an intent, which is the intent itself. */
function releaseOf(id: string, amount: number): Transfer[] {
  return amount > 0 ? [{ id, amount, state: 'done' }] : []
}

/**
 * Returns the refunds of a charge, which has the ten newest: https://docs.stripe.com/api/charges/object. If it
 * takes one capture, Stripe lists the released rest as a refund too, but that was never paid. Undefined if Stripe
 * shows no list, or not which part of it was paid.
 */
async function refundsOf(
  intent: string,
  charge: Charge | null,
  { refunded, released }: { refunded: number | undefined; released: number },
  { call, currency, deadline }: Asking,
): Promise<Transfer[] | undefined> {
  const path = `/v1/refunds?payment_intent=${urlPart(intent)}&limit=100`
  const pages = { pageIn: (body: unknown) => pageIn(path, body), what: 'refunds', deadline }
  const newest = pageIn(path, charge?.refunds)
  if (!newest || refunded === undefined) return undefined
  const all = newest.next === null ? newest : await listIn(AT_STRIPE, call, path, pages)
  if (!('items' in all)) return undefined
  const items = all.items.map((one) => readRefund(one, currency))
  const list = transfersIn(AT_STRIPE, 'refund', items)
  if (!list) return undefined
  const counted = list.filter(({ state }) => state !== 'failed')
  const made = counted.reduce((sum, { amount }) => sum + amount, 0)
  const isRest = (one: Transfer) => made > refunded && one.own === undefined && one.amount === released
  const rest = counted.find(isRest)
  return list.filter((one) => one !== rest)
}

/** https://docs.stripe.com/api/disputes/object */
const Dispute = v.object({
  id: v.string(),
  amount: v.number(),
  currency: v.string(),
  status: v.string(),
  balance_transactions: v.optional(v.unknown()),
})

/**
 * Returns the disputes of a charge that the hub can read, and a message about the others (`unread`):
 * https://docs.stripe.com/api/disputes/list. `unavailable` if Stripe does not answer now: the hub then asks again.
 */
async function disputesOf(
  intent: string,
  charge: Charge | null,
  { call, currency, deadline }: Asking,
): Promise<{ dispute?: Transfer[]; unread?: string } | Unavailable> {
  if (charge?.disputed !== true) return charge?.disputed === false ? { dispute: [] } : {}
  const path = `/v1/disputes?payment_intent=${urlPart(intent)}&limit=100`
  const answer = await call('GET', path, { deadline })
  if (answer.is === 'unavailable') return answer
  const page = answer.status === 200 ? pageIn(path, answer.body) : null
  if (!page) return { unread: `Stripe answered ${answer.status} without the disputes.` }
  const dispute = page.items.flatMap((one) => disputeIn(one, currency) ?? [])
  const uncounted = page.items.length - dispute.length + (page.next === null ? 0 : 1)
  if (uncounted === 0) return { dispute }
  const unread = `Stripe has ${uncounted} or more disputes that the hub cannot count.`
  return dispute.length === 0 ? { unread } : { dispute, unread }
}

/**
 * Reads a dispute; null for a status or a currency that the hub cannot count. Stripe withdraws the funds some
 * time after a dispute begins. Until then it has no balance transaction.
 */
function disputeIn(shown: unknown, currency: string): Transfer | null {
  const dispute = v.safeParse(Dispute, shown)
  if (!dispute.success) return null
  const { id, status, balance_transactions } = dispute.output
  const state = wordIn(DISPUTE_STATUSES, status)
  const amount = minorUnits(dispute.output.amount, dispute.output.currency, currency)
  if (state === undefined || amount === null) return null
  const isStillHere = Array.isArray(balance_transactions) && balance_transactions.length === 0
  return { id, amount, state: state === 'done' && isStillHere ? 'pending' : state }
}
