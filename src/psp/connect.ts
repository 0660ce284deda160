import * as v from 'valibot'
import { readConfig } from '../platform/config.ts'
import { seal, unseal } from '../platform/crypto/seal.ts'
import { type Account, SANDBOX_ACCOUNT } from '../registry/profile.ts'
import { UnreadableError, storedShape } from '../platform/stored.ts'
import { log } from '../platform/log.ts'
import { readAccount, readProfile } from '../registry/copies.ts'
import { adapterOf } from './adapters.ts'
import type { Unavailable, Way } from './answer.ts'
import { unavailable } from './http-client.ts'
import { HUB, pacedFetch } from './health/paces.ts'
import type { Fetch, Psp, Rail } from './port.ts'
import { openSandbox } from './sandbox/adapter.ts'

/** The sealed part of an account. `endpoint` replaces the PSP's address, only in the local run. */
const Contents = v.object({ credentials: v.unknown(), endpoint: v.exactOptional(v.string()) })
export type Contents = v.InferOutput<typeof Contents>
export const sealedContents = storedShape(Contents)

export function sealContents(env: Env, account: string, contents: Contents): Promise<string> {
  return seal(env.SEALING_KEY, account, JSON.stringify(sealedContents.write(contents)))
}

/** Finds an account by its id: the sandbox, or one that an operator added. Null for an unknown id. */
export async function findAccount(env: Env, id: string): Promise<Account | null> {
  return id === SANDBOX_ACCOUNT.id ? SANDBOX_ACCOUNT : readAccount(env, id)
}

/**
 * Opens an account by its id; null for an unknown id. If the hub cannot read the account, logs that and
 * returns a PSP that does not answer. `origin`: the hub's own address, for the sandbox. `pos`: the point
 * of sale whose operation it is.
 */
export async function openAccount(env: Env, id: string, origin: string, pos = HUB): Promise<Psp | null> {
  try {
    // The profile mostly has the account, and the report needs it too. D1 is asked for the account alone.
    if (pos !== HUB && id !== SANDBOX_ACCOUNT.id) await readProfile(env, pos, async () => false)
    const account = await findAccount(env, id)
    return account && (await connect(env, account, origin, pos))
  } catch (error) {
    log.fault('psp.account-unread', error, { account: id })
    return SILENT_PSP
  }
}

/**
 * Opens an account. If that fails, logs it and returns a PSP that does not answer, so that payments
 * wait instead of failing.
 */
export async function connect(env: Env, account: Account, origin: string, pos = HUB): Promise<Psp> {
  try {
    if (account.psp === SANDBOX_ACCOUNT.psp) return openSandbox(env, origin)
    const contents = sealedContents.read(
      JSON.parse(await unseal(env.SEALING_KEY, account.id, account.sealed)),
    )
    if (!contents.ok) throw new UnreadableError('what the account has sealed', contents.error)
    return open(env, account, contents.value, pacedFetch(account, pos))
  } catch (error) {
    log.fault('psp.account-unusable', error, { account: account.id })
    return SILENT_PSP
  }
}

/** Opens an account with its unsealed contents. Throws for credentials in the wrong form. */
export function open(
  env: Env,
  { psp, mode }: Pick<Account, 'psp' | 'mode'>,
  contents: Contents,
  send: Fetch = (request) => fetch(request),
): Psp {
  const { credentials, endpoint } = contents
  const adapter = adapterOf(psp)
  if (!adapter) throw new Error(`unknown PSP ${psp}`)
  const elsewhere = endpoint !== undefined && readConfig(env).loopback ? { endpoint } : {}
  return adapter.open({ fetch: send, mode, credentials, ...elsewhere })
}

/** Returns a PSP that gives the same answer to everything, for an account that the hub cannot ask. */
function standIn(answer: Unavailable): Psp {
  const say = () => Promise.resolve(answer)
  return {
    announce: say,
    ask: say,
    stop: say,
    refund: say,
    capture: say,
    release: say,
    readNotification: say,
    accepted: 'OK',
    check: say,
  }
}

/** The PSP of an account that the hub cannot use now. */
export const SILENT_PSP = standIn(unavailable('The account at the payment service provider cannot be used.'))
/** The terminals of an account without credentials for them, which an operator may have removed. */
const NO_TERMINALS = standIn({ ...unavailable('The account cannot drive terminals.'), accountRefused: true })
/** The answer of an account that an operator removed: as if the PSP refused the account's key. */
export const REMOVED_ACCOUNT: Unavailable = {
  ...unavailable('The hub no longer has this account.'),
  accountRefused: true,
}
export const REMOVED_PSP = standIn(REMOVED_ACCOUNT)

export function railOf(psp: Psp, way: Way['way']): Rail {
  return way === 'page' ? psp : (psp.terminals ?? NO_TERMINALS)
}
