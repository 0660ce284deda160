import * as v from 'valibot'
import { seal, unseal } from '../crypto/seal.ts'
import { describeFault } from '../domain/fault.ts'
import { type Account, SANDBOX_ACCOUNT } from '../domain/account.ts'
import { ADAPTERS } from './adapters.ts'
import { unavailable } from './http-client.ts'
import { mollie } from './mollie/adapter.ts'
import type { Psp } from './port.ts'
import { sandboxConnection } from './sandbox.ts'

/** What an account has sealed. `endpoint` takes the place of the PSP's own address, in the local run only. */
const Contents = v.object({ credentials: v.unknown(), endpoint: v.exactOptional(v.string()) })
export type Contents = v.InferOutput<typeof Contents>

export const sealContents = (env: Env, account: string, contents: Contents): Promise<string> =>
  seal(env.SEALING_KEY, account, JSON.stringify(contents))

/**
 * Opens an account. `origin` is the hub's own, under which the sandbox's pages are. An account that cannot be opened
 * is logged, and is a PSP that does not answer: its payments wait instead of failing.
 */
export const connect = async (env: Env, account: Account, origin: string): Promise<Psp> => {
  try {
    if (account.psp === SANDBOX_ACCOUNT.psp) return mollie.open(await sandboxConnection(env, origin))
    const sealed = await unseal(env.SEALING_KEY, account.id, account.sealed)
    return open(env, account, v.parse(Contents, JSON.parse(sealed)))
  } catch (error) {
    console.error({ event: 'psp.account-unusable', account: account.id, error: describeFault(error) })
    return SILENT_PSP
  }
}

/** Opens an account with what it has sealed. Throws when the credentials are not of the PSP's form. */
export const open = (
  env: Env,
  { psp, mode }: Pick<Account, 'psp' | 'mode'>,
  { credentials, endpoint }: Contents,
): Psp => {
  const adapter = Object.hasOwn(ADAPTERS, psp) ? ADAPTERS[psp] : undefined
  if (!adapter) throw new Error(`unknown PSP ${psp}`)
  const elsewhere = endpoint !== undefined && env.LOOPBACK_URLS === 'allowed' ? { endpoint } : {}
  return adapter.open({ fetch: (request) => fetch(request), mode, credentials, ...elsewhere })
}

const silence = async () => unavailable('The account at the payment service provider cannot be used.')

export const SILENT_PSP: Psp = {
  announce: silence,
  pull: silence,
  stop: silence,
  readNotification: silence,
  accepted: 'OK',
  check: silence,
}
