import * as v from 'valibot'
import { type Operations, done, LOOK } from './operation.ts'
import { NEXT, openRange, pageLimit } from './queries.ts'

/** Values before or after a change, by name. None is a secret. */
const Values = v.record(
  v.string(),
  v.union([v.string(), v.pipe(v.number(), v.integer()), v.boolean(), v.null(), v.array(v.string())]),
)

/**
 * An entry of the audit log. A change has two entries. The first is `begun`, before the hub makes
 * the change; its `after` has the values that the operator wants. The second is `done`, `refused`
 * or `failed`; its `of` is the number of the first. `token` is the id of the token that the
 * operator sent, or empty. `hash` covers `previous` and the rest of the entry (docs/audit.md).
 */
export const AuditEntry = v.object({
  number: v.pipe(v.number(), v.integer()),
  at: v.string(),
  by: v.string(),
  role: v.string(),
  via: v.string(),
  token: v.string(),
  action: v.string(),
  subject: v.string(),
  result: v.picklist(['begun', 'done', 'refused', 'failed']),
  of: v.nullable(v.pipe(v.number(), v.integer())),
  request: v.string(),
  before: v.nullable(Values),
  after: v.nullable(Values),
  previous: v.string(),
  hash: v.string(),
})
export type AuditEntry = v.InferOutput<typeof AuditEntry>

/**
 * The answer of `GET /audit`, newest first. `unreadable` has the numbers of all entries that the hub
 * cannot read, whether or not they match. `unfinished` has the numbers of `begun` entries without a
 * second entry: the change is under way, was cut off, or the hub could not record its end. `next` is the `after` of the next page, or null at the end. A page of a search may have few
 * entries, or none, and still a `next`.
 */
export const AuditList = v.object({
  entries: v.array(AuditEntry),
  unfinished: v.array(v.number()),
  unreadable: v.array(v.number()),
  next: v.nullable(v.string()),
})
export type AuditList = v.InferOutput<typeof AuditList>

/**
 * The answer of `GET /audit/verify`, for one page: how many entries are valid, the numbers of
 * `unfinished` entries as in a list, the first wrong entry with the reason, and the last right
 * entry (`head`; null before the first entry). `next` is the `after` of the next page, or null at
 * the end.
 */
export const AuditVerified = v.object({
  entries: v.number(),
  unfinished: v.array(v.number()),
  wrong: v.nullable(v.object({ number: v.number(), reason: v.string() })),
  head: v.nullable(v.object({ number: v.number(), hash: v.string() })),
  next: v.nullable(v.string()),
})
export type AuditVerified = v.InferOutput<typeof AuditVerified>

const afterEntry = v.optional(
  v.pipe(
    v.string(),
    v.description(NEXT),
    v.regex(/^\d{1,15}$/, 'must be the number of an entry'),
    v.transform(Number),
  ),
)

function word(description: string) {
  return v.optional(v.pipe(v.string(), v.description(description)))
}

export const AUDIT_OPERATIONS = {
  listAudit: {
    ...LOOK,
    path: '/operator/v1/audit',
    summary: "List the operators' changes, newest first",
    query: v.object({
      ...openRange,
      by: word('By this operator.'),
      action: word('Of this kind, such as `pos.route`.'),
      subject: word('Of this point of sale, account or job: its id, or the name of the point of sale.'),
      limit: pageLimit,
      after: afterEntry,
    }),
    answer: done(AuditList),
  },
  verifyAudit: {
    ...LOOK,
    path: '/operator/v1/audit/verify',
    summary: 'Recompute a page of the chain of the audit log',
    description: 'Compares it with the daily heads, which are stored apart from it.',
    query: v.object({ after: afterEntry }),
    answer: done(AuditVerified),
  },
  exportAudit: {
    ...LOOK,
    path: '/operator/v1/audit/export',
    audit: { action: 'export.audit', keeps: ['from', 'to'] },
    summary: 'Export the audit log, oldest first',
    description: 'One entry a line.',
    query: v.object(openRange),
    answer: {
      status: 200,
      description: 'The entries.',
      files: { 'application/x-ndjson': 'One JSON object (`AuditEntry`) a line, the oldest first.' },
    },
  },
} as const satisfies Operations
