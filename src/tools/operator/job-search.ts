import { UsageError, quoted } from '../usage-error.ts'
import { instantOf } from './instant.ts'

/** The flags by which payments are told apart, of each command that shows some of them. */
export const PART_FLAGS = {
  pos: { type: 'string', valueHint: 'SHOP', description: 'of this point of sale only: its id or its name' },
  method: { type: 'string', valueHint: 'METHOD', description: 'of this payment method only' },
  account: { type: 'string', valueHint: 'ID', description: 'at this account only' },
} as const

/** The flags by which jobs are searched, of each command that does. */
export const SEARCH_FLAGS = {
  order: { type: 'string', valueHint: 'NUMBER', description: 'of this order number only' },
  'order-id': { type: 'string', valueHint: 'ID', description: 'of this order id only' },
  reference: { type: 'string', valueHint: 'TEXT', description: "of this payment, by the PSP's own id" },
  ...PART_FLAGS,
  status: {
    type: 'string',
    valueHint: 'STATUS',
    description: 'of this status, or of several: FAILURE,EXPIRED',
  },
  currency: { type: 'string', valueHint: 'CODE', description: 'in this currency only' },
  amount: { type: 'string', valueHint: 'AMOUNT', description: 'of exactly this amount: 12.50' },
  'amount-from': { type: 'string', valueHint: 'AMOUNT', description: 'of this amount or more' },
  'amount-to': { type: 'string', valueHint: 'AMOUNT', description: 'of this amount or less' },
  from: { type: 'string', valueHint: 'TIME', description: 'created at this time or later' },
  to: { type: 'string', valueHint: 'TIME', description: 'created before this time' },
} as const

type Given = { readonly [Flag in keyof typeof SEARCH_FLAGS]: string | undefined }

/** What the operator named, by the names that the operator API has for it. */
export function queryOf(named: Readonly<Record<string, string | undefined>>): URLSearchParams {
  return new URLSearchParams(
    Object.entries(named).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
}

/** The parameters of a search, from its flags. Statuses may be typed in small letters. */
export function searchOf(given: Given, utc: boolean): Record<string, string | undefined> {
  return {
    order_number: given.order,
    order_id: given['order-id'],
    reference: given.reference,
    pos: given.pos,
    status: given.status?.toUpperCase(),
    method: given.method,
    account: given.account,
    currency: given.currency,
    amount: given.amount,
    amount_from: given['amount-from'],
    amount_to: given['amount-to'],
    ...rangeOf(given, utc),
  }
}

/** A time from one instant to another, each where it is given. Throws a UsageError where it does not end after it begins. */
export function rangeOf(
  { from, to }: Readonly<Record<'from' | 'to', string | undefined>>,
  utc: boolean,
): Record<'from' | 'to', string | undefined> {
  const clock = { now: new Date(), utc }
  const begin = from === undefined ? undefined : instantOf(from, 'from', clock)
  const end = to === undefined ? undefined : instantOf(to, 'to', clock, begin)
  if (begin !== undefined && end !== undefined && end <= begin) {
    throw new UsageError(`--to ${quoted(to ?? '')} is not after --from ${quoted(from ?? '')}`)
  }
  return { from: begin, to: end }
}
