import * as v from 'valibot'

/**
 * A JSON number as a point of sale wrote it. A long amount or id does not fit a double, so
 * `keepDigits` keeps every number of a body as its digits. No JSON text can make an instance, so it
 * is never taken for anything else.
 */
export class SentNumber {
  readonly digits: string
  constructor(digits: string) {
    this.digits = digits
  }
}

/**
 * An amount as it was sent: the digits of a number may be off by floating point, those of a text
 * may not.
 */
export type SentAmount = string | SentNumber

/** A reviver for `JSON.parse` that keeps each number as a `SentNumber`. */
export function keepDigits(_key: string, value: unknown, context?: { source?: string }): unknown {
  return typeof value === 'number' ? new SentNumber(spelledOut(context?.source ?? String(value))) : value
}

/**
 * What clients send as a number or as a text. It is typed as JSON has it; the hub finds a
 * `SentNumber` in a number's place. `json` says in JSON Schema what the actions behind it check,
 * for a schema is documented up to its first transformation.
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

/** A text that may be sent as a number, and is then its digits. */
export function textOrNumber(message: string, documented: Documented) {
  return v.pipe(
    numberOrText(message, documented),
    v.transform((sent: string | number) => asText(sent)),
  )
}

/** More than zero, and at most 11 digits before the point. */
export const SENT_AMOUNT_PATTERN = String.raw`^(?=.*[1-9])0*\d{1,11}(\.\d+)?$`

/** An amount that a point of sale sends. Its currency says what it is in minor units. */
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
 * A number with an exponent, as some serialisers write it, digit by digit. A number beyond all
 * amounts stays as it is.
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
