import { keepDigits } from '../../src/contract/values.ts'
import { readOrder } from '../../src/pos-api/order.ts'
import type { Order } from '../../src/contract/order.ts'
import type { Result } from '../../src/contract/result.ts'
import type { JsonObject, Reviver } from '../../src/platform/http/body.ts'
import type { FieldError, Refusal } from '../../src/platform/http/refusal.ts'

/** A good order, each field as the JSON that is sent. */
const FIELDS = {
  timestamp: '1790000000',
  currency: '"EUR"',
  amount: '"12.50"',
  return_url: '"https://shop.nl/thanks?order=7"',
  report_url: '"https://shop.nl/report"',
  payment_method: '"ideal"',
  order_id: '7',
  order_number: '"A-7"',
  language: '"nl"',
  ip_address: '"203.0.113.7"',
}

export const FIELD_NAMES: readonly string[] = Object.keys(FIELDS)

type Changes = Record<string, string | null>

// Declared here as in src/platform/http/body.ts: TypeScript's JSON.parse does not know the source
// text yet.
const parse: (text: string, reviver: Reviver) => JsonObject = JSON.parse

/**
 * Reads an order as the API does, from its JSON text. `changes` replaces fields, by JSON or by
 * nothing (null); `more` is put in as further members.
 */
export function read(changes: Changes = {}, more = ''): Result<Order, Refusal> {
  const fields = Object.entries<string | null>({ ...FIELDS, ...changes })
  const members = fields.flatMap(([field, value]) => (value === null ? [] : `"${field}":${value}`))
  const body = parse(`{${[...members, ...(more ? [more] : [])].join(',')}}`, keepDigits)
  return readOrder(body, { own: ['hub.shop-payments.com'], loopback: false })
}

export function ordered(changes: Changes = {}, more = ''): Order {
  const order = read(changes, more)
  if (!order.ok) throw new Error(JSON.stringify(order.error))
  return order.value
}

export function errorsOf(changes: Changes, more = ''): readonly FieldError[] {
  const order = read(changes, more)
  if (order.ok || order.error.code !== 'fields-invalid') throw new Error('the order was taken')
  return order.error.errors
}
