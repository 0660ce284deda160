import { and, asc, count, eq, gt } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/d1'
import { accountCopy, readJson, profileCopy } from './copies.ts'
import { pointsOfSale, pspAccounts } from './schema.ts'

/** A record with sealed credentials: an account, or a live point of sale, whose copy has them. */
export type SealedRecord = { is: 'account' | 'pos'; id: string }

/** Reads a page of these records, accounts first. `next` is where to go on; `accounts` counts all accounts. */
export async function sealedRecords(
  database: D1Database,
  after: SealedRecord | null,
  limit: number,
): Promise<{ records: SealedRecord[]; next: SealedRecord | null; accounts: number }> {
  const db = drizzle(database)
  const afterAccount = after?.is === 'account' ? after.id : ''
  const afterPos = after?.is === 'pos' ? after.id : ''
  const [accounts, live, [total]] = await db.batch([
    db
      .select({ id: pspAccounts.id })
      .from(pspAccounts)
      .where(gt(pspAccounts.id, afterAccount))
      .orderBy(asc(pspAccounts.id))
      .limit(limit),
    db
      .select({ id: pointsOfSale.id })
      .from(pointsOfSale)
      .where(and(eq(pointsOfSale.mode, 'live'), gt(pointsOfSale.id, afterPos)))
      .orderBy(asc(pointsOfSale.id))
      .limit(limit),
    db.select({ accounts: count() }).from(pspAccounts),
  ])
  const records: SealedRecord[] = [
    ...(after?.is === 'pos' ? [] : accounts.map(({ id }) => ({ is: 'account' as const, id }))),
    ...live.map(({ id }) => ({ is: 'pos' as const, id })),
  ].slice(0, limit)
  const next = records.length < limit ? null : (records.at(-1) ?? null)
  return { records, next, accounts: total?.accounts ?? 0 }
}

export function copyName({ is, id }: SealedRecord): string {
  return `${is}:${id}`
}

/** Reads the sealed credentials in a copy; null if there is none. Throws if KV does not answer. */
export async function sealsInCopy(
  kv: KVNamespace,
  record: SealedRecord,
): Promise<string[] | 'unreadable' | null> {
  const found = await readJson(kv, copyName(record))
  if (found === null) return null
  if (record.is === 'account') {
    const account = accountCopy.read(found)
    return account.ok ? [account.value.sealed] : 'unreadable'
  }
  const profile = profileCopy.read(found)
  return profile.ok ? profile.value.accounts.map(({ sealed }) => sealed) : 'unreadable'
}
