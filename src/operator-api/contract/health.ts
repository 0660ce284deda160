import * as v from 'valibot'

/** What the operator API answers about how the hub is. */

/** How one part is: `working`, `slow`, `failing`, or `unknown` where nothing could be found out. `message` says what was seen. */
export const PartHealth = v.object({
  part: v.string(),
  state: v.picklist(['working', 'slow', 'failing', 'unknown']),
  milliseconds: v.nullable(v.number()),
  message: v.nullable(v.string()),
})
export type PartHealth = v.InferOutput<typeof PartHealth>

/** How an account at a PSP is, as of its last look; `since` is when it came to be so. */
export const AccountHealth = v.object({
  account: v.string(),
  psp: v.string(),
  mode: v.picklist(['test', 'live']),
  state: v.picklist(['working', 'refused', 'unavailable', 'unknown']),
  since: v.nullable(v.string()),
  checked: v.nullable(v.string()),
  message: v.nullable(v.string()),
  /** Jobs that wait to be announced there. */
  waiting: v.number(),
})
export type AccountHealth = v.InferOutput<typeof AccountHealth>

/** A shop whose reports fail: how many jobs owe it one for more than a minute or were given up, and since when. */
export const FailingShop = v.object({
  pos: v.string(),
  name: v.string(),
  owed: v.number(),
  givenUp: v.number(),
  since: v.string(),
  /** What its receiver answered last. */
  lastOutcome: v.nullable(v.string()),
})
export type FailingShop = v.InferOutput<typeof FailingShop>

/** The answer of `GET /health`. `state` is that of the worst part that payments need. */
export const HubHealth = v.object({
  state: v.picklist(['working', 'impaired', 'failing']),
  version: v.string(),
  parts: v.array(PartHealth),
  accounts: v.array(AccountHealth),
  shops: v.array(FailingShop),
})
export type HubHealth = v.InferOutput<typeof HubHealth>

/** A job that owes its shop a report since `owedSince`. */
export const FailingReport = v.object({
  paymentJob: v.string(),
  pos: v.string(),
  name: v.string(),
  orderNumber: v.string(),
  status: v.picklist(['PENDING', 'SUCCESS', 'FAILURE', 'CANCELLED', 'EXPIRED']),
  owedSince: v.string(),
  givenUp: v.nullable(v.string()),
})
export type FailingReport = v.InferOutput<typeof FailingReport>

/** The answer of `GET /reports/failing`: by shop, and the jobs, oldest first. `next` is the `after` of the next page, or null. */
export const FailingReports = v.object({
  shops: v.array(FailingShop),
  reports: v.array(FailingReport),
  next: v.nullable(v.string()),
})
export type FailingReports = v.InferOutput<typeof FailingReports>

/** The answer of `GET /settings`: the settings of the hub as they are, no secret among them. */
export const Settings = v.object({
  version: v.string(),
  settings: v.array(v.object({ name: v.string(), value: v.string(), meaning: v.string() })),
})
export type Settings = v.InferOutput<typeof Settings>
