import { describe, expect, it } from 'vitest'
import { storedAuditEntry } from '../../src/audit/audit-chain.ts'
import { Fact } from '../../src/job/core/facts.ts'
import { fold, readEntry } from '../../src/job/core/journal.ts'
import { isIndexed, rowOf } from '../../src/job/core/row.ts'
import { represent } from '../../src/job/core/show.ts'
import { indexMessage, reportMessage } from '../../src/job/messages.ts'
import { storedTombstone } from '../../src/job/tombstone.ts'
import { batchOfIds } from '../../src/job-index/job-directory.ts'
import { sweepMessage } from '../../src/job-index/sweeps.ts'
import { alertMessage } from '../../src/monitoring/alert-rules.ts'
import { sha256 } from '../../src/platform/crypto/hash.ts'
import { backupMessage } from '../../src/operator-api/bucket-backup.ts'
import { breakerHint } from '../../src/psp/breakers.ts'
import { sealedContents } from '../../src/psp/connect.ts'
import { payoutMessage } from '../../src/psp/payout-messages.ts'
import { storedPayment, storedTerminal } from '../../src/psp/sandbox/sandbox-payment.ts'
import { tokenRecord } from '../../src/registry/access-token.ts'
import { notifiedAccount, unknownAccount } from '../../src/registry/account-notifications.ts'
import { accountCopy, profileCopy } from '../../src/registry/copies.ts'
import { knownKey } from '../../src/registry/api-keys.ts'
import { copyMessage } from '../../src/registry/publish-after.ts'
import FIRST from './journals-1.0.json'
import NEXT from './journals-1.1.json'
import STORED from './shapes-1.0.json'
import STORED_NEXT from './shapes-1.1.json'

/*
 * What release 1.0 stored, as it stored it. Every later release reads it as 1.0 did, so nothing here ever changes: a release that
 * stores something new adds a fixture of its own beside these. The journals of 1.1 have moves of money that name their payment,
 * rows by their digest, a member of an order that no release knows, money that pays no order, an entry that says what wrote it, and
 * what is wanted of a PSP as one kind of fact, and orders for a terminal. Its shapes have reserved money and terminals.
 */

type Journal = { entries: { facts: { is: string }[] }[] }
const JOURNALS: Record<string, Journal> = { ...FIRST, ...NEXT }

const SHAPES = {
  'report message': reportMessage,
  'index message': indexMessage,
  'copy message': copyMessage,
  'sweep message': sweepMessage,
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
const shapes = [STORED, STORED_NEXT]
  .flatMap((stored) => Object.entries<{ version: number }[]>(stored))
  .flatMap(([name, values]) => values.map((stored) => ({ name, stored })))

it.each(shapes)(
  'a stored $name is read as it was written: $stored',
  ({ name, stored: { version, ...value } }) => {
    const shape = Object.entries(SHAPES).find(([known]) => known === name)?.[1]
    expect(shape?.read({ version, ...value })).toMatchObject({ ok: true, value })
  },
)

it('every stored shape has a fixture', () => {
  expect(Object.keys({ ...STORED, ...STORED_NEXT }).toSorted()).toEqual(Object.keys(SHAPES).toSorted())
  const made = Object.values(SOURCES).flatMap((source) => source.match(/= storedShape\(/g) ?? [])
  expect(made).toHaveLength(Object.keys(SHAPES).length)
})

/** Reads the entries of a journal. What 1.0 made of its own is in test/rehearsal. */
function readAll(entries: readonly object[]) {
  return entries.map((entry, place) => readEntry(place + 1, entry))
}

it.each(Object.entries(JOURNALS))('the journal of %s is read without losing anything', (_, { entries }) => {
  expect(readAll(entries)).toEqual(
    entries.map((entry, place) => ({ ok: true, value: { number: place + 1, ...entry } })),
  )
})

describe.each(Object.entries(NEXT))(
  'the journal of a payment: %s',
  (_, { entries, shown, row, ...besides }) => {
    const job = fold(readAll(entries).flatMap((entry) => (entry.ok ? [entry.value] : [])))

    it('folds to what shops and operators were shown', () => {
      expect(job && represent(job)).toEqual(shown)
      // A row knows the newest entry, and so the newest step.
      const { sequence, updated, ...seen } = row
      expect(job && rowOf(job)).toMatchObject(seen)
      expect(job && [rowOf(job).sequence >= sequence, rowOf(job).updated >= updated]).toEqual([true, true])
    })

    it('owes no row that was written, and each that was not', () => {
      expect(job && isIndexed(job)).toBe('isIndexed' in besides ? besides.isIndexed : false)
    })
  },
)

it('every kind of fact is in one of the journals', () => {
  const told = Object.values(JOURNALS).flatMap(({ entries }) =>
    entries.flatMap(({ facts }) => facts.map(({ is }) => is)),
  )
  expect([...new Set(told)].toSorted()).toEqual(
    Fact.options.map(({ entries }) => entries.is.literal).toSorted(),
  )
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
