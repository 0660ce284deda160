import * as v from 'valibot'

/**
 * What the operator API answers, under `/operator/v1`: a schema and its type for each answer. The CLI and the OpenAPI
 * document read it, so it imports Valibot alone; the Worker takes its types alone, which keeps it small. Times are ISO 8601
 * in UTC; amounts are decimal texts. A refusal is a `Problem`. What the API takes is in `requests.ts`.
 */

const Mode = v.picklist(['test', 'live'])
const Status = v.picklist(['PENDING', 'SUCCESS', 'FAILURE', 'CANCELLED', 'EXPIRED'])

/** A refusal as RFC 9457 has it, with the `error` and `field` members that clients read. */
export const Problem = v.object({
  title: v.string(),
  status: v.number(),
  detail: v.string(),
  error: v.string(),
  field: v.nullable(v.string()),
  /** Every invalid field, where there are some. */
  errors: v.optional(v.array(v.object({ field: v.string(), error: v.string() }))),
})
export type Problem = v.InferOutput<typeof Problem>

// Points of sale and their keys.

/** A point of sale, also the answer of `POST /pos/{id}`. `disabled` is when it was disabled, or null. */
export const PointOfSale = v.object({
  id: v.string(),
  name: v.string(),
  mode: Mode,
  signReturn: v.boolean(),
  created: v.string(),
  disabled: v.nullable(v.string()),
})
export type PointOfSale = v.InferOutput<typeof PointOfSale>

/** The answer of `POST /pos`: the only one that shows the API key. */
export const NewPointOfSaleCreated = v.object({
  ...PointOfSale.entries,
  apiKey: v.string(),
  signingSecret: v.string(),
})
export type NewPointOfSaleCreated = v.InferOutput<typeof NewPointOfSaleCreated>

/** The answer of `GET /pos`, oldest first. */
export const PointOfSaleList = v.object({ pointsOfSale: v.array(PointOfSale) })
export type PointOfSaleList = v.InferOutput<typeof PointOfSaleList>

/** The answer of `POST /pos/{id}/disable`. */
export const PointOfSaleDisabled = v.object({ id: v.string(), disabled: v.literal(true) })
export type PointOfSaleDisabled = v.InferOutput<typeof PointOfSaleDisabled>

/** The answer of `POST /pos/{id}/enable`. */
export const PointOfSaleEnabled = v.object({ id: v.string(), disabled: v.literal(false) })
export type PointOfSaleEnabled = v.InferOutput<typeof PointOfSaleEnabled>

/** The answer of `POST /pos/{id}/keys`: the only one that shows the API key. */
export const ApiKeyAdded = v.object({ id: v.string(), apiKey: v.string() })
export type ApiKeyAdded = v.InferOutput<typeof ApiKeyAdded>

/** The answer of `POST /pos/{id}/keys/revoke`: how many keys ended. */
export const ApiKeysRevoked = v.object({ id: v.string(), revoked: v.number() })
export type ApiKeysRevoked = v.InferOutput<typeof ApiKeysRevoked>

/**
 * The answer of `POST /pos/{id}/secret`: the newest secret, and when it was `made`. `repeated` says that a call before made
 * it. Until `formerUntil` the secret before signs `X-Signature`; null when it does not.
 */
export const SigningSecretRotated = v.object({
  id: v.string(),
  signingSecret: v.string(),
  made: v.exactOptional(v.string()),
  repeated: v.exactOptional(v.boolean()),
  formerUntil: v.exactOptional(v.nullable(v.string())),
})
export type SigningSecretRotated = v.InferOutput<typeof SigningSecretRotated>

// Payment routes of a point of sale.

/** The accounts that take a payment method (`*`: any other), in the order in which they are tried. */
export const PaymentRoute = v.object({ paymentMethod: v.string(), accounts: v.array(v.string()) })
export type PaymentRoute = v.InferOutput<typeof PaymentRoute>

/** The answer of `GET` and `POST /pos/{id}/routes`. `mode` is that of all its accounts; null when it has none. */
export const PaymentRouteList = v.object({
  pos: v.string(),
  mode: v.nullable(Mode),
  routes: v.array(PaymentRoute),
})
export type PaymentRouteList = v.InferOutput<typeof PaymentRouteList>

