import { BEFORE_ALL } from '../audit/audit-chain.ts'
import { headsAfter } from '../audit/audit-heads.ts'
import { auditLog, verifyChain } from '../audit/audit-log.ts'
import { jsonLine } from '../contract/json-lines.ts'
import { advice } from '../contract/nearest.ts'
import { AUDIT_ACTIONS } from '../contract/operator-operations.ts'
import { ok } from '../contract/result.ts'
import { invalidField } from '../platform/http/refusal.ts'
import { reply } from '../platform/http/operations.ts'
import { timeOf, posNamed } from './read-query.ts'
import { exportBody } from './exported-file.ts'
import type { OperatorHandler } from './serve.ts'

/** The most entries that one call of the object reads. */
const MOST_ENTRIES = 1000
/** The most entries that one call checks. It is small because operators' changes wait for earlier calls. */
const MOST_CHECKED = 200
/** The bounds for a query without an end. A list begins with the newest entry. */
const [FIRST, LAST] = [0, Number.MAX_SAFE_INTEGER]

export const listAudit: OperatorHandler<'listAudit'> = async ({ env, config, query }) => {
  const time = timeOf(query, config.timeZone)
  if (!time.ok) return time
  const { from = FIRST, to = LAST } = time.value
  const { after: before = LAST, by = null, action = null, limit } = query
  if (action !== null && !AUDIT_ACTIONS.includes(action))
    return invalidField('action', `is not an action of the log: ${advice(action, AUDIT_ACTIONS)}`)
  const subject = query.subject === undefined ? null : await subjectNamed(env, query.subject)
  const found = await auditLog(env).search({ before, from, to, by, action, subject, limit })
  return reply({ ...found, next: textOf(found.next) })
}

/** Returns the id of a shop that a text names, because the log has ids; any other text unchanged. */
async function subjectNamed(env: Env, text: string): Promise<string> {
  const [pos, another] = await posNamed(env.DB, text)
  return pos && !another ? pos.id : text
}

export const verifyAudit: OperatorHandler<'verifyAudit'> = async ({ env, query: { after = FIRST } }) => {
  const checked = await verifyChain(auditLog(env), after, await headsAfter(env.DB, after), MOST_CHECKED)
  const head = checked.head.hash === BEFORE_ALL.hash ? null : checked.head
  return reply({ ...checked, head, next: textOf(checked.next) })
}

export const exportAudit: OperatorHandler<'exportAudit'> = async ({ env, config, query }) => {
  const time = timeOf(query, config.timeZone)
  if (!time.ok) return time
  const { from = FIRST, to = LAST } = time.value
  const body = await exportBody(linesOf(env, from, to))
  return ok(new Response(body, { headers: { 'content-type': 'application/x-ndjson' } }))
}

const linesOf = async function* (env: Env, from: number, to: number): AsyncGenerator<string> {
  for (let after = 0; ;) {
    const page = await auditLog(env).page(after, from, to, MOST_ENTRIES)
    yield page.map(jsonLine).join('')
    if (page.length < MOST_ENTRIES) return
    after = page.at(-1)?.number ?? 0
  }
}

function textOf(number: number | null): string | null {
  return number === null ? null : String(number)
}
