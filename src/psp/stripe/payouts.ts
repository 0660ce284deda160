import * as v from 'valibot'
import { type Result, ok, refuse } from '../../contract/result.ts'
import { Integer, SignedInteger } from '../../contract/values.ts'
import type { Unavailable } from '../answer.ts'
import { type Call, unavailable } from '../http-client.ts'
import type { LineKind, LinePage, ListedPayout, PayoutLine, PayoutPage, PayoutSource } from '../payouts.ts'
import { fromPspUnits, urlPart } from '../values.ts'
import { UNITS } from './tables.ts'

/** https://docs.stripe.com/api/payouts/object */
const StripePayout = v.object({
  id: v.string(),
  amount: SignedInteger,
  currency: v.string(),
  arrival_date: Integer,
})

const Metadata = v.nullish(v.looseObject({ payment_job: v.optional(v.string()) }))
const Source = v.nullish(
  v.union([
    v.string(),
    v.looseObject({
      metadata: Metadata,
      payment_intent: v.nullish(v.union([v.string(), v.looseObject({ id: v.string() })])),
    }),
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
type BalanceTransaction = v.InferOutput<typeof BalanceTransaction>

/**
 * By Stripe's `reporting_category`; all others are corrections.
 * https://docs.stripe.com/reports/reporting-categories
 */
const KINDS: ReadonlyMap<string, LineKind> = new Map([
  ['charge', 'payment'],
  ['refund', 'refund'],
  ['charge_failure', 'reversal'],
  ['refund_failure', 'reversal'],
  ['partial_capture_reversal', 'reversal'],
  ['dispute', 'chargeback'],
  ['dispute_reversal', 'reversal'],
  ['fee', 'fee'],
  ['network_cost', 'fee'],
  ['tax', 'fee'],
])

/** Stripe's payouts that were paid, newest first, and the balance transactions in each. */
export function stripePayouts(call: Call): PayoutSource {
  return {
    async payouts(after): Promise<Result<PayoutPage, Unavailable>> {
      const page = await read(call, `/v1/payouts?status=paid&limit=20${behind(after)}`, StripePayout)
      if (!page.ok) return page
      const { data, next } = page.value
      const payouts = data.flatMap((one): ListedPayout[] => {
        const { id } = one
        const currency = one.currency.toUpperCase()
        const amount = fromPspUnits(one.amount, currency, UNITS)
        return amount === null ? [] : [{ id, key: id, currency, amount, paidAt: one.arrival_date * 1000 }]
      })
      return ok({ payouts, next })
    },
    async lines({ id, currency }, after): Promise<Result<LinePage, Unavailable>> {
      const query = `payout=${urlPart(id)}&limit=100&expand[]=data.source${behind(after)}`
      const page = await read(call, `/v1/balance_transactions?${query}`, BalanceTransaction)
      if (!page.ok) return page
      const { data, next } = page.value
      // The payout is one of its own transactions.
      const lines = data.filter(({ type }) => type !== 'payout').map((one) => lineOf(one, currency))
      return ok({ lines, next })
    },
  }
}

function behind(after: string | null): string {
  return after === null ? '' : `&starting_after=${urlPart(after)}`
}

async function read<Schema extends v.GenericSchema<unknown, { id: string }>>(
  call: Call,
  path: string,
  schema: Schema,
): Promise<Result<{ data: v.InferOutput<Schema>[]; next: string | null }, Unavailable>> {
  const answer = await call('GET', path)
  if (answer.is === 'unavailable') return refuse(answer)
  const page = v.safeParse(v.object({ data: v.array(schema), has_more: v.boolean() }), answer.body)
  if (answer.status !== 200 || !page.success)
    return refuse(unavailable(`Stripe answered ${answer.status} without a list that can be read.`))
  const { data, has_more: hasMore } = page.output
  return ok({ data, next: hasMore ? (data.at(-1)?.id ?? null) : null })
}

function lineOf(one: BalanceTransaction, currency: string): PayoutLine {
  const source = typeof one.source === 'object' ? one.source : null
  const intent = source?.payment_intent
  const units = (amount: number) => fromPspUnits(amount, currency, UNITS) ?? amount
  const kind = KINDS.get(one.reporting_category) ?? 'correction'
  // A fee has its amount as gross, below zero.
  const [gross, fee] = kind === 'fee' ? [0, -one.amount + one.fee] : [one.amount, one.fee]
  return {
    kind,
    at: one.created * 1000,
    job: source?.metadata?.payment_job ?? null,
    reference: (typeof intent === 'string' ? intent : intent?.id) ?? null,
    orderNumber: null,
    gross: units(gross),
    fee: units(fee),
    text: one.description ?? one.type,
  }
}
