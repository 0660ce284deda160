import { Account } from '../../domain/account.ts'
import { storedShape } from '../../domain/stored.ts'
import { accountById } from '../d1/accounts.ts'
import { kvCopies } from './copies.ts'
import { writeCopy } from './write-copy.ts'

export const accountCopy = storedShape(Account)
const copies = kvCopies('account', accountCopy)

/** An account that an operator added, from KV, and from D1 where KV has none. Null for an unknown id. */
export const readAccount = (env: Env, id: string): Promise<Account | null> =>
  copies.read(env.TOKENS, id, () => accountById(env.DB, id))

/** Writes an account's copy; what the registry knows of it besides stays there. */
export const publishAccount = (kv: KVNamespace, { id, psp, mode, sealed }: Account): Promise<void> =>
  copies.publish(kv, id, { id, psp, mode, sealed })

export const withdrawAccount = (kv: KVNamespace, id: string): Promise<void> => copies.withdraw(kv, id)

/** Writes the copy of an account from D1, or takes it away when D1 has the account no more. */
export const refreshAccount = (env: Env, id: string): Promise<void> =>
  writeCopy(`account:${id}`, {
    read: () => accountById(env.DB, id),
    write: (account) => publishAccount(env.TOKENS, account),
    remove: () => withdrawAccount(env.TOKENS, id),
    contents: ({ sealed }) => sealed,
  })
