import type { AuditEntry, AuditList } from '../../src/operator-api/contract/audit.ts'
import { operate } from '../support/operator.ts'

/** What a search of the audit log finds. */
export const searchAudit = async (query: Record<string, string>): Promise<AuditList> =>
  (await operate('GET', `/audit?${new URLSearchParams(query)}`)).json()

/** What the log has of a thing, oldest first. */
export const entriesAbout = async (subject: string): Promise<AuditEntry[]> =>
  (await searchAudit({ subject, limit: '200' })).entries.toReversed()
