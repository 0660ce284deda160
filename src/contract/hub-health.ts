import * as v from 'valibot'
import { Notifications } from './accounts.ts'
import { FailingShop } from './failing-reports.ts'
import { CredentialState } from './key-limits.ts'
import { type Operations, CHANGE, done, LOOK } from './operation.ts'
import { Mode } from './values.ts'

/** The state of one part of the hub. `unknown`: the hub could not find out. `message` says why. */
export const PartHealth = v.object({
  part: v.string(),
  state: v.picklist(['working', 'slow', 'failing', 'unknown']),
  milliseconds: v.nullable(v.number()),
  message: v.nullable(v.string()),
})
export type PartHealth = v.InferOutput<typeof PartHealth>

/** The state of an account at its last check. `since` is when this state began. */
export const AccountHealth = v.object({
  account: v.string(),
  psp: v.string(),
  mode: Mode,
  state: v.picklist(['working', 'refused', 'unavailable', 'unknown']),
  since: v.nullable(v.string()),
  checked: v.nullable(v.string()),
  message: v.nullable(v.string()),
  /** Jobs that the hub still has to announce at this account. */
  waiting: v.number(),
  notifications: Notifications,
})
export type AccountHealth = v.InferOutput<typeof AccountHealth>

/** Notifications in the last week that named an account which the hub does not have. */
export const UnknownAccount = v.object({ account: v.string(), count: v.number(), last: v.string() })
export type UnknownAccount = v.InferOutput<typeof UnknownAccount>

/** In one currency: how many payments have money that the operator must act on, and how much. */
export const MoneySum = v.object({ currency: v.string(), amount: v.string(), payments: v.number() })
export type MoneySum = v.InferOutput<typeof MoneySum>

/** An API key of the point of sale `id`, or an operator token, that ends soon, has ended lately or is old. */
export const Credential = v.object({
  kind: v.picklist(['api-key', 'operator-token']),
  id: v.string(),
  name: v.string(),
  created: v.string(),
  expires: v.nullable(v.string()),
  state: CredentialState,
})
export type Credential = v.InferOutput<typeof Credential>

/** The answer of `GET /health`. `state` is the worst state of the parts that payments need. */
export const HubHealth = v.object({
  state: v.picklist(['working', 'impaired', 'failing']),
  version: v.string(),
  parts: v.array(PartHealth),
  accounts: v.array(AccountHealth),
  shops: v.array(FailingShop),
  unknownAccounts: v.array(UnknownAccount),
  /** Money that pays no order and is not cleared, of live and of test payments. */
  unapplied: v.object({ live: v.array(MoneySum), test: v.array(MoneySum) }),
  /** Reserved money that can only be captured for less than another day, of live and of test payments. */
  reservedEndsSoon: v.object({ live: v.array(MoneySum), test: v.array(MoneySum) }),
  /** The first 50 to look at; operator tokens only for those who may see them. */
  credentials: v.array(Credential),
})
export type HubHealth = v.InferOutput<typeof HubHealth>

export const Settings = v.object({
  version: v.string(),
  settings: v.array(v.object({ name: v.string(), value: v.string(), meaning: v.string() })),
})

export const AlertKind = v.picklist([
  'shop-failing',
  'account-failing',
  'hub-failing',
  'money-unapplied',
  'reservation-ending',
  'terminal-off',
])
export type AlertKind = v.InferOutput<typeof AlertKind>

/**
 * A trouble of `subject`, which lasts or has `ended`: a shop, an account or a part of the hub that
 * fails, a payment with money that pays no order or with a reservation that ends within a day, or a
 * terminal that is off. `told` is when the newest message about it went out.
 */
export const Alert = v.object({
  id: v.string(),
  kind: AlertKind,
  subject: v.string(),
  detail: v.string(),
  since: v.string(),
  told: v.nullable(v.string()),
  ended: v.nullable(v.string()),
})
export type Alert = v.InferOutput<typeof Alert>

/**
 * The answer of `GET /alerts`: all present alerts, and the last hundred that ended. `isOn`: the hub
 * has an `ALERT_URL`.
 */
export const AlertList = v.object({ isOn: v.boolean(), alerts: v.array(Alert) })

export const AlertTested = v.object({ delivered: v.boolean(), outcome: v.string() })

/** The answer of `POST /alerts/secret`: the secret that signs alerts, in base64. */
export const AlertSecret = v.object({ signingSecret: v.string() })

export const HUB_HEALTH_OPERATIONS = {
  showHubHealth: {
    ...LOOK,
    path: '/operator/v1/health',
    summary: 'See the state of the hub, part by part',
    description:
      'It answers even while parts are down: each gets 3 seconds. The state of an account is that of its last check, at most five minutes ago.',
    query: v.object({
      check: v.optional(
        v.pipe(
          v.string(),
          v.metadata({ enum: ['1'] }),
          v.description('`1` asks each PSP now. Needs the role `support`.'),
        ),
      ),
    }),
    answer: done(HubHealth),
  },
  showSettings: {
    ...LOOK,
    path: '/operator/v1/settings',
    summary: 'See the settings of the hub',
    description: 'For a secret, it only says whether it is set and long enough.',
    answer: done(Settings),
  },
  listAlerts: {
    ...LOOK,
    path: '/operator/v1/alerts',
    summary: 'List the alerts',
    description: 'Present ones, and the last hundred that ended.',
    answer: done(AlertList),
  },
  testAlert: {
    ...CHANGE,
    path: '/operator/v1/alerts/test',
    role: 'support',
    audit: { action: 'alert.test' },
    summary: 'Send a test message to ALERT_URL',
    answer: done(AlertTested),
  },
  showAlertSecret: {
    ...CHANGE,
    path: '/operator/v1/alerts/secret',
    audit: { action: 'alert.secret' },
    summary: 'See the secret that signs alerts',
    answer: done(AlertSecret),
  },
} as const satisfies Operations
