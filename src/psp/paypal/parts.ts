import * as v from 'valibot'
import { parseAmount, toDecimal } from '../../contract/money.ts'
import { decimalsAt, instantOf, toPspUnits } from '../values.ts'
import { UNITS } from './tables.ts'

const Money = v.object({ currency_code: v.string(), value: v.string() })
export type Money = v.InferOutput<typeof Money>

/** Returns an amount as PayPal counts it; null if PayPal cannot take it. */
export function moneyOf(amount: number, currency: string): Money | null {
  const units = toPspUnits(amount, currency, UNITS)
  const value = units === null ? null : toDecimal(units, decimalsAt(currency, UNITS))
  return value === null ? null : { currency_code: currency, value }
}

/** Returns an amount in minor units; null in another currency, or if unreadable. */
export function amountIn({ currency_code, value }: Money, currency: string): number | null {
  const minor = currency_code === currency ? parseAmount(value, currency) : null
  return minor?.ok ? minor.value : null
}

const Url = v.pipe(v.string(), v.url())
const Link = v.object({ rel: v.string(), href: v.string() })
const Links = v.fallback(v.array(Link), [])

/** An authorisation, a capture or a refund of an order. */
const Item = v.object({
  id: v.string(),
  status: v.string(),
  amount: Money,
  invoice_id: v.fallback(v.optional(v.string()), undefined),
  final_capture: v.fallback(v.optional(v.boolean()), undefined),
  status_details: v.fallback(v.nullish(v.object({ reason: v.optional(v.string()) })), null),
  create_time: v.optional(v.unknown()),
  expiration_time: v.optional(v.unknown()),
  links: Links,
})
export type Item = v.InferOutput<typeof Item>

const Items = v.optional(v.array(Item), [])

/** Strict only about the members that decide, so that an oddity elsewhere does not hide a payment. */
const Order = v.object({
  id: v.pipe(v.string(), v.regex(/^[A-Z0-9]{17}$/)),
  status: v.string(),
  links: Links,
  purchase_units: v.strictTuple([
    v.object({
      amount: Money,
      payments: v.optional(
        v.object({ authorizations: Items, captures: Items, refunds: v.optional(v.unknown(), []) }),
        {},
      ),
    }),
  ]),
})

/**
 * Returns what an order shows of its money; null for a body without an order. Of several authorisations the newest
 * counts. The refunds are undefined if they cannot be read.
 */
export function partsIn(body: unknown) {
  const order = v.safeParse(Order, body)
  if (!order.success) return null
  const { id, status, links, purchase_units } = order.output
  const { amount, payments } = purchase_units[0]
  const refunds = v.safeParse(Items, payments.refunds)
  const madeAt = ({ create_time }: Item) => instantOf(create_time) ?? 0
  return {
    id,
    status,
    amount,
    checkoutUrl: links.find(({ rel, href }) => /^(approve|payer-action)$/.test(rel) && v.is(Url, href))?.href,
    authorization: payments.authorizations.toSorted((one, other) => madeAt(one) - madeAt(other)).at(-1),
    captures: payments.captures,
    refunds: refunds.success ? refunds.output : undefined,
  }
}
export type Parts = NonNullable<ReturnType<typeof partsIn>>

/** Returns what an authorisation, a capture or a refund says of itself. */
export function shownBy({ id, status, status_details }: Pick<Item, 'id' | 'status' | 'status_details'>) {
  const reason = status_details?.reason
  return { id, status, ...(reason ? { why: ` (${reason})` } : {}) }
}

export function readItem(body: unknown) {
  return v.is(Item, body) ? shownBy(body) : null
}
