import * as v from 'valibot'
import { decimalsOf, isCurrency } from '../../contract/money.ts'
import { type Result, ok, refuse } from '../../contract/result.ts'
import type { Unavailable } from '../answer.ts'
import { type Call, type CallResult, unavailable } from '../http-client.ts'
import {
  type LineKind,
  type LinePage,
  type ListedPayout,
  type PayoutLine,
  type PayoutPage,
  type PayoutSource,
  listed,
} from '../payouts/payouts.ts'
import { readSigned } from '../payouts/csv.ts'
import { instantOf, urlPart } from '../values.ts'
import { Links, nextIn } from './pages.ts'
import { Amount, jobIn } from './payment.ts'

/** https://docs.mollie.com/reference/list-settlements */
const Settlement = v.object({
  id: v.string(),
  reference: v.string(),
  settledAt: v.nullish(v.string()),
  amount: Amount,
})

const Entry = v.looseObject({ id: v.string(), status: v.nullish(v.unknown()) })

/**
 * Mollie's costs, by year and month:
 * https://docs.mollie.com/reference/get-settlement. `amountGross` includes VAT, and has four decimals.
 */
const Costs = v.object({
  periods: v.record(
    v.string(),
    v.record(
      v.string(),
      v.object({
        costs: v.array(v.object({ amountGross: Amount })),
        invoiceReference: v.nullish(v.string()),
      }),
    ),
  ),
})

const Payment = v.object({ metadata: v.nullish(v.unknown()), description: v.nullish(v.string()) })
/**
 * A payment, refund, chargeback or capture in a settlement, with the members that the books read. "If no
 * amount is settled by Mollie the `settlementAmount` is omitted", as for PayPal:
 * https://docs.mollie.com/reference/list-settlement-payments. On 2027-01-01 Mollie removes the member from
 * the Payments, Refunds, Chargebacks and Captures API, but keeps it in the Settlements API, which the hub
 * uses:
 * https://docs.mollie.com/changelog/deprecate-settlementamount-on-payments-api-refunds-api-chargebacks-api-and-captu
 */
const SettlementItem = v.object({
  id: v.string(),
  status: v.nullish(v.string()),
  createdAt: v.string(),
  settlementAmount: v.nullish(Amount),
  paymentId: v.nullish(v.string()),
  ...Payment.entries,
  _embedded: v.nullish(v.object({ payment: v.nullish(Payment) })),
})
type SettlementItem = v.InferOutput<typeof SettlementItem>

/** The lists of a settlement, in the order in which they are read. Its costs come last. */
const LISTS: readonly { name: string; kind: LineKind; sign: 1 | -1 }[] = [
  { name: 'payments', kind: 'payment', sign: 1 },
  { name: 'captures', kind: 'payment', sign: 1 },
  { name: 'refunds', kind: 'refund', sign: -1 },
  { name: 'chargebacks', kind: 'chargeback', sign: -1 },
]

/**
 * Lists Mollie's settlements that were paid out, newest first, and the lines of each. They belong to the
 * organisation, so the API key of a profile cannot read them, but the organisation's access token can.
 */
export function mollieSettlements(call: Call): PayoutSource {
  return {
    async payouts(after): Promise<Result<PayoutPage, Unavailable>> {
      const page = await readList(call, `/settlements?limit=20${from(after)}`, 'settlements', Entry)
      if (!page.ok) return page
      const paidOut = page.value.items.filter(({ status }) => status === 'paidout')
      return ok({ ...listed(paidOut, payoutIn), next: page.value.next })
    },
    async lines(payout, after): Promise<Result<LinePage, Unavailable>> {
      const [, name = '', begun = ''] = /^(\w+):?(.*)$/.exec(after ?? LISTS[0]?.name ?? '') ?? []
      const at = LISTS.findIndex((list) => list.name === name)
      const list = LISTS[at]
      const path = `/settlements/${urlPart(payout.key)}`
      if (!list) return costsOf(await call('GET', path), payout)
      const embed = list.name === 'payments' ? '' : '&embed=payment'
      const query = `limit=250${embed}${from(begun || null)}`
      const page = await readList(call, `${path}/${list.name}?${query}`, list.name, SettlementItem)
      if (!page.ok) return page
      // A refund that Mollie did not carry out moved no money.
      const settled = page.value.items.filter(
        ({ status, settlementAmount }) => settlementAmount && status !== 'failed' && status !== 'canceled',
      )
      const lines = settled.map((one) => lineOf(one, list, payout.currency))
      const unread = settled[lines.indexOf(null)]
      if (unread) return refuse(unavailable(`Mollie shows ${unread.id} in a form that the hub cannot read.`))
      const following = LISTS[at + 1]?.name ?? 'costs'
      const next = page.value.next === null ? following : `${list.name}:${page.value.next}`
      return ok({ lines: lines.filter((line) => line !== null), next })
    },
  }
}

