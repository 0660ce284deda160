import { accountById } from '../d1/accounts.ts'
import { Account } from '../../domain/account.ts'
import { kvCopies } from './copies.ts'

const copies = kvCopies('account', Account)

/** An account by its id, from KV, and from D1 where KV has none. Null for an unknown id. */
export const accountOf = async (env: Env, id: string): Promise<Account | null> =>
  (await copies.read(env.TOKENS, id)) ?? accountById(env.DB, id)

export const publishAccount = (kv: KVNamespace, account: Account): Promise<void> =>
  copies.publish(kv, account.id, account)

export const withdrawAccount = (kv: KVNamespace, id: string): Promise<void> => copies.withdraw(kv, id)
