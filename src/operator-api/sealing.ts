import { keyIdOf, seal, sealingKeyId, unseal } from '../crypto/seal.ts'
import { json } from '../http/respond.ts'
import type { Handler } from '../http/routes.ts'
import { log } from '../log.ts'
import { type AccountRow, listAccounts, posRoutedTo, resealAccount } from '../storage/d1/accounts.ts'
import { publishAccount } from '../storage/kv/account-cache.ts'
import { publishAfter } from '../storage/kv/refresh-profile.ts'
import type { SealingRotated } from './contract.ts'

/**
 * `POST /operator/v1/sealing/rotate`: seals every account anew under the first key of `SEALING_KEY`. What is under it
 * already stays, so it may be called again after a fault.
 */
export const rotateSealing: Handler = async (_, { env }) => {
  const key = await sealingKeyId(env.SEALING_KEY)
  const accounts = await listAccounts(env.DB)
  const old = accounts.filter(({ sealed }) => keyIdOf(sealed) !== key)
  const done = await Promise.all(
    old.map(async (account) => ((await sealAnew(env, account)) ? account.id : null)),
  )
  const resealed = done.filter((id) => id !== null)
  const pointsOfSale = new Set((await Promise.all(resealed.map((id) => posRoutedTo(env.DB, id)))).flat())
  await publishAfter(env, [...pointsOfSale], async () => undefined)
  const failed = old.map(({ id }) => id).filter((id) => !resealed.includes(id))
  return json({ sealingKey: key, resealed, failed, accounts: accounts.length } satisfies SealingRotated)
}

/** False for an account whose key is no longer there: its credentials must be given anew. */
const sealAnew = async (env: Env, account: AccountRow): Promise<boolean> => {
  try {
    const contents = await unseal(env.SEALING_KEY, account.id, account.sealed)
    const sealed = await seal(env.SEALING_KEY, account.id, contents)
    if (await resealAccount(env.DB, account.id, sealed, account.sealed)) {
      await publishAccount(env.TOKENS, { ...account, sealed })
    }
    return true
  } catch (error) {
    log.fault('sealing.failed', error, { account: account.id })
    return false
  }
}
