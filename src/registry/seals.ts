import type { SealedRecord } from './sealed.ts'
import { accountCopy } from './account-cache.ts'
import { profileCopy } from './profile-cache.ts'
import { readJson } from './read-json.ts'

/** The name of a copy in KV. */
export function copyName({ is, id }: SealedRecord): string {
  return `${is}:${id}`
}

/** The sealed credentials in a copy; null where KV has none. Throws when KV does not answer. */
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
