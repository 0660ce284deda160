import { alertMessage } from '../../src/monitoring/alert-rules.ts'
import {
  indexMessage,
  profileRefreshMessage,
  reportMessage,
  sweepMessage,
} from '../../src/job/rules/messages.ts'
import { storedAuditEntry } from '../../src/audit/audit-chain.ts'
import type { StoredShape } from '../../src/platform/stored.ts'
import { sealedContents } from '../../src/psp/connect.ts'
import { storedJob, storedMoneyBack, storedOtherPayments } from '../../src/job/stored-job.ts'
import { storedTombstone } from '../../src/job/tombstone.ts'
import { storedPayment } from '../../src/sandbox/sandbox-payment.ts'
import { tokenRecord } from '../../src/registry/access-token.ts'
import { knownKey } from '../../src/registry/api-key-cache.ts'
import { accountCopy } from '../../src/registry/account-cache.ts'
import { weatherCopy } from '../../src/registry/weather-copy.ts'
import { profileCopy } from '../../src/registry/profile-cache.ts'
import { batchOfIds, readBatch } from '../../src/job-index/job-directory.ts'

/** A stored shape as tests see it: its present version, and what a stored value is read as. Throws on an unreadable one. */
export type Shape = { version: number; read: (stored: unknown) => unknown }

function shapeOf<Value>({ version, read }: StoredShape<Value>): Shape {
  return {
    version,
    read: (stored) => {
      const result = read(stored)
      if (!result.ok) throw new Error(result.error.detail)
      return result.value
    },
  }
}

/** Everything that outlives a process, by the name of its fixtures and of its part in docs/storage.md. */
export const SHAPES: Readonly<Record<string, Shape>> = {
  job: shapeOf(storedJob),
  'money-back': shapeOf(storedMoneyBack),
  'other-payments': shapeOf(storedOtherPayments),
  tombstone: shapeOf(storedTombstone),
  token: shapeOf(tokenRecord),
  profile: shapeOf(profileCopy),
  account: shapeOf(accountCopy),
  'api-key': shapeOf(knownKey),
  'report-message': shapeOf(reportMessage),
  'row-message': shapeOf(indexMessage),
  'purge-message': shapeOf(indexMessage),
  'profile-refresh-message': shapeOf(profileRefreshMessage),
  'weather-copy': shapeOf(weatherCopy),
  'sweep-message': shapeOf(sweepMessage),
  'alert-message': shapeOf(alertMessage),
  'directory-batch': { version: batchOfIds.version, read: readBatch },
  'audit-entry': shapeOf(storedAuditEntry),
  'sandbox-payment': shapeOf(storedPayment),
  'account-contents': shapeOf(sealedContents),
}
