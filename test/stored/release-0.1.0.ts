import * as v from 'valibot'

/**
 * What release 0.1.0 could read, copied from it. It never changes. A gradual deployment runs that release beside this one,
 * and a rollback brings it back: so it must be able to read what this one writes.
 */
const Integer = v.pipe(v.number(), v.safeInteger(), v.minValue(0))
const Status = v.picklist(['PENDING', 'SUCCESS', 'FAILURE', 'CANCELLED', 'EXPIRED'])
const Action = v.picklist(['Start', 'Return', 'Statuspull', 'Expire', 'Cancel'])

const Order = v.object({
  timestamp: v.string(),
  currency: v.string(),
  amount: Integer,
  returnUrl: v.string(),
  reportUrl: v.string(),
  paymentMethod: v.string(),
  orderId: v.string(),
  orderNumber: v.string(),
  language: v.string(),
  ipAddress: v.string(),
})

const Report = v.object({
  revision: Integer,
  state: v.picklist(['waiting', 'delivered', 'dead']),
  dueAt: Integer,
  tries: Integer,
  attempts: v.array(v.object({ at: Integer, outcome: v.string() })),
})

const Job = v.object({
  version: v.literal(1),
  id: v.string(),
  transactionId: v.string(),
  fingerprint: v.string(),
  pos: v.string(),
  account: v.string(),
  origin: v.string(),
  order: Order,
  status: Status,
  paid: Integer,
  error: v.nullable(v.string()),
  created: Integer,
  updated: Integer,
  steps: v.array(v.object({ at: Integer, action: Action, status: Status, paid: Integer })),
  announcement: v.variant('is', [
    v.object({ is: v.literal('due'), tries: Integer, at: Integer }),
    v.object({ is: v.literal('announced'), reference: v.string(), checkoutUrl: v.string() }),
    v.object({ is: v.literal('refused') }),
  ]),
  expiresAt: Integer,
  lastPulls: Integer,
  pullAt: v.nullable(Integer),
  revision: Integer,
  sequence: Integer,
  listed: v.boolean(),
  indexAt: v.nullable(Integer),
  indexSends: Integer,
  reports: v.array(Report),
  flight: v.nullable(v.object({ revision: Integer, until: Integer, sends: Integer })),
  alarmAt: v.nullable(Integer),
})

const Mode = v.picklist(['test', 'live'])
const Account = v.object({ id: v.string(), psp: v.string(), mode: Mode, sealed: v.string() })
const Profile = v.object({
  pos: v.string(),
  mode: Mode,
  signReturn: v.boolean(),
  signingVersion: v.number(),
  routes: v.array(v.object({ paymentMethod: v.string(), account: v.string() })),
  accounts: v.array(Account),
})

const JobRow = v.object({
  id: v.string(),
  created: v.number(),
  pos: v.string(),
  account: v.string(),
  paymentMethod: v.string(),
  orderId: v.string(),
  orderNumber: v.string(),
  currency: v.string(),
  amount: v.number(),
  paid: v.number(),
  status: Status,
  updated: v.number(),
  undeliveredAt: v.nullable(v.number()),
  sequence: v.number(),
})

export const RELEASE_0_1_0 = {
  job: Job,
  token: v.object({ expires: v.number(), profile: Profile }),
  profile: Profile,
  account: Account,
  'report-message': v.object({ job: v.string(), revision: v.number() }),
  'index-message': v.union([
    v.object({ row: JobRow, listed: v.boolean() }),
    v.object({ forgotten: v.object({ id: v.string(), created: v.number(), pos: v.string() }) }),
  ]),
  'profile-refresh-message': v.object({ pos: v.string() }),
  'directory-batch': v.array(v.string()),
  'account-contents': v.object({ credentials: v.unknown(), endpoint: v.exactOptional(v.string()) }),
  'sandbox-payment': v.object({
    id: v.string(),
    fingerprint: v.string(),
    origin: v.string(),
    status: v.picklist(['paid', 'failed', 'canceled', 'expired', 'open']),
    amount: v.object({ currency: v.string(), value: v.string() }),
    description: v.string(),
    redirectUrl: v.string(),
    cancelUrl: v.nullable(v.string()),
    webhookUrl: v.nullable(v.string()),
    method: v.nullable(v.string()),
    locale: v.nullable(v.string()),
    metadata: v.string(),
    createdAt: v.number(),
    expiresAt: v.number(),
    settledAt: v.nullable(v.number()),
    notify: v.nullable(v.object({ tries: v.number(), at: v.number() })),
  }),
}
