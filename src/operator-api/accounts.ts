import * as v from 'valibot'
import { keyIdOf } from '../platform/crypto/seal.ts'
import { refuse } from '../contract/result.ts'
import { invalid } from '../platform/http/refusal.ts'
import { ADAPTERS } from '../psp/adapters.ts'
import { connect, sealContents } from '../psp/connect.ts'
import {
  accountById,
  type AccountRow,
  addAccount,
  listAccounts,
  posRoutedTo,
  removeAccount,
  resealAccount,
  unroutedAt,
} from '../registry/accounts.ts'
import { countOpenJobsAt } from '../job-index/find-jobs.ts'
import { publishAccount, withdrawAccount } from '../registry/copies.ts'
import { recordCheck, accountCheckOf } from '../monitoring/check-accounts.ts'
import { accountCopyOf, publishAfter } from '../registry/publish-after.ts'
import { readContents } from './psps.ts'
import { changed, type OperatorHandler } from './handler.ts'
import { type Account, NewAccount } from '../contract/accounts.ts'
import { reply } from '../platform/http/operations.ts'

/**
 * The part of a new account that is judged before its credentials: which those are depends on the
 * PSP.
 */
const AccountStart = v.object({
  ...v.pick(NewAccount, ['id', 'mode']).entries,
  psp: v.picklist(Object.keys(ADAPTERS), `must be one of ${Object.keys(ADAPTERS).join(', ')}`),
})

/**
 * `POST /operator/v1/accounts`: seals the credentials of an account. They are never shown again.
 */
export const addPspAccount: OperatorHandler<'addAccount'> = async ({ env, body }) => {
  const wanted = v.safeParse(AccountStart, body)
  if (!wanted.success) return invalid(wanted.issues)
  const { id, psp, mode } = wanted.output
  const contents = readContents(env, { psp, mode }, body)
  if (!contents.ok) return contents
  const account: AccountRow = {
    id,
    psp,
    mode,
    sealed: await sealContents(env, id, contents.value),
    createdAt: Date.now(),
    unroutedAt: null,
  }
  if (!(await addAccount(env.DB, account))) {
    return refuse({ code: 'account-conflict', detail: `There is an account ${id} already.`, field: 'id' })
  }
  await publishAccount(env.TOKENS, account)
  return changed(represent(account), {
    subject: id,
    before: null,
    after: toldOf(account),
  })
}

/** `GET /operator/v1/accounts`. */
export const listPspAccounts: OperatorHandler<'listAccounts'> = async ({ env }) =>
  reply({ accounts: (await listAccounts(env.DB)).map(represent) })

/**
 * `POST /operator/v1/accounts/{id}/credentials`: replaces the credentials. Live within two minutes,
 * routes stay.
 */
export const rekeyPspAccount: OperatorHandler<'replaceCredentials'> = async ({
  env,
  params: { id },
  body,
}) => {
  const account = await accountById(env.DB, id)
  if (!account) return noAccount(id)
  const contents = readContents(env, account, body)
  if (!contents.ok) return contents
  const sealed = await sealContents(env, id, contents.value)
  const routed = await posRoutedTo(env.DB, id)
  const isReplaced = await publishAfter(env, [accountCopyOf(id), ...routed.map((pos) => ({ pos }))], () =>
    resealAccount(env.DB, id, sealed, account.sealed),
  )
  if (!isReplaced) {
    return refuse({
      code: 'account-conflict',
      detail: `${id} was changed at the same time. Try again.`,
      field: 'id',
    })
  }
  return changed(
    { id, psp: account.psp, mode: account.mode },
    {
      subject: id,
      before: toldOf(account),
      after: toldOf({ ...account, sealed }),
    },
  )
}

/**
 * `POST /operator/v1/accounts/{id}/remove`: not while a route leads to it, and not while it has
 * open payments, which could no longer be pulled, or may have some that are not listed yet, unless
 * `?force=1`.
 */
export const removePspAccount: OperatorHandler<'removeAccount'> = async ({ env, params: { id }, query }) => {
  const account = await accountById(env.DB, id)
  if (!account) {
    // It may have been removed by a call that did not get as far as its copy.
    await withdrawAccount(env.TOKENS, id)
    return noAccount(id)
  }
  const routed = await posRoutedTo(env.DB, id)
  if (routed.length > 0) {
    const more = routed.length > MOST_TOLD ? ` and ${routed.length - MOST_TOLD} more` : ''
    const some = routed.slice(0, MOST_TOLD).join(', ') + more
    const detail = `Points of sale still route to ${id}: ${some}. Change their routes first.`
    return refuse({ code: 'account-conflict', detail, field: 'id' })
  }
  const open = query.force !== undefined ? null : await openPaymentsAt(env, id)
  if (open !== null) {
    const detail = `${id} ${open}. psp remove --force loses them.`
    return refuse({ code: 'account-conflict', detail, field: 'id' })
  }
  await publishAfter(env, [accountCopyOf(id)], () => removeAccount(env.DB, id))
  return changed(
    { id, removed: true },
    {
      subject: id,
      before: toldOf(account),
      after: null,
    },
  )
}

/** Points of sale that an answer names. */
const MOST_TOLD = 5

/**
 * For two minutes places may use a route that is gone, and a new payment is in the index a minute
 * after its create (ms).
 */
const UNLISTED_FOR = 4 * 60_000

/** What open payments an account has or may have; null for one that has none for sure. */
async function openPaymentsAt(env: Env, id: string): Promise<string | null> {
  const listedFrom = ((await unroutedAt(env.DB, id)) ?? 0) + UNLISTED_FOR
  const until = new Date(listedFrom).toISOString().slice(11, 19)
  if (Date.now() < listedFrom) return `may have open payments that are not listed before ${until} UTC`
  const open = await countOpenJobsAt(env, id)
  return open === 0 ? null : `still has ${open} open payments, which end within a day as a rule`
}

/**
 * `POST /operator/v1/accounts/{id}/check`: asks the PSP whether the credentials work. Nothing
 * changes there.
 */
export const checkPspAccount: OperatorHandler<'checkAccount'> = async ({ request, env, params: { id } }) => {
  const account = await accountById(env.DB, id)
  if (!account) return noAccount(id)
  const psp = await connect(env, account, new URL(request.url).origin)
  const checked = await psp.check()
  await recordCheck(env, id, checked, await accountCheckOf(env.DB, id), Date.now())
  const message = checked.is === 'working' ? null : checked.message
  return changed(
    { id, result: checked.is, message },
    {
      subject: id,
      before: null,
      after: { result: checked.is },
    },
  )
}

function noAccount(id: string) {
  return refuse({ code: 'account-not-found', detail: `There is no account ${id}.` })
}

/** What the audit log tells of an account. */
function toldOf({ psp, mode, sealed }: Pick<AccountRow, 'psp' | 'mode' | 'sealed'>) {
  return {
    psp,
    mode,
    sealingKey: keyIdOf(sealed),
  }
}

function represent({ id, psp, mode, sealed, createdAt }: AccountRow): Account {
  return {
    id,
    psp,
    mode,
    sealingKey: keyIdOf(sealed),
    created: new Date(createdAt).toISOString(),
  }
}
