import { ACCOUNT_OPERATIONS } from './accounts.ts'
import { TERMINAL_OPERATIONS } from './account-terminals.ts'
import { AUDIT_OPERATIONS } from './audit.ts'
import { BACKUP_OPERATIONS } from './backup.ts'
import { BOOKS_OPERATIONS } from './books.ts'
import { REPORT_OPERATIONS } from './failing-reports.ts'
import { HUB_HEALTH_OPERATIONS } from './hub-health.ts'
import { INDEX_OPERATIONS } from './job-index.ts'
import { JOB_ACTION_OPERATIONS } from './job-actions.ts'
import { JOB_DETAIL_OPERATIONS } from './job-detail.ts'
import { JOB_EXPORT_OPERATIONS } from './job-export.ts'
import { JOB_SEARCH_OPERATIONS } from './job-search.ts'
import type { InputOf, Operation, Operations, OutputOf } from './operation.ts'
import { OPERATOR_ACCESS_OPERATIONS } from './operators.ts'
import { POINT_OF_SALE_OPERATIONS } from './points-of-sale.ts'

/** All operations for operators. Each group is declared in the file of its subject. */
export const OPERATOR_OPERATIONS = {
  ...OPERATOR_ACCESS_OPERATIONS,
  ...POINT_OF_SALE_OPERATIONS,
  ...ACCOUNT_OPERATIONS,
  ...TERMINAL_OPERATIONS,
  ...JOB_SEARCH_OPERATIONS,
  ...JOB_EXPORT_OPERATIONS,
  ...JOB_DETAIL_OPERATIONS,
  ...JOB_ACTION_OPERATIONS,
  ...REPORT_OPERATIONS,
  ...INDEX_OPERATIONS,
  ...HUB_HEALTH_OPERATIONS,
  ...AUDIT_OPERATIONS,
  ...BACKUP_OPERATIONS,
  ...BOOKS_OPERATIONS,
} as const satisfies Operations
export type OperatorOperations = typeof OPERATOR_OPERATIONS

/** What the callers of the table share: the name of an operation, its input and its answer. */
export type Name = keyof OperatorOperations
export type Input<Of extends Name> = InputOf<OperatorOperations[Of]>
export type AnswerOf<Of extends Name> = OutputOf<OperatorOperations[Of]>
/** The arguments after the name of an operation: none, if it needs no input. */
export type Arguments<Of extends Name> = object extends Input<Of> ? [input?: Input<Of>] : [input: Input<Of>]

/** The action of a row of the table. */
export type AuditAction = {
  [Of in Name]: OperatorOperations[Of] extends { audit: { action: infer Action } } ? Action : never
}[Name]

/**
 * The actions that the audit log can have. The hub records by itself that a PIN is locked, and, once the restore of the
 * log has ended, that.
 */
export const AUDIT_ACTIONS = [
  ...Object.values<Operation>(OPERATOR_OPERATIONS).flatMap(({ audit }) => audit?.action ?? []),
  'pos.pin-lock',
  'restore.audit',
]
