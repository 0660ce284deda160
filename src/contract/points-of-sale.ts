import * as v from 'valibot'
import { parseAmount } from './money.ts'
import { dialect, flag, Mode, MUST_BE_TEXT, operatorName } from './values.ts'
import { members } from './body-members.ts'
import { CredentialState, NEW_KEY_LIMITS, ShownKeyLimits } from './key-limits.ts'
import { type Operations, CHANGE, done, LOOK, made } from './operation.ts'

const name = v.pipe(operatorName, v.description('The name of the shop, which its customers see.'))
const signReturn = flag('Sign the address that the customer returns to.')
const spoken = v.pipe(
  dialect,
  v.description("What the shop's client speaks: `v1` for PayoCity's first PHP SDK and WooCommerce plugin."),
)

export const NewPointOfSale = members({
  name,
  mode: v.optional(
    v.pipe(
      Mode,
      v.metadata({ $ref: Mode }),
      v.description(
        'In test mode the sandbox takes its payments, and no money moves. It cannot be changed later.',
      ),
    ),
    'test',
  ),
  signReturn: v.optional(signReturn, false),
  dialect: v.optional(spoken, 'v2'),
  ...NEW_KEY_LIMITS,
})

/** The body of `POST /pos/{id}/keys`, which may be left out. Without `can`, the key has the rights of the newest. */
export const NewApiKey = members(NEW_KEY_LIMITS)

const LIMIT = 'must be a currency and an amount, such as EUR 500.00'

/**
 * How much of a currency its keys may give back in a day (minor units). A currency without a limit of its own
 * has 0.
 */
export const refundLimits = v.pipe(
  v.array(v.pipe(v.string(LIMIT), v.maxLength(40, LIMIT)), 'must be a list of currencies with their amounts'),
  v.maxLength(20, 'must have at most 20 currencies'),
  v.description(
    "How much its keys may give back in a day of the hub's time zone: `EUR 500.00`, for each currency. A currency that is not named then has no room. `none`, an empty list, takes the limit away.",
  ),
  v.examples([['EUR 500.00']]),
  v.rawTransform(({ dataset, addIssue, NEVER }): Record<string, number> | null => {
    const read = dataset.value.map((text) => {
      const [, code = '', amount = ''] = /^([A-Z]{3}) (.*)$/.exec(text) ?? []
      return [code, parseAmount(amount, code)] as const
    })
    const limits = read.flatMap(([code, amount]) => (amount.ok ? [[code, amount.value] as const] : []))
    if (new Set(limits.map(([code]) => code)).size < read.length) {
      addIssue({ message: read.some(([, { ok }]) => !ok) ? LIMIT : 'must name each currency once' })
      return NEVER
    }
    return limits.length === 0 ? null : Object.fromEntries(limits)
  }),
)

/**
 * The body of `POST /pos/{id}`: the members to change. The mode cannot change, because jobs and
 * routes depend on it.
 */
export const ChangedPointOfSale = v.pipe(
  members({
    name: v.exactOptional(name),
    signReturn: v.exactOptional(signReturn),
    dialect: v.exactOptional(spoken),
    refundLimits: v.exactOptional(refundLimits),
  }),
  v.check(
    (changes) => Object.keys(changes).length > 0,
    'must have a name, signReturn, dialect or refundLimits',
  ),
  v.metadata({
    anyOf: ['name', 'signReturn', 'dialect', 'refundLimits'].map((member) => ({ required: [member] })),
  }),
  v.examples([{ name: 'Shop 2' }]),
)

/** The body of `POST /pos/{id}/refund-pin`, which may be left out: then the hub makes a PIN. */
export const NewRefundPin = members({
  pin: v.exactOptional(
    v.pipe(
      v.string(MUST_BE_TEXT),
      v.regex(/^(\d{6,8}|none)$/, 'must be 6 to 8 digits, or none'),
      v.description(
        'The PIN: 6 to 8 digits. `none` takes it away. Without it, the hub makes one of six digits.',
      ),
      v.examples(['none']),
    ),
  ),
})

/** The longest overlap (hours) of two signing secrets: a month is enough to update any client. */
const MOST_OVERLAP = 720

/** The body of `POST /pos/{id}/secret`, which may be left out. */
export const NewSigningSecret = members({
  overlapHours: v.exactOptional(
    v.pipe(
      v.number('must be a number'),
      v.minValue(0, 'must be 0 or more'),
      v.maxValue(MOST_OVERLAP, `must be ${MOST_OVERLAP} at most`),
      v.description(
        `For how many hours the former secret still signs \`X-Signature\`: ${MOST_OVERLAP} at most.`,
      ),
    ),
  ),
  again: v.optional(flag('Make another secret even if one was made within the last hour.'), false),
})

/** The most accounts that the hub tries for one payment: they share the deadline of a create. */
const MOST_ACCOUNTS = 4