function payoutIn(sent: unknown): ListedPayout | string {
  const one = v.safeParse(Settlement, sent)
  if (!one.success) return `Its ${v.getDotPath(one.issues[0]) ?? 'form'} cannot be read.`
  const { id: key, reference: id, amount: shown, settledAt } = one.output
  const [amount, paidAt] = [minorOf(shown), instantOf(settledAt)]
  if (amount === null) return `The hub cannot count the amount ${shown.value} ${shown.currency}.`
  if (paidAt === null) return 'Its settledAt cannot be read.'
  // The id is the reference, which the bank statement and Mollie's files have too.
  return { id, key, currency: shown.currency, amount, paidAt }
}

function from(after: string | null): string {
  return after === null ? '' : `&from=${urlPart(after)}`
}

async function readList<Schema extends v.GenericSchema<unknown, unknown>>(
  call: Call,
  path: string,
  name: string,
  schema: Schema,
): Promise<Result<{ items: v.InferOutput<Schema>[]; next: string | null }, Unavailable>> {
  const answer = await call('GET', path)
  if (answer.is === 'unavailable') return refuse(answer)
  const List = v.object({ _embedded: v.object({ [name]: v.array(schema) }), _links: Links })
  const read = v.safeParse(List, answer.body)
  if (answer.status !== 200 || !read.success)
    return refuse(unavailable(`Mollie answered ${answer.status} without a list of ${name}.`))
  const next = nextIn(read.output._links)
  if (next === undefined)
    return refuse(unavailable(`Mollie names a next page of ${name} that the hub cannot read.`))
  return ok({ items: read.output._embedded[name] ?? [], next })
}

function minorOf({ value, currency }: v.InferOutput<typeof Amount>): number | null {
  return isCurrency(currency) ? readSigned(value, currency) : null
}

/** Reads a line; null if its amount or time cannot be read, or the amount is not in the payout's currency. */
function lineOf(one: SettlementItem, list: (typeof LISTS)[number], currency: string): PayoutLine | null {
  const { kind, sign } = list
  const { settlementAmount: sent } = one
  const amount = sent?.currency === currency ? minorOf(sent) : null
  const at = instantOf(one.createdAt)
  if (amount === null || at === null) return null
  const payment = one._embedded?.payment ?? one
  return {
    kind,
    at,
    job: jobIn(payment),
    reference: one.paymentId ?? one.id,
    transfer: one.id,
    orderNumber: payment.description ?? null,
    // Mollie shows refunds with either sign: `amount` above zero, `settlementAmount` below.
    gross: sign * Math.abs(amount),
    fee: 0,
    text: one.id,
  }
}

/** Reads a line for the costs of each month, rounded together as Mollie invoices them. */
function costsOf(answer: CallResult, { currency, paidAt }: ListedPayout): Result<LinePage, Unavailable> {
  if (answer.is === 'unavailable') return refuse(answer)
  const read = v.safeParse(Costs, answer.body)
  if (answer.status !== 200 || !read.success)
    return refuse(unavailable(`Mollie answered ${answer.status} without the costs of a settlement.`))
  const lines: PayoutLine[] = []
  for (const [year, months] of Object.entries(read.output.periods))
    for (const [month, { costs, invoiceReference }] of Object.entries(months)) {
      const sent = costs.map(({ amountGross }) =>
        amountGross.currency === currency ? amountGross.value : '',
      )
      const fee = roundedSum(sent, currency)
      if (fee === null) return refuse(unavailable('Mollie shows costs that the hub cannot read.'))
      const text = [`costs of ${year}-${month}`, invoiceReference].filter(Boolean).join(', ')
      const line = { kind: 'fee' as const, at: paidAt, job: null, reference: null, orderNumber: null }
      if (fee !== 0) lines.push({ ...line, gross: 0, fee, text })
    }
  return ok({ lines, next: null })
}

/** The decimals of Mollie's costs. */
const COST_DECIMALS = 4

/** Sums decimal texts in minor units, and rounds once. Null if a text is not such a number. */
function roundedSum(values: readonly string[], currency: string): number | null {
  const parts = values.map((value) => (value ? readSigned(value, currency, COST_DECIMALS) : null))
  const sum = parts.reduce((all, part) => (all === null || part === null ? null : all + part), 0)
  return sum === null ? null : Math.round(sum / 10 ** (COST_DECIMALS - decimalsOf(currency)))
}
