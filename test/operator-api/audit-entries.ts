import type { AuditEntry, AuditList } from '../../src/contract/audit.ts'
import { answerTo } from '../support/operator.ts'

/** What a search of the audit log finds. */
export async function searchAudit(query: Record<string, string>): Promise<AuditList> {
  return answerTo('GET', `/audit?${new URLSearchParams(query)}`)
}

/** What the log has of a thing, oldest first. */
export async function entriesAbout(subject: string): Promise<AuditEntry[]> {
  return (await searchAudit({ subject, limit: '200' })).entries.toReversed()
}
