import * as v from 'valibot'
import { BEFORE_ALL } from '../audit/audit-chain.ts'
import { ok } from '../platform/result.ts'
import { invalid } from '../platform/http/invalid.ts'
import { json } from '../platform/http/respond.ts'
import type { Handler } from '../platform/http/routes.ts'
import { headsAfter } from '../audit/audit-heads.ts'
import { auditLog } from '../audit/audit-log.ts'
import type { AuditList, AuditVerified } from './contract/audit.ts'
import { exportBody } from './export-body.ts'
import { Instant } from './instant.ts'

/** Entries that are looked at in one call of the object. */
const MOST_ENTRIES = 1000

const NUMBER = 'must be the number of an entry'
const After = v.pipe(v.string(), v.regex(/^\d{1,15}$/, NUMBER), v.transform(Number))
const LIMIT = 'must be a number from 1 to 200'
const Limit = v.pipe(
  v.string(),
  v.regex(/^\d{1,3}$/, LIMIT),
  v.toNumber(),
  v.minValue(1, LIMIT),
  v.maxValue(200, LIMIT),
)
/** Without them it is from ever, to ever. */
const Range = {
  from: v.optional(Instant, '1970-01-01T00:00:00Z'),
  to: v.optional(Instant, '9999-12-31T00:00:00Z'),
}
const Words = v.optional(v.nullable(v.string()), null)

const Search = v.object({
  ...Range,
  by: Words,
  action: Words,
  subject: Words,
  limit: v.optional(Limit, '50'),
  after: v.optional(After, '9'.repeat(15)),
})

function queryOf(request: Request) {
  return Object.fromEntries(new URL(request.url).searchParams)
}

/** `GET /operator/v1/audit?from&to&by&action&subject&limit&after`: entries, newest first; `to` is not in the time. */
export const listAudit: Handler = async (request, { env }) => {
  const query = v.safeParse(Search, queryOf(request))
  if (!query.success) return invalid(query.issues)
  const { after: before, ...search } = query.output
  const { entries, unfinished, next } = await auditLog(env).search({ ...search, before })
  return json({ entries, unfinished, next: textOf(next) } satisfies AuditList)
}

/** `GET /operator/v1/audit/verify?after`: recomputes a page of the chain, and compares it with the heads of days in D1. */
export const verifyAudit: Handler = async (request, { env }) => {
  const query = v.safeParse(v.object({ after: v.optional(After, '0') }), queryOf(request))
  if (!query.success) return invalid(query.issues)
  const { after } = query.output
  const checked = await auditLog(env).verify(after, await headsAfter(env.DB, after), MOST_ENTRIES)
  const head = checked.head.hash === BEFORE_ALL.hash ? null : checked.head
  return json({ ...checked, head, next: textOf(checked.next) } satisfies AuditVerified)
}

/** `GET /operator/v1/audit/export?from&to`: all entries of a time, oldest first, an entry a line. */
export const exportAudit: Handler = async (request, { env }) => {
  const query = v.safeParse(v.object(Range), queryOf(request))
  if (!query.success) return invalid(query.issues)
  const { from, to } = query.output
  const body = await exportBody(linesOf(env, from, to))
  return ok(new Response(body, { headers: { 'content-type': 'application/x-ndjson' } }))
}

const linesOf = async function* (env: Env, from: number, to: number): AsyncGenerator<string> {
  for (let after = 0; ;) {
    const page = await auditLog(env).page(after, from, to, MOST_ENTRIES)
    yield page.map((entry) => `${JSON.stringify(entry)}\n`).join('')
    if (page.length < MOST_ENTRIES) return
    after = page.at(-1)?.number ?? 0
  }
}

function textOf(number: number | null): string | null {
  return number === null ? null : String(number)
}
