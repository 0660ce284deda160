import * as v from 'valibot'
import { CURRENCIES, isCurrency } from './money.ts'

/** Minor units, revisions, counts and times: integers from zero on. */
export const Integer = v.pipe(v.number(), v.safeInteger(), v.minValue(0))

/** Minor units that may be negative, and times before 1970. */
export const SignedInteger = v.pipe(v.number(), v.safeInteger())

/** A time (ms). One after 2100 can only be a mistake, and no page would show its month. */
export const Moment = v.pipe(Integer, v.maxValue(Date.UTC(2100), 'must be before 2100'))

/** An amount in minor units. With at most 14 digits, the sum of thousands is still exact. */
export const Money = v.pipe(
  SignedInteger,
  v.minValue(-99_999_999_999_999, 'must have at most 14 digits'),
  v.maxValue(99_999_999_999_999, 'must have at most 14 digits'),
)

/**
 * The files of this folder declare everything that crosses the hub's border: each schema and each
 * operation once. The hub parses requests with them, and builds the OpenAPI document, the typed
 * client, the console and the CLI from them. They import Valibot and nothing that has a side effect,
 * so any program can use them.
 */

/**
 * Marks a list of values that later releases may extend: the OpenAPI document names the values and
 * allows others.
 */
const MORE_MAY_COME = { 'x-more-values-may-come': true }

export const MUST_BE_TEXT = 'must be a text'

/**
 * The characters of `\p{Cc}`, spelled out: JSON Schema patterns have no flags, and many languages
 * lack such properties.
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
export function clearText(longest: number) {
  return v.pipe(
    v.string(MUST_BE_TEXT),
    v.maxLength(longest, `must have at most ${longest} characters`),
    withoutControls,
    v.metadata({ pattern: NO_CONTROLS_PATTERN }),
  )
}

/** A text without control characters that is not empty. */
export function text(longest: number) {
  return v.pipe(clearText(longest), v.minLength(1, 'must not be empty'))
}

/** A switch that a client sends. */
export function flag(description: string) {
  return v.pipe(v.boolean('must be true or false'), v.description(description))
}

/** A name that release 1.1 or an earlier one took for a point of sale, a token or a terminal. */
export const storedName = v.pipe(
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

/** Separators, letters that show nothing, and characters that no font has to show. */
const BLANK = /(?! )[\p{Z}\p{Co}\p{Noncharacter_Code_Point}\u2800\ufffc\u{16fe4}\u{1d159}]/u
export const withoutBlanks = v.check(
  (name: string) => !BLANK.test(name),
  'must not have blank characters other than spaces',
)

/** More marks than any language writes on a letter cover what stands above and below the name. */
const STACK = /^\p{M}|\p{M}{5}/u
export const withoutStacks = v.check(
  (name: string) => !STACK.test(name),
  'must have at most 4 marks on a letter',
)

/**
 * An operator's name for a point of sale or a terminal. White space around it is removed. Characters that people
 * cannot see, or that hide others, are refused, because they would make two names look the same.
 */
export const operatorName = v.pipe(storedName, withoutBlanks, withoutStacks)

/** The status of a payment. Later releases add no value. */
export const Status = v.pipe(
  v.picklist(['PENDING', 'SUCCESS', 'FAILURE', 'CANCELLED', 'EXPIRED']),
  v.description(
    '`PENDING`: the customer has not paid yet, or the money is on its way; hand nothing over. `SUCCESS`: the whole amount is ' +
      'paid, or the part that you captured before the rest was released. `FAILURE`: the payment failed, or the PSP refused it. `CANCELLED`: the customer gave up, or you stopped it. ' +
      '`EXPIRED`: the time to pay ran out. A job that ended without success becomes `SUCCESS` if its money arrives after all.',
  ),
)
export type Status = v.InferOutput<typeof Status>

/** The cause of a step. Later releases may add values. */
export const Action = v.pipe(
  v.picklist([
    'Start',
    'Return',
    'Statuspull',
    'Expire',
    'Cancel',
    'Capture',
    'Release',
    'Refund',
    'Chargeback',
  ]),
  v.description(
    '`Start`: the create. `Return`: the customer came back. `Statuspull`: the hub asked the PSP. `Expire`: the time to pay ran ' +
      'out. `Cancel`: you or the operator stopped it. `Capture`, `Release`: reserved money was captured or released. `Refund`, `Chargeback`: the amount that went back changed. Later releases may add values: ' +
      'show an unknown one as it is.',
  ),
  v.metadata(MORE_MAY_COME),
)
export type Action = v.InferOutput<typeof Action>

/** The state of a PENDING payment that does not wait for a customer on a page. Later releases may add values. */
export const Stage = v.pipe(
  v.picklist(['underway', 'authorized', 'waiting-for-card', 'card-read', 'authorising']),
  v.description(
    'What a `PENDING` payment waits for, other than a customer on a page. `underway`: the customer has paid by a method that ' +
      'takes days. `authorized`: the money is reserved. At a terminal: `waiting-for-card` and, if the PSP reports them, `card-read` and `authorising`. Later releases may add values.',
  ),
  v.metadata(MORE_MAY_COME),
)
export type Stage = v.InferOutput<typeof Stage>

/**
 * When the money of an order is captured. `manual`: the PSP only reserves it, and the point of sale
 * captures or releases it later.
 */
export const CaptureMode = v.picklist(['automatic', 'manual'], 'must be automatic or manual')
export type CaptureMode = v.InferOutput<typeof CaptureMode>

/** Says whether a point of sale, or an account at a PSP, moves real money. */
export const Mode = v.picklist(['test', 'live'], 'must be test or live')
export type Mode = v.InferOutput<typeof Mode>

/** Compares things so that live ones come first. */
export function liveFirst(one: { mode: Mode }, other: { mode: Mode }): number {
  return Number(one.mode === 'test') - Number(other.mode === 'test')
}

/** The modes that a list can show. */
export const ListedModes = v.picklist([...Mode.options, 'all'], 'must be test, live or all')

/**
 * The form of the API that a shop's client expects. `v1` is for the first PayoCity clients: they
 * call `/api/v1`, and verify answers, reports and signed returns with their token.
 */
export const dialect = v.picklist(['v1', 'v2'], 'must be v1 or v2')

export function documented<Entries extends v.ObjectEntries>(description: string, entries: Entries) {
  return v.pipe(v.object(entries), v.description(description))
}

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

/** An amount as the hub shows it: two decimals, or more if the currency has more. */
export function amount(description: string) {
  return v.pipe(
    v.string(),
    v.regex(/^\d+\.\d{2,4}$/),
    v.description(`${description} A decimal text: two decimals, or more if the currency has more.`),
    v.examples(['12.50']),
  )
}

export const sentCurrency = v.pipe(
  v.string(MUST_BE_TEXT),
  v.check(isCurrency, 'must be an active ISO 4217 code in capitals, such as EUR'),
  v.metadata({ pattern: '^[A-Z]{3}$', enum: CURRENCIES }),
  v.description('An active ISO 4217 code in capitals.'),
  v.examples(['EUR']),
)

export const currency = v.pipe(
  v.string(),
  v.regex(/^[A-Z]{3}$/),
  v.description('The currency of every amount here: an ISO 4217 code.'),
  v.examples(['EUR']),
)
