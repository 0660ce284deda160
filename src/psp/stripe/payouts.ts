import * as v from 'valibot'
import { type Result, ok, refuse } from '../../contract/result.ts'
import { Integer, SignedInteger } from '../../contract/values.ts'
import type { Unavailable } from '../answer.ts'
import { type Call, unavailable } from '../http-client.ts'
import {
  type LineKind,
  type LinePage,
  type ListedPayout,
  type PayoutLine,
  type PayoutPage,
  type PayoutSource,
  listed,
} from '../payouts/payouts.ts'
import { fromPspUnits, urlPart } from '../values.ts'
import { ExpandableId } from './intent.ts'
import { UNITS } from './tables.ts'

/** https://docs.stripe.com/api/payouts/object */
const StripePayout = v.object({
  id: v.string(),
  amount: SignedInteger,
  currency: v.string(),
  arrival_date: Integer,
  automatic: v.nullish(v.boolean(), true),
})

/** An entry of a list. The next page begins after the id of the last one. */
const Entry = v.looseObject({ id: v.string() })

const Metadata = v.nullish(v.object({ payment_job: v.optional(v.string()) }))
const Source = v.nullish(
  v.union([
    v.string(),
    v.object({ id: v.optional(v.string()), metadata: Metadata, payment_intent: v.nullish(ExpandableId) }),
  ]),
)

/** https://docs.stripe.com/api/balance_transactions/object */
const BalanceTransaction = v.object({
  id: v.string(),
  amount: SignedInteger,
  fee: SignedInteger,
  currency: v.string(),
  created: Integer,
  type: v.string(),
  reporting_category: v.optional(v.string(), ''),
  description: v.nullish(v.string()),
  source: Source,
})

/**
 * The kinds by Stripe's `reporting_category`; all others are corrections. A captured part has two lines:
 * "one for the full amount of the authorization, and another reversing the uncaptured portion".
 * https://docs.stripe.com/reports/reporting-categories
 */
const KINDS: ReadonlyMap<string, LineKind> = new Map([
  ['charge', 'payment'],
  ['partial_capture_reversal', 'payment'],
  ['refund', 'refund'],
  ['charge_failure', 'reversal'],
  ['refund_failure', 'reversal'],
  ['dispute', 'chargeback'],
  ['dispute_reversal', 'reversal'],
  ['fee', 'fee'],
  ['network_cost', 'fee'],
  ['tax', 'fee'],
])

/**
 * Lists Stripe's payouts that were paid, newest first, and the balance transactions of each. A payout that was
 * `paid` becomes `failed` if the bank returns it: https://docs.stripe.com/api/payouts/object. Stripe lists
 * none for a payout that the operator requested: "For automatic Stripe payouts only"
 * (https://docs.stripe.com/api/balance_transactions/list).
 */
export function stripePayouts(call: Call): PayoutSource {
  return {
    async payouts(after): Promise<Result<PayoutPage, Unavailable>> {
      const page = await readList(call, `/v1/payouts?limit=20${behind(after)}`)
      if (!page.ok) return page
      const { data, next } = page.value
      const withStatus = (wanted: string) => data.filter(({ status = 'paid' }) => status === wanted)
      const returned = withStatus('failed').map(({ id }) => id)
      return ok({ ...listed(withStatus('paid'), payoutIn), returned, next })
    },
    async lines({ id, currency }, after): Promise<Result<LinePage, Unavailable>> {
      const query = `payout=${urlPart(id)}&limit=100&expand[]=data.source${behind(after)}`
      const page = await readList(call, `/v1/balance_transactions?${query}`)
      if (!page.ok) return page
      const { data, next } = page.value
      // The payout is one of its own transactions.
      const Itself = v.object({ type: v.literal('payout'), source: v.pipe(ExpandableId, v.literal(id)) })
      const others = data.filter((one) => !v.is(Itself, one))
      const lines = others.map((one) => lineIn(one, currency))
      const unread = others[lines.indexOf(null)]
      if (unread) return refuse(unavailable(`Stripe shows ${unread.id} in a form that the hub cannot read.`))
      return ok({ lines: lines.filter((line) => line !== null), next })
    },
  }
}

function payoutIn(sent: unknown): ListedPayout | string {
  const one = v.safeParse(StripePayout, sent)
  if (!one.success) return `Its ${v.getDotPath(one.issues[0]) ?? 'form'} cannot be read.`
  const { id, arrival_date: arrival, automatic } = one.output
  const currency = one.output.currency.toUpperCase()
  const amount = fromPspUnits(one.output.amount, currency, UNITS)
  if (amount === null) return `The hub cannot count the amount ${one.output.amount} ${currency}.`
  return { id, key: id, currency, amount, paidAt: arrival * 1000, withoutLines: !automatic }
}

function behind(after: string | null): string {
  return after === null ? '' : `&starting_after=${urlPart(after)}`
}

async function readList(
  call: Call,
  path: string,
): Promise<Result<{ data: v.InferOutput<typeof Entry>[]; next: string | null }, Unavailable>> {
  const answer = await call('GET', path)
  if (answer.is === 'unavailable') return refuse(answer)
  const page = v.safeParse(v.object({ data: v.array(Entry), has_more: v.boolean() }), answer.body)
  const last = page.success ? page.output.data.at(-1) : undefined
  if (answer.status !== 200 || !page.success || (page.output.has_more && !last))
    return refuse(unavailable(`Stripe answered ${answer.status} without a readable list.`))
  return ok({ data: page.output.data, next: page.output.has_more ? (last?.id ?? null) : null })
}

/** Reads a line; null if it is unreadable, or in a currency other than the payout's. */
function lineIn(sent: unknown, currency: string): PayoutLine | null {
  const read = v.safeParse(BalanceTransaction, sent)
  if (!read.success || read.output.currency.toUpperCase() !== currency) return null
  const one = read.output
  const source = typeof one.source === 'object' ? one.source : null
  const kind = KINDS.get(one.reporting_category) ?? 'correction'
  // A fee has its amount as gross, below zero.
  const amounts = kind === 'fee' ? [0, -one.amount + one.fee] : [one.amount, one.fee]
  const [gross = null, fee = null] = amounts.map((amount) => fromPspUnits(amount, currency, UNITS))
  if (gross === null || fee === null) return null
  return {
    kind,
    at: one.created * 1000,
    job: source?.metadata?.payment_job ?? null,
    reference: source?.payment_intent ?? null,
    transfer: source?.id,
    orderNumber: null,
    gross,
    fee,
    text: one.description ?? one.type,
    isReturn: one.reporting_category === 'payout_reversal',
  }
}
