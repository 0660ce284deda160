import * as v from 'valibot'
import { parseAmount, parseAmountNumber } from './money.ts'
import { type Result, refuse } from './result.ts'

/**
 * A JSON number as a point of sale wrote it. `keepDigits` makes one of every number in a body,
 * because a long amount or id does not fit a double. No JSON text can forge an instance.
 */
class SentNumber {
  readonly digits: string
  constructor(digits: string) {
    this.digits = digits
  }
}

/**
 * An amount as a point of sale sent it. The digits of a number may be off by floating point; the
 * digits of a text may not.
 */
export type SentAmount = string | SentNumber

/** Returns a sent amount in minor units of its currency, or why it is not a positive amount. */
export function readSentAmount(sent: SentAmount, code: string): Result<number, string> {
  const read = sent instanceof SentNumber ? parseAmountNumber(sent.digits, code) : parseAmount(sent, code)
  return read.ok && read.value === 0 ? refuse('must be more than zero') : read
}

/** A reviver for `JSON.parse` that keeps each number as a `SentNumber`. */
export function keepDigits(_key: string, value: unknown, context?: { source?: string }): unknown {
  return typeof value === 'number' ? new SentNumber(spelledOut(context?.source ?? String(value))) : value
}

/**
 * A value that clients send as a number or as a text. Its type is that of the JSON; the hub has a
 * `SentNumber` instead of a number. `json` repeats in JSON Schema what the later actions check,
 * because a schema is documented only up to its first transformation.
 */
function numberOrText(message: string, { json, description, example }: Documented) {
  return v.pipe(
    v.custom<string | number>(
      (sent) => typeof sent === 'string' || typeof sent === 'number' || sent instanceof SentNumber,
      message,
    ),
    v.metadata(json),
    v.description(description),
    v.examples([example]),
  )
}
type Documented = { json: Record<string, unknown>; description: string; example: string | number }

/** A text that clients may send as a number, which becomes its digits. */
export function textOrNumber(message: string, said: Documented) {
  return v.pipe(
    numberOrText(message, said),
    v.transform((sent: string | number) => asText(sent)),
  )
}

/** More than zero, and at most 11 digits before the point. */
export const SENT_AMOUNT_PATTERN = String.raw`^(?=.*[1-9])0*\d{1,11}(\.\d+)?$`

/** An amount that a point of sale sends. Its currency decides how many minor units it has. */
export function sentAmount(description: string, example: string) {
  const json = {
    anyOf: [
      { type: 'string', pattern: SENT_AMOUNT_PATTERN },
      { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 100_000_000_000 },
    ],
  }
  return v.pipe(
    numberOrText('must be a number or a text', { json, description, example }),
    v.check((sent) => sent !== '', 'must not be empty'),
    v.transform((sent: string | number) => asAmount(sent)),
  )
}

function asAmount(sent: unknown): SentAmount {
  return sent instanceof SentNumber ? sent : asText(sent)
}

function asText(sent: unknown): string {
  return sent instanceof SentNumber ? sent.digits : String(sent)
}

/**
 * Writes out a number that has an exponent, because some serialisers send exponents. Leaves one
 * that is larger than any amount as it is.
 */
function spelledOut(number: string): string {
  const [, sign = '', whole, fraction = '', exponent] =
    /^(-?)(\d+)(?:\.(\d+))?e([+-]?\d+)$/i.exec(number) ?? []
  const shift = Number(exponent)
  if (whole === undefined || Math.abs(shift) > 20) return number
  const leading = Math.max(1 - (whole.length + shift), 0)
  const digits = '0'.repeat(leading) + whole + fraction
  const point = leading + whole.length + shift
  const written = digits.padEnd(point, '0')
  return sign + written.slice(0, point) + (written.length > point ? `.${written.slice(point)}` : '')
}
