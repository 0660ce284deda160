import * as v from 'valibot'
import { parseAmount, parseAmountNumber } from '../contract/money.ts'
import { type Result, refuse } from '../platform/result.ts'
import type { Reviver } from '../platform/http/body.ts'

/** An amount that was sent as a JSON number: its digits. No JSON text can make one, so it is told apart from any text. */
class AmountNumber {
  readonly digits: string
  constructor(digits: string) {
    this.digits = digits
  }
}

/** What may stand in `amount`: a text, or a number as `keepDigitsOf` keeps it. */
export const SentAmount = v.union(
  [v.pipe(v.string(), v.minLength(1, 'must not be empty')), v.instance(AmountNumber)],
  'must be a number or a text',
)

/** An amount as it was sent, in minor units of its currency; the reason where it is none, or zero. */
export function readSentAmount(sent: unknown, currency: string): Result<number, string> {
  const amount =
    sent instanceof AmountNumber
      ? parseAmountNumber(sent.digits, currency)
      : parseAmount(String(sent), currency)
  return amount.ok && amount.value === 0 ? refuse('must be more than zero') : amount
}

/** Keeps the digits of `amount` and of these members as they were sent. */
export function keepDigitsOf(members: readonly string[]): Reviver {
  return (key, value, context) => {
    if (typeof value !== 'number' || !(key === 'amount' || members.includes(key))) return value
    const digits = spelledOut(context?.source ?? String(value))
    return key === 'amount' ? new AmountNumber(digits) : digits
  }
}

/** A number with an exponent, as some serialisers write it, digit by digit. One beyond all amounts stays as it is. */
function spelledOut(number: string): string {
  const [, sign = '', whole, fraction = '', exponent] =
    /^(-?)(\d+)(?:\.(\d+))?e([+-]?\d+)$/i.exec(number) ?? []
  const shift = Number(exponent)
  if (whole === undefined || Math.abs(shift) > 20) return number
  const leading = Math.max(1 - (whole.length + shift), 0)
  const digits = '0'.repeat(leading) + whole + fraction
  const point = leading + whole.length + shift
  const text = digits.padEnd(point, '0')
  return sign + text.slice(0, point) + (text.length > point ? `.${text.slice(point)}` : '')
}
