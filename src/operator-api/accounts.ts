import * as registry from '../registry/accounts.ts'
import * as v from 'valibot'
import type { Account, CredentialField, NewCredentials, Notifications } from '../contract/accounts.ts'
import { type Result, ok, refuse } from '../contract/result.ts'
import { isoTime } from '../contract/timestamp.ts'
import { describedSchema } from '../contract/body-members.ts'
import { countOpenJobsAt } from '../job-index/find-jobs.ts'
import { notificationsOf, accountCheckOf, recordCheck } from '../monitoring/check-accounts.ts'
import { readConfig } from '../platform/config.ts'
import { toHex } from '../platform/crypto/hash.ts'
import { keyIdOf, unseal } from '../platform/crypto/seal.ts'
import { hmac } from '../platform/crypto/signing.ts'
import { invalid, invalidField, type Refusal } from '../platform/http/refusal.ts'
import { reply } from '../platform/http/operations.ts'
import { isLoopback, refusedUrl } from '../platform/http/public-url.ts'
import { ADAPTERS } from '../psp/adapters.ts'
import { closeBreaker } from '../psp/health/breakers.ts'
import { type Contents, connect, open, sealContents } from '../psp/connect.ts'
import type { Adapter } from '../psp/port.ts'
import { forgetNotified } from '../registry/account-notifications.ts'
import { publishAccount, withdrawAccount } from '../registry/copies.ts'
import { accountCopyOf, publishAfter } from '../registry/publish-after.ts'
import { type OperatorHandler, changed } from './serve.ts'

export const listPsps: OperatorHandler<'listPsps'> = async () =>
  reply({
    psps: Object.entries(ADAPTERS).map(([psp, adapter]) => ({ psp, credentials: fieldsOf(adapter) })),
  })

export const addAccount: OperatorHandler<'addAccount'> = async ({ env, body }) => {
  const { id, psp, mode } = body
  if (!Object.hasOwn(ADAPTERS, psp)) {
    return invalidField('psp', `must be one of ${Object.keys(ADAPTERS).join(', ')}`)
  }
  const contents = readContents(env, { psp, mode }, body)
  if (!contents.ok) return contents
  const account: registry.AccountRow = {
    id,
    psp,
    mode,
    sealed: await sealContents(env, id, contents.value),
    currencies: body.currencies ?? null,
    createdAt: Date.now(),
    unroutedAt: null,
  }
  if (!(await registry.addAccount(env.DB, account))) return conflict(`There is an account ${id} already.`)
  await publishAccount(env.TOKENS, account)
  return changed(represent(account), { subject: id, after: auditValues(account) })
}

export const listAccounts: OperatorHandler<'listAccounts'> = async ({ env }) =>
  reply({ accounts: (await registry.listAccounts(env.DB)).map(represent) })

export const replaceCredentials: OperatorHandler<'replaceCredentials'> = async ({ env, params, body }) => {
  const { id } = params
  const account = await registry.accountById(env.DB, id)
  if (!account) return noAccount(id)
  const contents = readContents(env, account, body)
  if (!contents.ok) return contents
  const sealed = await sealContents(env, id, contents.value)
  const [before, after] = await Promise.all([fingerprintOf(env, account), fingerprintOf(env, { id, sealed })])
  const isReplaced = await publishAfter(env, await copiesOf(env, id), () =>
    registry.resealAccount(env.DB, id, sealed, account.sealed),
  )
  await Promise.all([forgetNotified(env, id), registry.forgetCheck(env.DB, id), closeBreaker(env, id)])
  if (!isReplaced) return conflict(`${id} was changed at the same time. Try again.`)
  return changed(
    { id, psp: account.psp, mode: account.mode },
    {
      subject: id,
      before: { ...auditValues(account), credentials: before },
      after: { ...auditValues({ ...account, sealed }), credentials: after },
    },
  )
}

/** Returns the copies in KV that hold an account: its own, and those of the points of sale that use it. */
async function copiesOf(env: Env, id: string) {
  const using = await registry.posUsing(env.DB, id)
  return [accountCopyOf(id), ...using.map((pos) => ({ pos }))]
}

export const changeCurrencies: OperatorHandler<'changeCurrencies'> = async ({ env, params, body }) => {
  const { id } = params
  const account = await registry.accountById(env.DB, id)
  if (!account) return noAccount(id)
  const { currencies } = body
  await publishAfter(env, await copiesOf(env, id), () => registry.setCurrencies(env.DB, id, currencies))
  return changed(
    { id, psp: account.psp, mode: account.mode, currencies },
    { subject: id, before: { currencies: account.currencies ?? null }, after: { currencies } },
  )
}

/**
 * Makes a fingerprint of credentials for the audit log. Only this hub can make it, so nobody can
 * test guesses with it. Returns null if the hub can no longer open the credentials.
 */
export async function fingerprintOf(
  env: Env,
  { id, sealed }: Pick<registry.AccountRow, 'id' | 'sealed'>,
): Promise<string | null> {
  try {
    const contents = await unseal(env.SEALING_KEY, id, sealed)
    return toHex(await hmac('SHA-256', env.SIGNING_ROOT, `credentials:${id}:${contents}`)).slice(0, 16)
  } catch {
    return null
  }
}

/**
 * Unless forced, refuses to remove an account that may have open payments, because the hub could no
 * longer ask about them. The index may lack the newest ones.
 */
