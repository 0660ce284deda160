import { HEALTH_OPERATIONS } from './health-operations.ts'
import type { Operation } from './operation.ts'
import { OPERATOR_HEALTH_OPERATIONS } from './operator-health-operations.ts'
import { OPERATOR_AUDIT_OPERATIONS } from './operator-audit-operations.ts'
import { OPERATOR_JOB_OPERATIONS } from './operator-job-operations.ts'
import { OPERATOR_ACCESS_OPERATIONS } from './operator-access-operations.ts'
import { OPERATOR_SETUP_OPERATIONS } from './operator-setup-operations.ts'
import { POS_OPERATIONS } from './pos-operations.ts'

/** All that the hub does for points of sale and for its operator, and for monitors. */
export const OPERATIONS: readonly Operation[] = [
  ...POS_OPERATIONS,
  ...OPERATOR_ACCESS_OPERATIONS,
  ...OPERATOR_SETUP_OPERATIONS,
  ...OPERATOR_JOB_OPERATIONS,
  ...HEALTH_OPERATIONS,
  ...OPERATOR_HEALTH_OPERATIONS,
  ...OPERATOR_AUDIT_OPERATIONS,
]