// PSPs, and accounts at them.

/** One of the texts that the credentials of an account consist of. */
export const CredentialField = v.object({ name: v.string(), description: v.string(), optional: v.boolean() })
export type CredentialField = v.InferOutput<typeof CredentialField>

/** The answer of `GET /psps`: the PSPs that accounts can be at. */
export const PspList = v.object({
  psps: v.array(v.object({ psp: v.string(), credentials: v.array(CredentialField) })),
})
export type PspList = v.InferOutput<typeof PspList>

/** An account. `sealingKey` says which key its credentials are sealed under. */
export const Account = v.object({
  id: v.string(),
  psp: v.string(),
  mode: Mode,
  sealingKey: v.string(),
  created: v.string(),
})
export type Account = v.InferOutput<typeof Account>

/** The answer of `GET /accounts`. */
export const AccountList = v.object({ accounts: v.array(Account) })
export type AccountList = v.InferOutput<typeof AccountList>

/** The answer of `POST /accounts/{id}/credentials`. */
export const CredentialsReplaced = v.object({ id: v.string(), psp: v.string(), mode: Mode })
export type CredentialsReplaced = v.InferOutput<typeof CredentialsReplaced>

/** The answer of `POST /accounts/{id}/check`: whether the credentials work, and if not, what the PSP told. */
export const AccountChecked = v.object({
  id: v.string(),
  result: v.picklist(['working', 'refused', 'unavailable']),
  message: v.nullable(v.string()),
})
export type AccountChecked = v.InferOutput<typeof AccountChecked>

/** The answer of `POST /accounts/{id}/remove`. */
export const AccountRemoved = v.object({ id: v.string(), removed: v.literal(true) })
export type AccountRemoved = v.InferOutput<typeof AccountRemoved>

/**
 * The answer of `POST /sealing/rotate`, of one page: of all `accounts`, the ids of those sealed anew and of those that could
 * not be; how many `copies` in KV were written. `next` is the `after` of the next page, or null at the end.
 */
export const SealingRotated = v.object({
  sealingKey: v.string(),
  resealed: v.array(v.string()),
  failed: v.array(v.string()),
  accounts: v.number(),
  copies: v.exactOptional(v.number()),
  next: v.exactOptional(v.nullable(v.string())),
})
export type SealingRotated = v.InferOutput<typeof SealingRotated>

/**
 * The answer of `GET /sealing`, of one page: of all `accounts`, the ids of those that are not under `sealingKey` in D1; of the
 * `copies` in KV that were looked at, the names of those that are not. `next` as above.
 */
export const SealingStatus = v.object({
  sealingKey: v.string(),
  accounts: v.number(),
  copies: v.number(),
  oldAccounts: v.array(v.string()),
  oldCopies: v.array(v.string()),
  next: v.nullable(v.string()),
})
export type SealingStatus = v.InferOutput<typeof SealingStatus>

// Payment jobs and their reports.

/** A payment job as the index has it, which may lag by seconds. */
export const ListedJob = v.object({
  id: v.string(),
  created: v.string(),
  pos: v.string(),
  account: v.string(),
  paymentMethod: v.string(),
  orderId: v.string(),
  orderNumber: v.string(),
  currency: v.string(),
  amount: v.string(),
  paid: v.string(),
  status: Status,
  updated: v.string(),
})
export type ListedJob = v.InferOutput<typeof ListedJob>

/** The answer of `GET /jobs`, newest first. `next` is the `after` of the next page, or null at the end. */
export const JobList = v.object({ jobs: v.array(ListedJob), next: v.nullable(v.string()) })
export type JobList = v.InferOutput<typeof JobList>

/** One line of a payment job's trace. The first has the `transactionId`. */
export const JobStep = v.object({
  creationDate: v.string(),
  transactionId: v.optional(v.string()),
  action: v.picklist(['Start', 'Return', 'Statuspull', 'Expire', 'Cancel', 'Refund', 'Chargeback']),
  status: Status,
  stage: v.optional(v.picklist(['underway', 'authorized'])),
  amountDue: v.string(),
  amountPaid: v.string(),
  amountRefunded: v.optional(v.string()),
  amountChargedBack: v.optional(v.string()),
})
export type JobStep = v.InferOutput<typeof JobStep>

