import type { AuditRecord, AuditValues } from '../audit/audit-chain.ts'
import type { Operator } from '../contract/operator.ts'
import { refuse, type Result } from '../contract/result.ts'
import type { Refusal } from '../platform/http/refusal.ts'
import { log } from '../platform/log.ts'
import { currentRequestId } from '../platform/request-context.ts'
import { auditLog } from '../audit/audit-log.ts'
import type { AnyReply } from './handler.ts'

/** A change that is to be made: by whom, which, to what, and what is wanted. */
export type Intent = { operator: Operator; action: string; subject: string; wanted: AuditValues | null }

/**
 * Makes a change between two entries of the audit log: that it has begun, and how it went. Nothing is changed that the log cannot
 * take. What is made and cannot be written any more is answered all the same: its first entry tells that it was begun.
 */
export async function audited(
  env: Env,
  { operator, action, subject, wanted }: Intent,
  make: () => Promise<Result<AnyReply, Refusal>>,
): Promise<Result<AnyReply, Refusal>> {
  const { name: by, role, via } = operator
  const change = { by, role, via, action, request: currentRequestId() }
  const of = await begin(env, { ...change, subject, result: 'begun', of: null, before: null, after: wanted })
  if (of === null) return refuse(unrecorded)
  const told = { ...change, subject, of, before: null, after: null }
  try {
    const made = await make()
    if (made.ok) {
      const difference = 'difference' in made.value ? made.value.difference : {}
      await end(env, { ...told, ...difference, result: 'done' })
      return made
    }
    await end(env, { ...told, after: { code: made.error.code }, result: 'refused' })
    return made
  } catch (error) {
    await end(env, { ...told, result: 'failed' })
    throw error
  }
}

const unrecorded: Refusal = {
  code: 'unavailable',
  detail: 'The audit log does not answer, and nothing is changed without it. Try again in a moment.',
  retryAfter: 2,
}

/** The number of the entry, or null where the log does not say that it has it. */
async function begin(env: Env, record: AuditRecord): Promise<number | null> {
  try {
    return (await auditLog(env).append(record)).number
  } catch (error) {
    log.fault('audit.unavailable', error, { action: record.action, by: record.by })
    return null
  }
}

/** The log takes an end once, so it may be told again. */
async function end(env: Env, record: AuditRecord, tries = 2): Promise<void> {
  const { action, by, subject, result, of } = record
  try {
    const { number, hash } = await auditLog(env).append(record)
    log.info('operator.changed', { action, by, subject, result, entry: number, hash })
  } catch (error) {
    if (tries > 1) return end(env, record, tries - 1)
    log.fault('audit.end-lost', error, { action, by, subject, result, entry: of })
  }
}
