import { Account } from './profile.ts'
import { isAccountId } from '../contract/ids.ts'
import { storedShape } from '../platform/stored.ts'
import { accountById } from './accounts.ts'
import { kvCopies, writeCopy } from './copies.ts'
import { bounded } from '../platform/bounded.ts'

export const accountCopy = storedShape(Account)
function contentsOf({ sealed }: Account): string {
  return sealed
}
const copies = kvCopies('account', accountCopy, contentsOf)

/** Seconds until an account that was not found is looked for again. One that was added elsewhere works after that. */
export const MISS_SECONDS = 10
const misses = bounded<true>(MISS_SECONDS * 1000)

/**
 * An account that an operator added, from KV, and from D1 where KV has none. Null for an unknown id: neither is asked for a
 * text that can be none, nor again within seconds for one that was not found.
 */
export async function readAccount(env: Env, id: string): Promise<Account | null> {
  if (!isAccountId(id) || misses.get(id)) return null
  const account = await copies.read(env.TOKENS, id, () => accountById(env.DB, id))
  if (!account) misses.set(id, true)
  return account
}

/** Writes an account's copy; what the registry knows of it besides stays there. */
export async function publishAccount(kv: KVNamespace, { id, psp, mode, sealed }: Account): Promise<void> {
  await copies.publish(kv, id, { id, psp, mode, sealed })
  misses.delete(id)
}

/** Takes an account's copy away. A text that can be no id has none. */
export async function withdrawAccount(kv: KVNamespace, id: string): Promise<void> {
  if (isAccountId(id)) await copies.withdraw(kv, id)
}

/** Writes the copy of an account from D1, or takes it away when D1 has the account no more. */
export function refreshAccount(env: Env, id: string): Promise<void> {
  return writeCopy(`account:${id}`, {
    read: () => accountById(env.DB, id),
    write: (account) => publishAccount(env.TOKENS, account),
    remove: () => withdrawAccount(env.TOKENS, id),
    contents: contentsOf,
  })
}
