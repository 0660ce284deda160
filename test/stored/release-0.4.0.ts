import * as v from 'valibot'
import { RELEASE_0_1_0 } from './release-0.1.0.ts'
import { RELEASE_0_2_0 } from './release-0.2.0.ts'
import { RELEASE_0_3_0 } from './release-0.3.0.ts'

/** What release 0.4.0 could read, copied from it: what 0.3.0 could, and what came with it. It never changes. */
const Integer = v.pipe(v.number(), v.safeInteger(), v.minValue(0))

const Due = v.object({
  is: v.literal('due'),
  tries: Integer,
  at: Integer,
  accountRefused: v.exactOptional(v.literal(true)),
})
const Announced = v.object({ is: v.literal('announced'), reference: v.string(), checkoutUrl: v.string() })

const Attempt = v.object({
  at: Integer,
  outcome: v.string(),
  milliseconds: v.exactOptional(Integer),
  answer: v.exactOptional(v.string()),
})

const Job = v.object({
  ...RELEASE_0_3_0.job.entries,
  announcement: v.variant('is', [Due, Announced, v.object({ is: v.literal('refused') })]),
  reports: v.array(
    v.object({ ...RELEASE_0_2_0.job.entries.reports.item.entries, attempts: v.array(Attempt) }),
  ),
  passedOver: v.exactOptional(v.array(v.string())),
  cancelledBy: v.exactOptional(v.picklist(['shop', 'operator'])),
  unanswered: v.exactOptional(
    v.object({
      is: v.picklist(['silent', 'refused', 'unknown']),
      since: Integer,
      last: Integer,
      pulls: Integer,
      message: v.string(),
    }),
  ),
  asked: v.exactOptional(
    v.object({
      milliseconds: v.exactOptional(Integer),
      silent: v.exactOptional(v.array(v.string())),
      skipped: v.exactOptional(
        v.array(v.object({ account: v.string(), why: v.picklist(['silent', 'slow']), since: Integer })),
      ),
    }),
  ),
})

const [RowMessage, PurgeMessage] = RELEASE_0_1_0['index-message'].options
const JobRow = v.object({
  ...RowMessage.entries.row.entries,
  reference: v.optional(v.nullable(v.string()), null),
  announcement: v.optional(v.nullable(v.picklist(['due', 'announced', 'refused'])), null),
  owedSince: v.optional(v.nullable(v.number()), null),
  paidAfter: v.optional(v.nullable(v.number()), null),
  announcedIn: v.optional(v.nullable(v.number()), null),
  missedAt: v.optional(v.nullable(v.string()), null),
})

const WeatherChange = v.object({
  account: v.string(),
  method: v.string(),
  is: v.picklist(['well', 'slow', 'silent']),
  since: v.number(),
  until: v.number(),
  at: v.number(),
})

const AuditValues = v.record(
  v.string(),
  v.union([v.string(), v.number(), v.boolean(), v.null(), v.array(v.string())]),
)

export const RELEASE_0_4_0 = {
  ...RELEASE_0_3_0,
  job: Job,
  'index-message': v.union([
    v.object({ row: JobRow, listed: v.boolean() }),
    v.object({
      forgotten: v.object({
        ...PurgeMessage.entries.forgotten.entries,
        sequence: v.exactOptional(v.number()),
      }),
    }),
  ]),
  'profile-refresh-message': v.object({
    pos: v.string(),
    account: v.exactOptional(v.string()),
    weather: v.exactOptional(WeatherChange),
  }),
  'alert-message': v.object({
    id: v.string(),
    type: v.picklist(['alert.begun', 'alert.lasts', 'alert.ended', 'alert.test']),
    alert: v.string(),
    kind: v.nullable(v.picklist(['shop-failing', 'account-failing'])),
    subject: v.string(),
    detail: v.string(),
    since: v.number(),
    at: v.number(),
  }),
  'weather-copy': v.object({ changes: v.array(WeatherChange) }),
  'audit-entry': v.object({
    by: v.string(),
    role: v.string(),
    via: v.string(),
    action: v.string(),
    subject: v.string(),
    result: v.picklist(['begun', 'done', 'refused', 'failed']),
    request: v.string(),
    before: v.nullable(AuditValues),
    after: v.nullable(AuditValues),
  }),
  snapshot: v.object({ ...RELEASE_0_3_0.snapshot.entries, refunding: v.exactOptional(v.string()) }),
}
