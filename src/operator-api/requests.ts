import * as v from 'valibot'
import { ACCOUNT_ID } from '../contract/account-id.ts'

/** What the operator API takes, under `/operator/v1`: the schemas that it parses bodies with. Programs of Node import it too. */

const Mode = v.picklist(['test', 'live'])

const Name = v.pipe(
  v.string('must be a text'),
  v.trim(),
  v.minLength(1, 'must not be empty'),
  v.maxLength(100, 'must have at most 100 characters'),
  v.check((name) => name.isWellFormed() && !/\p{Cc}/u.test(name), 'must not have control characters'),
)

/** The body of `POST /tokens`. */
export const NewOperatorToken = v.object({
  name: v.pipe(Name, v.notValue('OPERATOR_TOKEN', 'is the name of the secret')),
  role: v.picklist(['viewer', 'support', 'operator'], 'must be viewer, support or operator'),
})
export type NewOperatorToken = v.InferInput<typeof NewOperatorToken>

/** The body of `POST /pos`. */
export const NewPointOfSale = v.object({
  name: Name,
  mode: v.optional(v.picklist(Mode.options, 'must be test or live'), 'test'),
  signReturn: v.optional(v.boolean('must be true or false'), false),
})
export type NewPointOfSale = v.InferInput<typeof NewPointOfSale>

/** The body of `POST /pos/{id}`: what is to change. The mode cannot: jobs and routes are of it. */
export const ChangedPointOfSale = v.pipe(
  v.object({
    name: v.exactOptional(Name),
    signReturn: v.exactOptional(v.boolean('must be true or false')),
  }),
  v.check((changes) => Object.keys(changes).length > 0, 'must have a name or signReturn'),
)
export type ChangedPointOfSale = v.InferInput<typeof ChangedPointOfSale>

/** Hours for which the signing secret before may go on: a month is enough to change any client. */
const MOST_OVERLAP = 720

/**
 * The body of `POST /pos/{id}/secret`, which may be left out. `overlapHours`: for how long from now the secret before signs
 * `X-Signature`. `again`: another secret, though one was made within the hour.
 */
export const NewSigningSecret = v.object({
  overlapHours: v.exactOptional(
    v.pipe(
      v.number('must be a number'),
      v.minValue(0, 'must be 0 or more'),
      v.maxValue(MOST_OVERLAP, `must be ${MOST_OVERLAP} at most`),
    ),
  ),
  again: v.optional(v.boolean('must be true or false'), false),
})
export type NewSigningSecret = v.InferInput<typeof NewSigningSecret>

/** Accounts tried for one payment: each has its share of the PSP's deadline. */
const MOST_ACCOUNTS = 4

/** The body of `POST /pos/{id}/routes`. An empty list takes the route away. */
export const NewPaymentRoute = v.object({
  paymentMethod: v.pipe(
    v.string('must be a text'),
    v.toLowerCase(),
    v.regex(/^(\*|[^\s\p{Cc}*]{1,64})$/u, 'must be a payment method of at most 64 characters, or *'),
  ),
  accounts: v.pipe(
    v.array(v.string('must be a text'), 'must be a list of accounts'),
    v.maxLength(MOST_ACCOUNTS, `must have at most ${MOST_ACCOUNTS} accounts`),
    v.check((ids) => new Set(ids).size === ids.length, 'must name each account once'),
  ),
})
export type NewPaymentRoute = v.InferInput<typeof NewPaymentRoute>

/** The body of `POST /jobs/{id}/refunds`. Without an amount it is all that is left. `id` makes a repetition the same refund. */
export const NewRefund = v.object({
  id: v.pipe(v.string('must be a text'), v.uuid('must be a UUID')),
  amount: v.exactOptional(v.string('must be a text such as 5.00')),
  description: v.exactOptional(
    v.pipe(
      v.string('must be a text'),
      v.maxLength(140, 'must have at most 140 characters'),
      v.check((text) => text.isWellFormed() && !/\p{Cc}/u.test(text), 'must not have control characters'),
    ),
  ),
})
export type NewRefund = v.InferInput<typeof NewRefund>

/** The body of `POST /accounts/{id}/credentials`. `endpoint` replaces the PSP's own address, in the local run only. */
export const NewCredentials = v.object({
  credentials: v.record(v.string(), v.unknown(), 'must be an object'),
  endpoint: v.optional(v.string('must be a text')),
})
export type NewCredentials = v.InferInput<typeof NewCredentials>

/** The body of `POST /accounts`, whose `psp` is one of the `PspList`. */
export const NewAccount = v.object({
  id: v.pipe(
    v.string('must be a text'),
    v.regex(ACCOUNT_ID, 'must have 1 to 40 small letters, digits and hyphens'),
    v.notValue('sandbox', 'is the name of the built-in sandbox'),
  ),
  psp: v.string('must be a text'),
  mode: v.pipe(v.unknown(), v.picklist(Mode.options, 'must be test or live')),
  ...NewCredentials.entries,
})
export type NewAccount = v.InferInput<typeof NewAccount>
