import { accountById } from '../registry/accounts.ts'
import { Account } from '../registry/profile.ts'
import { published } from './published.ts'

const accountName = (id: string): string => `account:${id}`

/** An account by its id, from KV, and from D1 where KV has none. Null for an unknown id. */
export const accountOf = async (env: Env, id: string): Promise<Account | null> =>
  (await published(env.TOKENS, accountName(id), Account)) ?? accountById(env.DB, id)

export const publishAccount = async (kv: KVNamespace, { id, psp, mode, sealed }: Account): Promise<void> =>
  kv.put(accountName(id), JSON.stringify({ id, psp, mode, sealed }))

export const withdrawAccount = async (kv: KVNamespace, id: string): Promise<void> =>
  kv.delete(accountName(id))
