import * as v from 'valibot'

/** Minor units, revisions, counts and times: integers from zero on. */
export const Integer = v.pipe(v.number(), v.safeInteger(), v.minValue(0))

/** Minor units that may go either way, and times before 1970. */
export const SignedInteger = v.pipe(v.number(), v.safeInteger())

/**
 * The files of this folder say what crosses the hub's border: each schema and each operation once.
 * The entrances parse by them, and the OpenAPI document, the typed client, the console and the CLI
 * are made from them. They import Valibot and nothing with a side effect, so any program may read
 * them.
 */

/**
 * Marks a list of values that later releases may add to: the document names the values, and allows
 * others.
 */
const MORE_MAY_COME = { 'x-more-values-may-come': true }

export const MUST_BE_TEXT = 'must be a text'
export const MUST_BE_FLAG = 'must be true or false'

/**
 * Not `\p{Cc}`: JSON Schema has no flags, and the patterns of many languages have no properties.
 */
// oxlint-disable-next-line no-control-regex -- control characters are what is refused
const NO_CONTROLS = /^[^\u0000-\u001f\u007f-\u009f]*$/
export const NO_CONTROLS_PATTERN = NO_CONTROLS.source

function isClean(sent: string): boolean {
  return sent.isWellFormed() && !/\p{Cc}/u.test(sent)
}

/** Refuses control characters and halves of surrogate pairs. */
export const withoutControls = v.check(isClean, 'must not have control characters')

/**
 * A text without control characters that may be empty. Lengths count UTF-16 code units, as JSON
 * Schema's clients do.
 */
export function clearText(longest: number, type = MUST_BE_TEXT) {
  return v.pipe(
    v.string(type),
    v.maxLength(longest, `must have at most ${longest} characters`),
    withoutControls,
    v.metadata({ pattern: NO_CONTROLS_PATTERN }),
  )
}

/** A text without control characters that is not empty. */
export function text(longest: number, type = MUST_BE_TEXT) {
  return v.pipe(clearText(longest, type), v.minLength(1, 'must not be empty'))
}

/**
 * What operators call a point of sale or a token: without white space around it. Nobody tells two
 * names apart that differ in what cannot be seen, so such characters are refused.
 */
export const operatorName = v.pipe(
  v.string(MUST_BE_TEXT),
  v.trim(),
  v.minLength(1, 'must not be empty'),
  v.maxLength(100, 'must have at most 100 characters'),
  withoutControls,
  v.check(
    (name) => !/[\p{Cf}\p{Default_Ignorable_Code_Point}]/u.test(name),
    'must not have invisible characters',
  ),
  v.metadata({ pattern: String.raw`^(?=.*\S)${NO_CONTROLS_PATTERN.slice(1)}` }),
)

/**
 * The body of an operation for operators. A member that it does not know is refused: what an
 * operator meant by it would not be done.
 */
export function members<Entries extends v.ObjectEntries>(entries: Entries) {
  const known = Object.keys(entries).join(', ')
  return v.strictObject(entries, ({ expected }) =>
    expected === 'never' ? `is no member here: there are ${known}` : 'is required',
  )
}

/** `order_number` as `orderNumber`. */
export function camelCase(name: string): string {
  return name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

/** How a payment stands. There will be no other value. */
export const Status = v.pipe(
  v.picklist(['PENDING', 'SUCCESS', 'FAILURE', 'CANCELLED', 'EXPIRED']),
  v.description(
    '`PENDING`: the customer has not paid yet, or the money is on its way; hand nothing over. `SUCCESS`: the whole amount is ' +
      'paid. `FAILURE`: the payment failed, or the PSP refused it. `CANCELLED`: the customer gave up, or you stopped it. ' +
      '`EXPIRED`: the time to pay was over. A job that ended without success becomes `SUCCESS` when its money comes after all.',
  ),
)
export type Status = v.InferOutput<typeof Status>

/** What caused a step. More values may come. */
export const Action = v.pipe(
  v.picklist(['Start', 'Return', 'Statuspull', 'Expire', 'Cancel', 'Refund', 'Chargeback']),
  v.description(
    '`Start`: the create. `Return`: the customer came back. `Statuspull`: the hub asked the PSP. `Expire`: the time to pay was ' +
      'over. `Cancel`: you or the operator stopped it. `Refund`, `Chargeback`: what went back has changed. More values may come: ' +
      'show one that you do not know as it is.',
  ),
  v.metadata(MORE_MAY_COME),
)
export type Action = v.InferOutput<typeof Action>

/**
 * What a payment that is PENDING waits for, where that is not the customer. More values may come.
 */
export const Stage = v.pipe(
  v.picklist(['underway', 'authorized']),
  v.description(
    'What a `PENDING` payment waits for, where that is not the customer. `underway`: the customer has paid by a method that ' +
      'takes days. `authorized`: the money is reserved. More values may come.',
  ),
  v.metadata(MORE_MAY_COME),
)
export type Stage = v.InferOutput<typeof Stage>

/** Whether a point of sale, or an account at a PSP, moves real money. */
export const Mode = v.picklist(['test', 'live'], 'must be test or live')
export type Mode = v.InferOutput<typeof Mode>

/** An object with the description that the document gives it. */
export function documented<Entries extends v.ObjectEntries>(description: string, entries: Entries) {
  return v.pipe(v.object(entries), v.description(description))
}

/** A text with what the document says of it. */
export function described(description: string, example?: string): v.GenericSchema<string> {
  const plain = v.pipe(v.string(), v.description(description))
  return example === undefined ? plain : v.pipe(plain, v.examples([example]))
}

/** The id of a job, a refund or a transaction. */
export function id(description: string) {
  return v.pipe(v.string(), v.uuid(), v.description(description))
}

/** A time: ISO 8601 in UTC with six decimals. */
export function instant(description: string) {
  return v.pipe(
    v.string(),
    v.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/),
    v.description(`${description} ISO 8601 in UTC with six decimals.`),
    v.examples(['2026-11-21T10:00:00.000000Z']),
  )
}

/** An amount as the hub shows it, with two decimals, or more where the currency has more. */
export function amount(description: string) {
  return v.pipe(
    v.string(),
    v.regex(/^\d+\.\d{2,4}$/),
    v.description(`${description} A decimal text with two decimals, or more where the currency has more.`),
    v.examples(['12.50']),
  )
}

export const currency = v.pipe(
  v.string(),
  v.regex(/^[A-Z]{3}$/),
  v.description('The currency of every amount here: an ISO 4217 code.'),
  v.examples(['EUR']),
)

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
export function textOrNumber(message: string, said: Documented) {
  return v.pipe(
    numberOrText(message, said),
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
