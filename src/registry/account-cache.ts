import { Account } from './profile.ts'
import { isAccountId } from '../contract/ids.ts'
import { storedShape } from '../platform/stored.ts'
import { accountById } from './accounts.ts'
import { kvCopies } from './copies.ts'
import { bounded } from '../platform/bounded.ts'

export const accountCopy = storedShape(Account)
const copies = kvCopies('account', accountCopy)

/** Seconds until the hub looks again for an account that it did not find. */
export const MISS_SECONDS = 10
const misses = bounded<true>(MISS_SECONDS * 1000)

/**
 * An account that an operator added, from KV, or from D1 where KV has none. Returns null for an
 * unknown id; neither is asked for a text that is no id, or again at once for one that was not
 * found.
 */
export async function readAccount(env: Env, id: string): Promise<Account | null> {
  if (!isAccountId(id) || misses.get(id)) return null
  const account = await copies.read(env.TOKENS, id, () => accountById(env.DB, id))
  if (!account) misses.set(id, true)
  return account
}

/** Writes an account's copy, without what only the registry needs. */
export async function publishAccount(kv: KVNamespace, { id, psp, mode, sealed }: Account): Promise<void> {
  await copies.publish(kv, id, { id, psp, mode, sealed })
  misses.delete(id)
}

/** Takes an account's copy away. */
export async function withdrawAccount(kv: KVNamespace, id: string): Promise<void> {
  if (isAccountId(id)) await copies.withdraw(kv, id)
}

/** Writes the copy of an account from D1, or takes it away when D1 no longer has the account. */
export async function refreshAccount(env: Env, id: string): Promise<void> {
  if (isAccountId(id)) await copies.refresh(env.TOKENS, id, () => accountById(env.DB, id))
  misses.delete(id)
}
