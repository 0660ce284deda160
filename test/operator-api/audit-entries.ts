import type { AuditEntry, AuditList } from '../../src/contract/audit.ts'
import { answerTo } from '../support/hub/operator.ts'

/** The result of a search of the audit log. */
export async function searchAudit(query: Record<string, string>): Promise<AuditList> {
  return answerTo('GET', `/audit?${new URLSearchParams(query)}`)
}

/** The log's entries about a subject, oldest first. */
export async function entriesAbout(subject: string): Promise<AuditEntry[]> {
  return (await searchAudit({ subject, limit: '200' })).entries.toReversed()
}
