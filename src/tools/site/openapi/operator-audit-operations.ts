import { type Operation, query } from './operation.ts'
import { AFTER, get } from './operator-operation.ts'

const INSTANT = { type: 'string', format: 'date-time' }
const RANGE = [query('from', 'Not before this time.', INSTANT), query('to', 'Before this time.', INSTANT)]
const TEXT = { type: 'string' }

/** The audit log of what operators changed. */
export const OPERATOR_AUDIT_OPERATIONS: readonly Operation[] = [
  get('listAudit', '/audit', 'List what operators changed, newest first', 'AuditList', {
    parameters: [
      ...RANGE,
      query('by', 'By this operator.', TEXT),
      query('action', 'Of this kind, such as `pos.route`.', TEXT),
      query('subject', 'Of this point of sale, account or job.', TEXT),
      query('limit', 'How many entries, at most.', {
        type: 'integer',
        minimum: 1,
        maximum: 200,
        default: 50,
      }),
      AFTER,
    ],
    problems: ['fields-invalid'],
  }),
  get('verifyAudit', '/audit/verify', 'Recompute a page of the chain of the audit log', 'AuditVerified', {
    description: 'Compares it with the heads of days, which are kept apart from it.',
    parameters: [AFTER],
    problems: ['fields-invalid'],
  }),
  get('exportAudit', '/audit/export', 'Export the audit log, oldest first', 'AuditEntry', {
    description: 'An entry a line.',
    answer: {
      status: 200,
      description: 'The entries.',
      files: {
        'application/x-ndjson': 'A JSON object (`AuditEntry`) on a line for each entry, the oldest first.',
      },
    },
    parameters: RANGE,
    problems: ['fields-invalid'],
  }),
]
