import { type Result, ok } from '../contract/result.ts'
import { keyIdOf, seal, sealingKeyId, unseal } from '../platform/crypto/seal.ts'
import { invalidField, type Refusal } from '../platform/http/refusal.ts'
import { reply } from '../platform/http/operations.ts'
import { log } from '../platform/log.ts'
import { accountById, resealAccount } from '../registry/accounts.ts'
import { accountCopyOf, AT_ONCE, publishAfter } from '../registry/publish-after.ts'
import { type SealedRecord, copyName, sealedRecords, sealsInCopy } from '../registry/sealed.ts'
import { type OperatorHandler, changed } from './serve.ts'

/**
 * Seals a page of accounts under the newest key. Writes every copy in KV, because after a fault the
 * hub does not know which ones it wrote. The whole rotation may be repeated.
 */
export const rotateSealing: OperatorHandler<'rotateSealing'> = async ({ env, query }) => {
  const after = placeOf(query.after)
  if (!after.ok) return after
  const key = await sealingKeyId(env.SEALING_KEY)
  const { records, next, accounts } = await sealedRecords(env.DB, after.value, AT_ONCE)
  const ids = records.filter(({ is }) => is === 'account').map(({ id }) => id)
  const copies = records.map(({ is, id }) => (is === 'account' ? accountCopyOf(id) : { pos: id }))
  const outcomes = await publishAfter(env, copies, () => Promise.all(ids.map((id) => sealAnew(env, key, id))))
  const idsOf = (outcome: Outcome) => ids.filter((_, place) => outcomes[place] === outcome)
  const rotated = { sealingKey: key, resealed: idsOf('resealed'), failed: idsOf('failed') }
  const page = { accounts, copies: copies.length, next: next && copyName(next) }
  return changed({ ...rotated, ...page }, { subject: '', after: rotated })
}

type Outcome = 'resealed' | 'as it was' | 'failed'

/**
 * Seals an account again. Fails if its old key is no longer set: the operator has to enter its
 * credentials again.
 */
async function sealAnew(env: Env, key: string, id: string): Promise<Outcome> {
  try {
    const account = await accountById(env.DB, id)
    if (!account || keyIdOf(account.sealed) === key) return 'as it was'
    const contents = await unseal(env.SEALING_KEY, id, account.sealed)
    const sealed = await seal(env.SEALING_KEY, id, contents)
    if (await resealAccount(env.DB, id, sealed, account.sealed)) return 'resealed'
  } catch (error) {
    log.fault('sealing.failed', error, { account: id })
    return 'failed'
  }
  // Another Worker replaced its credentials at the same time, perhaps under the older key.
  return sealAnew(env, key, id)
}

/** Shows the accounts and copies that are under another key. KV may show a copy as it was a minute ago. */
export const showSealing: OperatorHandler<'showSealing'> = async ({ env, query }) => {
  const after = placeOf(query.after)
  if (!after.ok) return after
  const key = await sealingKeyId(env.SEALING_KEY)
  const { records, next, accounts } = await sealedRecords(env.DB, after.value, AT_ONCE)
  const looked = await Promise.all(
    records.map(async (record) => {
      const seals = await sealsInCopy(env.TOKENS, record)
      const isOldCopy =
        seals !== null && (seals === 'unreadable' || seals.some((one) => keyIdOf(one) !== key))
      const account = record.is === 'account' ? await accountById(env.DB, record.id) : null
      return { record, isOldCopy, isOld: account !== null && keyIdOf(account.sealed) !== key }
    }),
  )
  return reply({
    sealingKey: key,
    accounts,
    copies: records.length,
    oldAccounts: looked.filter(({ isOld }) => isOld).map(({ record }) => record.id),
    oldCopies: looked.filter(({ isOldCopy }) => isOldCopy).map(({ record }) => copyName(record)),
    next: next && copyName(next),
  })
}

/** Reads the position of a page: the `next` of the previous page. */
function placeOf(after = ''): Result<SealedRecord | null, Refusal> {
  if (after === '') return ok(null)
  const [, is, id = ''] = /^(account|pos):(.+)$/.exec(after) ?? []
  if (is !== 'account' && is !== 'pos')
    return invalidField('after', 'must be the `next` of the previous page')
  return ok({ is, id })
}
