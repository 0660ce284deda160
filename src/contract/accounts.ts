import * as v from 'valibot'
import { ACCOUNT_ID } from './ids.ts'
import { type Operations, CHANGE, done, LOOK, made } from './operation.ts'
import { after, flagged, sentPosition } from './queries.ts'
import { currency, Mode, MUST_BE_TEXT, sentCurrency } from './values.ts'
import { listIn, members } from './body-members.ts'

export const CredentialField = v.object({ name: v.string(), description: v.string(), optional: v.boolean() })
export type CredentialField = v.InferOutput<typeof CredentialField>

export const PspList = v.object({
  psps: v.array(v.object({ psp: v.string(), credentials: v.array(CredentialField) })),
})

/**
 * An account at a PSP. `currencies` are those that an operator chose; null means any. `sealingKey` is
 * the id of the key that seals its credentials.
 */
export const Account = v.object({
  id: v.string(),
  psp: v.string(),
  mode: Mode,
  currencies: v.nullable(v.array(currency)),
  sealingKey: v.string(),
  created: v.string(),
})
export type Account = v.InferOutput<typeof Account>

export const AccountList = v.object({ accounts: v.array(Account) })

export const CredentialsReplaced = v.pick(Account, ['id', 'psp', 'mode'])

export const CurrenciesChanged = v.pick(Account, ['id', 'psp', 'mode', 'currencies'])

/**
 * Whether an account's notifications arrive. `refused`: all that arrived had a wrong signature.
 * `missing`: none arrived, although customers paid at the account. `none`: none arrived yet.
 * `last`: the day of the newest notification with a valid signature.
 */
export const Notifications = v.object({
  state: v.picklist(['working', 'refused', 'missing', 'none']),
  last: v.nullable(v.string()),
})
export type Notifications = v.InferOutput<typeof Notifications>

/**
 * The answer of `GET /accounts/{id}/webhook`. The operator enters `address` at the PSP, as `setUp`
 * says. `address` is null if the hub sends an address with each payment.
 */
export const Webhook = v.object({
  id: v.string(),
  psp: v.string(),
  address: v.nullable(v.string()),
  setUp: v.string(),
  ...Notifications.entries,
})

/**
 * The answer of `POST /accounts/{id}/check`: whether the credentials work. If they do not, `message`
 * is the PSP's own text.
 */
export const AccountChecked = v.object({
  id: v.string(),
  result: v.picklist(['working', 'refused', 'unavailable']),
  message: v.nullable(v.string()),
  notifications: Notifications,
})

/**
 * The answer of `POST /accounts/{id}/announce`, for one page: how many payments an account took,
 * and how many still wait. `next` is the `after` of the next page, or null at the end.
 */
export const JobsAnnounced = v.object({
  announced: v.number(),
  waiting: v.number(),
  next: v.nullable(v.string()),
})

export const AccountRemoved = v.object({ id: v.string(), removed: v.literal(true) })

/**
 * The answer of `POST /sealing/rotate`, for one page: how many `accounts` there are, the ids of
 * those that the hub sealed again and of those that it could not, and how many `copies` it wrote to
 * KV. `next` is the `after` of the next page, or null at the end.
 */
export const SealingRotated = v.object({
  sealingKey: v.string(),
  resealed: v.array(v.string()),
  failed: v.array(v.string()),
  accounts: v.number(),
  copies: v.exactOptional(v.number()),
  next: v.exactOptional(v.nullable(v.string())),
})

/**
 * The answer of `GET /sealing`, for one page: how many `accounts` there are, the ids of those that a
 * key other than `sealingKey` seals in D1, how many `copies` in KV the hub looked at, and the names
 * of those that another key seals. `next` is the `after` of the next page, or null at the end.
 */
export const SealingStatus = v.object({
  sealingKey: v.string(),
  accounts: v.number(),
  copies: v.number(),
  oldAccounts: v.array(v.string()),
  oldCopies: v.array(v.string()),
  next: v.nullable(v.string()),
})

/**
 * The body of `POST /accounts/{id}/credentials`. `endpoint` replaces the PSP's address; only a hub
 * on the operator's own machine takes it.
 */
export const NewCredentials = members({
  credentials: v.record(v.string(), v.unknown(), 'must be an object'),
  endpoint: v.optional(v.string(MUST_BE_TEXT)),
})

/** The currencies that an account takes; null means any. */
const currencies = v.nullable(
  v.pipe(
    v.array(sentCurrency, 'must be a list of currencies, or null for any'),
    v.minLength(1, 'must name a currency, or be null for any'),
    v.description('The currencies that the account takes, such as EUR. None (null): all that its PSP takes.'),
    v.transform((codes) => [...new Set(codes)]),
  ),
)

/** Reads currencies as a person types them, such as `eur, usd`. `any` is null. */
export function currenciesIn(typed: string): string[] | null {
  return typed === 'any' ? null : listIn(typed.toUpperCase())
}