/** The body of `POST /pos/{id}/routes`. An empty list removes the route. */
export const NewPaymentRoute = members({
  paymentMethod: v.pipe(
    v.string(MUST_BE_TEXT),
    v.metadata({ pattern: String.raw`^(\*|[^\s\u0000-\u001f\u007f-\u009f*]{1,64})$` }),
    v.toLowerCase(),
    v.regex(/^(\*|[^\s\p{Cc}*]{1,64})$/u, 'must be a payment method of at most 64 characters, or *'),
  ),
  accounts: v.pipe(
    v.array(v.string(MUST_BE_TEXT), 'must be a list of accounts'),
    v.maxLength(MOST_ACCOUNTS, `must have at most ${MOST_ACCOUNTS} accounts`),
    v.check((ids) => new Set(ids).size === ids.length, 'must name each account once'),
    v.metadata({ uniqueItems: true }),
  ),
})

/**
 * A point of sale; also the answer of `POST /pos/{id}`. `disabled` is when an operator disabled it, or
 * null. `signReturn` is always true for the dialect `v1`. `refundLimits` has texts such as `EUR 500.00`.
 */
export const PointOfSale = v.object({
  id: v.string(),
  name: v.string(),
  mode: Mode,
  signReturn: v.boolean(),
  dialect,
  created: v.string(),
  disabled: v.nullable(v.string()),
  refundLimits: v.array(v.string()),
})
export type PointOfSale = v.InferOutput<typeof PointOfSale>

/** Returns the default mode of a list: `test` while no point of sale is live. */
export function usualMode(all: readonly Pick<PointOfSale, 'mode'>[]): Mode {
  return all.some(({ mode }) => mode === 'live') ? 'live' : 'test'
}

export const NewPointOfSaleCreated = v.object({
  ...PointOfSale.entries,
  apiKey: v.string(),
  ...ShownKeyLimits.entries,
  signingSecret: v.string(),
})

/**
 * The answer of `GET /pos/{id}`. `secretMade`: when its signing secret was made. `refundsToday`: the refunds
 * that count against its limits until `refundDayEnds`. `refundPin`: when its PIN was set, and until when too many wrong
 * tries have locked it; null without a PIN.
 */
export const PointOfSaleShown = v.object({
  ...PointOfSale.entries,
  secretMade: v.string(),
  refundsToday: v.array(v.object({ currency: v.string(), limit: v.string(), used: v.string() })),
  refundDayEnds: v.string(),
  refundPin: v.nullable(v.object({ set: v.string(), locked: v.nullable(v.string()) })),
  keys: v.array(v.object({ created: v.string(), ...ShownKeyLimits.entries, state: CredentialState })),
})

export type PointOfSaleShown = v.InferOutput<typeof PointOfSaleShown>

export const PointOfSaleList = v.object({ pointsOfSale: v.array(PointOfSale) })

export const PointOfSaleDisabled = v.object({ id: v.string(), disabled: v.literal(true) })

export const PointOfSaleEnabled = v.object({ id: v.string(), disabled: v.literal(false) })

export const ApiKeyAdded = v.object({ id: v.string(), apiKey: v.string(), ...ShownKeyLimits.entries })

export const ApiKeysRevoked = v.object({ id: v.string(), revoked: v.number() })

/** The answer of `POST /pos/{id}/refund-pin`: the new PIN, or null if it was taken away. */
export const RefundPinSet = v.object({ id: v.string(), pin: v.nullable(v.string()) })

/**
 * The answer of `POST /pos/{id}/secret`: the newest secret, and when it was `made`. `repeated`: an
 * earlier call made it. The former secret signs `X-Signature` until `formerUntil`; null when it
 * does not.
 */
export const SigningSecretRotated = v.object({
  id: v.string(),
  signingSecret: v.string(),
  made: v.exactOptional(v.string()),
  repeated: v.exactOptional(v.boolean()),
  formerUntil: v.exactOptional(v.nullable(v.string())),
})
export type SigningSecretRotated = v.InferOutput<typeof SigningSecretRotated>

/** The accounts for a payment method (`*`: any other method), in the order in which the hub tries them. */
export const PaymentRoute = v.object({ paymentMethod: v.string(), accounts: v.array(v.string()) })
export type PaymentRoute = v.InferOutput<typeof PaymentRoute>

/**
 * The answer of `GET` and `POST /pos/{id}/routes`. `mode` is the mode of all its accounts; null
 * when it has none.
 */
export const PaymentRouteList = v.object({
  pos: v.string(),
  mode: v.nullable(Mode),
  routes: v.array(PaymentRoute),
})
export type PaymentRouteList = v.InferOutput<typeof PaymentRouteList>

const LOOK_AT_POS = { ...LOOK, problems: ['pos-not-found'] } as const
const CHANGE_OF_POS = { ...CHANGE, problems: ['pos-not-found'] } as const

