import { expect, it } from 'vitest'
import { storedAuditEntry } from '../../src/audit/audit-chain.ts'
import { indexMessage, reportMessage } from '../../src/job/messages.ts'
import { storedTombstone } from '../../src/job/tombstone.ts'
import { batchOfIds } from '../../src/job-index/job-directory.ts'
import { indexEdition } from '../../src/job-index/release-rows.ts'
import { sweepMessage } from '../../src/job-index/sweep-message.ts'
import { alertMessage } from '../../src/monitoring/alert-rules.ts'
import { sha256 } from '../../src/platform/crypto/hash.ts'
import { backupMessage } from '../../src/backup/daily-backup.ts'
import { breakerHint } from '../../src/psp/health/breakers.ts'
import { sealedContents } from '../../src/psp/connect.ts'
import { payoutMessage } from '../../src/psp/payouts/payout-messages.ts'
import { storedPayment, storedTerminal } from '../../src/psp/sandbox/sandbox-payment.ts'
import { tokenRecord } from '../../src/registry/access-token.ts'
import { notifiedAccount, unknownAccount } from '../../src/registry/account-notifications.ts'
import { accountCopy, profileCopy } from '../../src/registry/copies.ts'
import { knownKey } from '../../src/registry/api-keys.ts'
import { copyMessage } from '../../src/registry/publish-after.ts'
import STORED from './shapes-1.0.json'
import STORED_1_1 from './shapes-1.1.json'
import STORED_1_2 from './shapes-1.2.json'

/**
 * What release 1.0 stored, unchanged. Every later release reads it as 1.0 did; a release that stores
 * something new adds its own fixture. The shapes of 1.1 have reserved money and terminals. Journals are in
 * another file.
 */

const SHAPES = {
  'report message': reportMessage,
  'index message': indexMessage,
  'copy message': copyMessage,
  'sweep message': sweepMessage,
  'index edition': indexEdition,
  'payout message': payoutMessage,
  'alert message': alertMessage,
  'backup message': backupMessage,
  tombstone: storedTombstone,
  'directory batch': batchOfIds,
  token: tokenRecord,
  profile: profileCopy,
  'API key': knownKey,
  account: accountCopy,
  'account contents': sealedContents,
  'breaker hint': breakerHint,
  'audit entry': storedAuditEntry,
  'sandbox payment': storedPayment,
  'sandbox terminal': storedTerminal,
  'notified account': notifiedAccount,
  'unknown account': unknownAccount,
}

// No type argument here: with one, Vitest keeps the list of files of an earlier run.
const SOURCES: Record<string, string> = import.meta.glob('../../src/**/*.ts', {
  query: '?raw',
  import: 'default',
  eager: true,
})
const MIGRATIONS: Record<string, string> = import.meta.glob('../../migrations/*.sql', {
  query: '?raw',
  import: 'default',
  eager: true,
})
const ALL = [STORED, STORED_1_1, STORED_1_2]
const shapes = ALL.flatMap((stored) => Object.entries<{ version: number }[]>(stored)).flatMap(
  ([name, values]) => values.map((stored) => ({ name, stored })),
)

it.each(shapes)(
  'a stored $name is read as it was written: $stored',
  ({ name, stored: { version, ...value } }) => {
    const shape = Object.entries(SHAPES).find(([known]) => known === name)?.[1]
    expect(shape?.read({ version, ...value })).toMatchObject({ ok: true, value })
  },
)

it('every stored shape has a fixture', () => {
  expect(Object.keys(Object.assign({}, ...ALL)).toSorted()).toEqual(Object.keys(SHAPES).toSorted())
  const made = Object.values(SOURCES).flatMap((source) => source.match(/= storedShape\(/g) ?? [])
  expect(made).toHaveLength(Object.keys(SHAPES).length)
})

it('a migration that was applied never changes', async () => {
  const hashes = await Promise.all(
    Object.entries(MIGRATIONS).map(async ([path, text]) => [path.split('/').at(-1), await sha256(text)]),
  )
  expect(Object.fromEntries(hashes)).toMatchObject({
    '0001_hub.sql': '1fc3798a5d1438821c7cb2a90ff7d37aafad25268aa2bd81eb8a0b0d4dba98d9',
    '0002_account_currencies.sql': '19d93a04d5787dc829504d2a4b73df890daeb11c30b02de8a5064165c01853cc',
  })
})