export const NewCurrencies = members({ currencies })

export const NewAccount = members({
  id: v.pipe(
    v.string(MUST_BE_TEXT),
    v.regex(ACCOUNT_ID, 'must have 1 to 40 small letters, digits and hyphens'),
    v.notValue('sandbox', 'is the name of the built-in sandbox'),
    v.description('Its name in routes: small letters, digits and hyphens.'),
  ),
  mode: v.pipe(v.unknown(), v.metadata({ type: 'string', enum: Mode.options }), Mode),
  psp: v.string(MUST_BE_TEXT),
  currencies: v.optional(currencies),
  ...NewCredentials.entries,
})

const page = v.object({ after })
const CHANGE_OF_ACCOUNT = { ...CHANGE, problems: ['account-not-found'] } as const

export const ACCOUNT_OPERATIONS = {
  listPsps: {
    ...LOOK,
    path: '/operator/v1/psps',
    summary: 'List the PSPs and the credentials that each needs',
    answer: done(PspList),
  },
  listAccounts: {
    ...LOOK,
    path: '/operator/v1/accounts',
    summary: 'List the accounts at PSPs',
    answer: done(AccountList),
  },
  addAccount: {
    ...CHANGE,
    path: '/operator/v1/accounts',
    audit: { action: 'psp.add', keeps: ['id', 'psp', 'mode', 'currencies'] },
    summary: 'Add an account at a PSP',
    description: 'The hub seals its credentials, and never shows them again.',
    body: NewAccount,
    answer: made(Account, 'The account is added.'),
    problems: ['account-conflict'],
  },
  replaceCredentials: {
    ...CHANGE,
    path: '/operator/v1/accounts/:id/credentials',
    audit: { action: 'psp.rekey' },
    summary: 'Replace the credentials of an account',
    description: 'Takes effect within two minutes. Its routes and payments stay.',
    body: NewCredentials,
    answer: done(CredentialsReplaced, 'The credentials are replaced.'),
    problems: ['account-conflict', 'account-not-found'],
  },
  changeCurrencies: {
    ...CHANGE_OF_ACCOUNT,
    path: '/operator/v1/accounts/:id/currencies',
    audit: { action: 'psp.currencies', keeps: ['currencies'] },
    summary: 'Change the currencies that an account takes',
    description:
      'Takes effect within two minutes. Orders in other currencies go to the next account of their route; ' +
      'the hub refuses an order that no account takes.',
    body: NewCurrencies,
    answer: done(CurrenciesChanged, 'The currencies are changed.'),
  },
  checkAccount: {
    ...CHANGE_OF_ACCOUNT,
    path: '/operator/v1/accounts/:id/check',
    role: 'support',
    audit: { action: 'psp.check' },
    summary: 'Ask the PSP whether the credentials work',
    description: 'Nothing changes at the PSP.',
    answer: done(AccountChecked, 'The hub has asked the PSP.'),
  },
  announceJobs: {
    ...CHANGE_OF_ACCOUNT,
    path: '/operator/v1/accounts/:id/announce',
    role: 'support',
    audit: { action: 'psp.announce' },
    summary: 'Announce the payments that wait for an account',
    description:
      'Each by the route that its point of sale has now, so another account may take it. A page of at most 50, the oldest first. The hub keeps trying those that no account takes.',
    query: v.object({ after: sentPosition }),
    answer: done(
      JobsAnnounced,
      'The hub has tried to announce the payments. It keeps trying those that still wait.',
    ),
  },
  showWebhook: {
    ...LOOK,
    path: '/operator/v1/accounts/:id/webhook',
    summary: 'See the webhook of an account',
    description: 'The address to enter at the PSP, and whether its notifications arrive.',
    answer: done(Webhook),
    problems: ['account-not-found'],
  },
  removeAccount: {
    ...CHANGE,
    path: '/operator/v1/accounts/:id/remove',
    isFinal: true,
    audit: { action: 'psp.remove', keeps: ['force'] },
    summary: 'Remove an account',
    description:
      'The hub deletes its credentials. It refuses while a route leads to the account, or while it has open payments.',
    query: v.object({ force: flagged('Remove it even if it has open payments; these are then lost.') }),
    answer: done(AccountRemoved, 'The account is removed.'),
    problems: ['account-conflict', 'account-not-found'],
  },
  showSealing: {
    ...LOOK,
    path: '/operator/v1/sealing',
    summary: 'See which credentials the first sealing key does not seal',
    query: page,
    answer: done(SealingStatus),
  },
  rotateSealing: {
    ...CHANGE,
    path: '/operator/v1/sealing/rotate',
    audit: { action: 'keys.rotate', keeps: ['after'] },
    summary: 'Seal a page of the credentials again, with the first key',
    query: page,
    answer: done(SealingRotated),
  },
} as const satisfies Operations