/** The report of one revision, with every try. `due` is when a waiting one is tried next. */
export const JobReport = v.object({
  revision: v.number(),
  state: v.picklist(['waiting', 'delivered', 'dead']),
  due: v.nullable(v.string()),
  attempts: v.array(v.object({ at: v.string(), outcome: v.string() })),
})
export type JobReport = v.InferOutput<typeof JobReport>

/** The answer of `POST /jobs/{id}/refunds`: a refund that was asked for here. `error` says why it failed. */
export const JobRefund = v.object({
  refund: v.string(),
  paymentJob: v.string(),
  created: v.string(),
  currency: v.string(),
  amount: v.string(),
  description: v.string(),
  status: v.picklist(['PENDING', 'SUCCESS', 'FAILURE']),
  error: v.nullable(v.string()),
})
export type JobRefund = v.InferOutput<typeof JobRefund>

/** The answer of `GET /jobs/{id}` and `POST /jobs/{id}/resend`: as the POS reads it, with the account and the reports. */
export const JobDetail = v.object({
  paymentJob: v.string(),
  orderId: v.string(),
  orderNumber: v.string(),
  created: v.string(),
  lastUpdate: v.string(),
  language: v.string(),
  currency: v.string(),
  amountDue: v.string(),
  amountPaid: v.string(),
  amountRefunded: v.optional(v.string()),
  amountChargedBack: v.optional(v.string()),
  paymentMethod: v.string(),
  status: Status,
  payUrl: v.string(),
  attributes: v.object({ returnUrl: v.string(), reportUrl: v.string() }),
  payments: v.object({
    creationDate: v.string(),
    status: Status,
    amountDue: v.string(),
    amountPaid: v.string(),
    steps: v.array(JobStep),
  }),
  error: v.nullable(v.string()),
  pos: v.string(),
  account: v.string(),
  announcement: v.picklist(['due', 'announced', 'refused']),
  /** The PSP's own id of the payment, once it is announced. */
  reference: v.nullable(v.string()),
  /** What a PENDING payment waits for, where that is not the customer. */
  stage: v.nullable(v.picklist(['underway', 'authorized'])),
  /** Whether money came after the job had ended. */
  late: v.boolean(),
  refunds: v.array(JobRefund),
  reports: v.array(JobReport),
})
export type JobDetail = v.InferOutput<typeof JobDetail>

/** A job whose newest report was given up at `givenUp`. */
export const UndeliveredReport = v.object({
  paymentJob: v.string(),
  pos: v.string(),
  orderNumber: v.string(),
  status: Status,
  givenUp: v.string(),
})
export type UndeliveredReport = v.InferOutput<typeof UndeliveredReport>

/** The answer of `GET /reports/undelivered`, oldest first, 200 at most. */
export const UndeliveredReportList = v.object({ undelivered: v.array(UndeliveredReport) })
export type UndeliveredReportList = v.InferOutput<typeof UndeliveredReportList>

/** The answer of `POST /reports/resend`, of one page. `next` is the `from` of the next page, or null at the end. */
export const ReportsResent = v.object({ resent: v.number(), next: v.nullable(v.string()) })
export type ReportsResent = v.InferOutput<typeof ReportsResent>

// The index of jobs, and what was purged.

/** The answer of `GET /index/days`: the days (UTC) that jobs were created on. */
export const IndexDays = v.object({ days: v.array(v.string()) })
export type IndexDays = v.InferOutput<typeof IndexDays>

/**
 * The answer of `GET /index/{day}/verify` and `POST /index/{day}/rebuild`, of one page: how many jobs were looked at, and
 * the ids of those whose row was wrong. `next` is the `after` of the next page, or null at the end.
 */
export const IndexPage = v.object({
  jobs: v.number(),
  wrong: v.array(v.string()),
  next: v.nullable(v.string()),
})
export type IndexPage = v.InferOutput<typeof IndexPage>

/** The answer of `GET /retention`: after how many days a job is purged, and how many were, by day. */
export const Retention = v.object({
  days: v.number(),
  forgotten: v.array(v.object({ day: v.string(), objects: v.number(), rows: v.number() })),
})
export type Retention = v.InferOutput<typeof Retention>