export const removeAccount: OperatorHandler<'removeAccount'> = async ({ env, params: { id }, query }) => {
  const account = await registry.accountById(env.DB, id)
  if (!account) {
    // A call that removed the account may have died before it removed the copy.
    await withdrawAccount(env.TOKENS, id)
    return noAccount(id)
  }
  const using = await registry.posUsing(env.DB, id)
  if (using.length > 0)
    return conflict(
      `Points of sale still use ${id}: ${someOf(using)}. Change their routes and terminals first.`,
    )
  const held = query.force !== undefined ? null : await openPaymentsAt(env, id)
  if (held !== null) return conflict(`${id} ${held}. psp remove --force loses them.`)
  await publishAfter(env, [accountCopyOf(id)], () => registry.removeAccount(env.DB, id))
  await forgetNotified(env, id)
  const after = { removed: true, force: query.force !== undefined }
  return changed({ id, removed: true }, { subject: id, before: auditValues(account), after })
}

/** The most points of sale that an answer names. */
const MOST_NAMED = 5

export function someOf(names: readonly string[]): string {
  const more = names.length > MOST_NAMED ? ` and ${names.length - MOST_NAMED} more` : ''
  return names.slice(0, MOST_NAMED).join(', ') + more
}

/**
 * For this long (ms) after its last route or terminal was removed, an account may get payments that
 * the index lacks: a location may go on using it for two minutes, and a new payment reaches the index
 * within another minute.
 */
const UNLISTED_FOR = 4 * 60_000

/** Says which open payments an account has or may have; null when it certainly has none. */
async function openPaymentsAt(env: Env, id: string): Promise<string | null> {
  const listedFrom = ((await registry.unroutedAt(env.DB, id)) ?? 0) + UNLISTED_FOR
  const until = new Date(listedFrom).toISOString().slice(11, 19)
  if (Date.now() < listedFrom) return `may have open payments that are not listed before ${until} UTC`
  const count = await countOpenJobsAt(env, id)
  return count === 0 ? null : `still has ${count} open payments, which usually end within a day`
}

export const checkAccount: OperatorHandler<'checkAccount'> = async ({ request, env, params: { id } }) => {
  const account = await registry.accountById(env.DB, id)
  if (!account) return noAccount(id)
  const psp = await connect(env, account, new URL(request.url).origin)
  const checked = await psp.check()
  const { message } = await recordCheck(env, id, checked, await accountCheckOf(env.DB, id), Date.now())
  const notifications = await notificationsAt(env, id)
  return changed(
    { id, result: checked.is, message, notifications },
    { subject: id, after: { result: checked.is } },
  )
}

export const showWebhook: OperatorHandler<'showWebhook'> = async ({ request, env, params: { id } }) => {
  const account = await registry.accountById(env.DB, id)
  if (!account) return noAccount(id)
  const setUp = ADAPTERS[account.psp]?.webhook ?? null
  return reply({
    id,
    psp: account.psp,
    address: setUp === null ? null : `${new URL(request.url).origin}/notifications/${id}`,
    setUp: setUp ?? 'There is nothing to set up: each payment names the address of its notifications.',
    ...(await notificationsAt(env, id)),
  })
}

async function notificationsAt(env: Env, id: string): Promise<Notifications> {
  return (await notificationsOf(env, [id])).get(id) ?? { state: 'none', last: null }
}

export function conflict(detail: string, field = 'id') {
  return refuse({ code: 'account-conflict', detail, field })
}

export function noAccount(id: string) {
  return refuse({ code: 'account-not-found', detail: `There is no account ${id}.` })
}

function auditValues({ psp, mode, sealed }: Pick<registry.AccountRow, 'psp' | 'mode' | 'sealed'>) {
  return { psp, mode, sealingKey: keyIdOf(sealed) }
}

function represent(row: registry.AccountRow): Account {
  return { id: row.id, ...auditValues(row), currencies: row.currencies, created: isoTime(row.createdAt) }
}

function fieldsOf({ credentials }: Adapter): CredentialField[] {
  return Object.entries(credentials.entries).map(([name, schema]) => ({
    name,
    description: v.getDescription(describedSchema(schema)) ?? '',
    optional: schema.type === 'optional' || schema.type === 'exact_optional',
  }))
}

/**
 * Reads and tries what the hub will seal for an account, so that wrong credentials fail now and not
 * at the first payment. No error quotes a credential.
 */
function readContents(
  env: Env,
  account: Pick<registry.AccountRow, 'psp' | 'mode'>,
  given: v.InferOutput<typeof NewCredentials>,
): Result<Contents, Refusal> {
  const { endpoint } = given
  if (endpoint !== undefined) {
    const error = refusedEndpoint(env, endpoint)
    if (error !== null) return invalidField('endpoint', error)
  }
  const adapter = ADAPTERS[account.psp]
  if (!adapter) throw new Error(`unknown PSP ${account.psp}`)
  const credentials = v.safeParse(v.object({ credentials: adapter.credentials }), given)
  if (!credentials.success) return invalid(credentials.issues)
  const contents: Contents = {
    credentials: credentials.output.credentials,
    ...(endpoint === undefined ? {} : { endpoint }),
  }
  const mode = adapter.modeOf?.(contents.credentials) ?? null
  if (mode !== null && mode !== account.mode) {
    return invalidField('credentials', `are for ${mode} mode, but the account is in ${account.mode} mode`)
  }
  try {
    open(env, account, contents)
    return ok(contents)
  } catch (error) {
    return invalidField('credentials', error instanceof Error ? error.message : 'cannot be used')
  }
}

/** Returns what is wrong with an endpoint, or null. Only the local run may have one, on this machine. */
function refusedEndpoint(env: Env, endpoint: string): string | null {
  if (!readConfig(env).loopback) return 'is for the local run only'
  if (endpoint.endsWith('/')) return 'must not end with a slash'
  return isLoopback(URL.parse(endpoint)?.hostname ?? '')
    ? refusedUrl(endpoint, { own: [], loopback: true })
    : 'must be an address of this machine'
}