export const POINT_OF_SALE_OPERATIONS = {
  createPointOfSale: {
    ...CHANGE,
    path: '/operator/v1/pos',
    audit: { action: 'pos.create', keeps: ['name', 'mode', 'signReturn', 'dialect', 'can', 'expires'] },
    summary: 'Add a point of sale',
    description: 'The hub shows the API key only once.',
    body: NewPointOfSale,
    answer: made(NewPointOfSaleCreated, 'The point of sale is added.'),
  },
  showPointOfSale: {
    ...LOOK_AT_POS,
    path: '/operator/v1/pos/:id',
    summary: 'See a point of sale and its API keys',
    description: 'The keys that are not revoked, oldest first, with what they may do and when they end.',
    answer: done(PointOfSaleShown),
  },
  listPointsOfSale: {
    ...LOOK,
    path: '/operator/v1/pos',
    summary: 'List the points of sale, oldest first',
    answer: done(PointOfSaleList),
  },
  changePointOfSale: {
    ...CHANGE_OF_POS,
    path: '/operator/v1/pos/:id',
    audit: { action: 'pos.update', keeps: ['name', 'signReturn', 'dialect', 'refundLimits'] },
    summary: 'Change a point of sale',
    description:
      'Its name, its dialect, whether its returns are signed, or how much it may refund in a day. What you leave out stays. Takes effect everywhere within two minutes.',
    body: ChangedPointOfSale,
    answer: done(PointOfSale, 'The point of sale is changed.'),
  },
  disablePointOfSale: {
    ...CHANGE_OF_POS,
    path: '/operator/v1/pos/:id/disable',
    isFinal: true,
    audit: { action: 'pos.disable' },
    summary: 'Disable a point of sale',
    description:
      'Its keys and tokens stop working within two minutes. The hub still finishes and reports its payments.',
    answer: done(PointOfSaleDisabled, 'The point of sale is disabled.'),
  },
  enablePointOfSale: {
    ...CHANGE_OF_POS,
    path: '/operator/v1/pos/:id/enable',
    audit: { action: 'pos.enable' },
    summary: 'Enable a point of sale',
    description: 'Its API keys work again at once. Its old tokens stay invalid.',
    answer: done(PointOfSaleEnabled, 'The point of sale is enabled.'),
  },
  addApiKey: {
    ...CHANGE_OF_POS,
    path: '/operator/v1/pos/:id/keys',
    audit: { action: 'pos.rekey', keeps: ['can', 'expires'] },
    summary: 'Add an API key',
    description:
      'The hub shows the key only once. Without `can` it has the rights of the newest one. Older keys work until you revoke them.',
    body: NewApiKey,
    isBodyOptional: true,
    answer: made(ApiKeyAdded, 'The API key is made. The older ones still work.'),
  },
  revokeApiKeys: {
    ...CHANGE_OF_POS,
    path: '/operator/v1/pos/:id/keys/revoke',
    isFinal: true,
    audit: { action: 'pos.revoke' },
    summary: 'Revoke all API keys except the newest',
    description:
      'They stop working, and so do all access tokens. A shop that still uses an older key can no longer create payments.',
    answer: done(ApiKeysRevoked, 'All API keys except the newest have ended.'),
  },
  rotateSigningSecret: {
    ...CHANGE_OF_POS,
    path: '/operator/v1/pos/:id/secret',
    audit: { action: 'pos.resecret', keeps: ['overlapHours', 'again'] },
    summary: 'Make a new signing secret',
    description:
      'The hub shows it only once, and signs reports with it. A second call within an hour returns the same secret, unless it has `again`.',
    body: NewSigningSecret,
    isBodyOptional: true,
    answer: done(SigningSecretRotated, 'The signing secret is made.'),
  },
  setRefundPin: {
    ...CHANGE_OF_POS,
    path: '/operator/v1/pos/:id/refund-pin',
    audit: { action: 'pos.refund-pin' },
    summary: 'Set or remove the PIN for refunds',
    description:
      'With it, API keys without the right to refund may refund. The hub shows the PIN only once. It takes effect at once, and ends a lock.',
    body: NewRefundPin,
    isBodyOptional: true,
    answer: done(RefundPinSet, 'The PIN for refunds is changed.'),
  },
  listPaymentRoutes: {
    ...LOOK_AT_POS,
    path: '/operator/v1/pos/:id/routes',
    summary: 'List the payment routes of a point of sale',
    answer: done(PaymentRouteList),
  },
  changePaymentRoute: {
    ...CHANGE_OF_POS,
    path: '/operator/v1/pos/:id/routes',
    audit: { action: 'pos.route', keeps: ['paymentMethod', 'accounts'] },
    summary: 'Set or remove a payment route',
    description:
      'The accounts for a payment method, in the order in which the hub tries them. An empty list removes the route.',
    body: NewPaymentRoute,
    answer: done(PaymentRouteList, 'The route is changed.'),
  },
} as const satisfies Operations
