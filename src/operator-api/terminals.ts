import * as v from 'valibot'
import type { AccountTerminal } from '../contract/account-terminals.ts'
import { refuse } from '../contract/result.ts'
import { operatorName } from '../contract/values.ts'
import { thereAre } from '../contract/body-members.ts'
import { invalidField } from '../platform/http/refusal.ts'
import { reply } from '../platform/http/operations.ts'
import { currentOrigin } from '../platform/request-context.ts'
import { ADAPTERS } from '../psp/adapters.ts'
import { findAccount } from '../psp/connect.ts'
import { type TerminalsAnswer, listedTerminals, seenTerminals } from '../psp/listed-terminals.ts'
import { accountById } from '../registry/accounts.ts'
import { profileById } from '../registry/profiles.ts'
import { publishAfter } from '../registry/publish-after.ts'
import * as registry from '../registry/terminals.ts'
import { conflict, noAccount, someOf } from './accounts.ts'
import { noPos } from './points-of-sale.ts'
import { type OperatorHandler, changed } from './serve.ts'

export const listAddedTerminals: OperatorHandler<'listAddedTerminals'> = async ({ env }) =>
  reply({ terminals: (await registry.addedTerminals(env.DB)).map((one) => represent(one, null)) })

export const listAccountTerminals: OperatorHandler<'listAccountTerminals'> = async ({ env, params }) => {
  const account = await findAccount(env, params.id)
  if (!account) return noAccount(params.id)
  const [answer, added] = await Promise.all([
    listedTerminals(env, account, currentOrigin()),
    registry.addedTerminals(env.DB, { account: account.id }),
  ])
  const listed = answer.is === 'listed' ? answer.terminals : []
  const others = listed.filter(({ id }) => !added.some((one) => one.id === id))
  const unused = { account: account.id, alertHours: null, pointsOfSale: [] }
  return reply({
    result: answer.is,
    message: 'message' in answer ? answer.message : null,
    setUp: ADAPTERS[account.psp]?.terminals ?? null,
    terminals: [
      ...added.map((one) => represent(one, answer)),
      ...others.map(({ id, name }) => represent({ id, name, ...unused }, answer, false)),
    ],
  })
}

/** Shows a terminal with what its PSP says about it. `answer` is null if the PSP was not asked. */
function represent(
  { id, account, name, alertHours, pointsOfSale }: Omit<registry.AddedTerminal, 'createdAt'>,
  answer: TerminalsAnswer | null,
  isAdded = true,
): AccountTerminal {
  const listed = answer?.is === 'listed' ? answer.terminals : null
  const seen = listed?.find((one) => one.id === id)
  const isListed = listed && seen !== undefined
  return { id, account, name, isAdded, isListed, isOn: seen?.isOn ?? null, alertHours, pointsOfSale }
}

export const addTerminal: OperatorHandler<'addTerminal'> = async ({ env, params, body }) => {
  const account = await accountById(env.DB, params.id)
  if (!account) return noAccount(params.id)
  const { terminal: id } = body
  const [before] = await registry.addedTerminals(env.DB, { id })
  if (before && before.account !== account.id)
    return conflict(`${id} is a terminal of ${before.account}.`, 'terminal')
  const answer = await listedTerminals(env, account, currentOrigin())
  const listed = answer.is === 'listed' ? answer.terminals : []
  const seen = listed.find((one) => one.id === id)
  // If the PSP does not answer, the operator knows better than the hub.
  if (!before && !seen && (answer.is === 'listed' || answer.is === 'none'))
    return invalidField('terminal', `is unknown to the PSP: ${thereAre(listed.map((one) => one.id))}`)
  const listedAs = v.is(operatorName, seen?.name) ? seen?.name : undefined
  const { name = before?.name ?? listedAs ?? id, alertHours = before?.alertHours ?? null } = body
  const { pointsOfSale = [], createdAt = Date.now() } = before ?? {}
  const row = { id, account: account.id, name, alertHours, createdAt }
  const copies = pointsOfSale.map((pos) => ({ pos: pos.id }))
  await publishAfter(env, copies, () => registry.addTerminal(env.DB, row))
  return changed(represent({ ...row, pointsOfSale }, answer), {
    subject: account.id,
    before: before ? { terminal: id, name: before.name, alertHours: before.alertHours } : null,
    after: { terminal: id, name, alertHours },
  })
}

/** Refuses to remove a terminal that a shop may still use. */
export const removeTerminal: OperatorHandler<'removeTerminal'> = async ({ env, params }) => {
  const { id: account, terminal: id } = params
  const [known] = await registry.addedTerminals(env.DB, { account, id })
  if (!known)
    return refuse({ code: 'terminal-not-found', detail: `No terminal ${id} of ${account} was added.` })
  const shops = known.pointsOfSale.map(({ name }) => name)
  if (shops.length > 0)
    return conflict(`Points of sale may still use ${id}: ${someOf(shops)}. Unassign it first.`, 'terminal')
  await registry.removeTerminal(env.DB, id)
  const before = { terminal: id, name: known.name }
  return changed({ id, removed: true }, { subject: account, before, after: { terminal: id, removed: true } })
}

export const listPosTerminals: OperatorHandler<'listPosTerminals'> = async ({ env, params: { id } }) =>
  (await profileById(env.DB, id)) ? reply(await assignedTo(env, id)) : noPos(id)

/**
 * As for routes, all accounts of a point of sale have the same mode: for a sale at a terminal in a
 * PSP's test environment, the shop would hand over goods for no money.
 */
export const assignTerminal: OperatorHandler<'assignTerminal'> = async ({ env, params, body }) => {
  const { id: pos } = params
  const found = await profileById(env.DB, pos)
  if (!found) return noPos(pos)
  const { terminal, isAssigned } = body
  const { mode, accounts, terminals = [] } = found.profile
  if (mode === 'test') return invalidField('pos', 'is in test mode, which has simulated terminals of its own')
  const before = terminals.find(({ id }) => id === terminal)
  const [known] = await registry.addedTerminals(env.DB, { id: terminal })
  const account = known && (await accountById(env.DB, known.account))
  if (!account || (!isAssigned && !before))
    return invalidField('terminal', 'has not been added; see terminal list')
  if (isAssigned && accounts.some((one) => one.mode !== account.mode))
    return invalidField('terminal', 'must have the same mode as the other accounts of the point of sale')
  const isDefault = isAssigned && (body.isDefault || before?.isDefault === true || terminals.length === 0)
  await publishAfter(env, [{ pos }], () =>
    isAssigned
      ? registry.assignTerminal(env.DB, { pos, terminal, isDefault })
      : registry.unassignTerminal(env.DB, { pos, terminal }, Date.now()),
  )
  return changed(await assignedTo(env, pos), {
    subject: pos,
    before: { terminal, isAssigned: before !== undefined, isDefault: before?.isDefault === true },
    after: { terminal, isAssigned, isDefault },
  })
}

async function assignedTo(env: Env, pos: string) {
  const found = await profileById(env.DB, pos)
  return { pos, terminals: found ? await seenTerminals(env, found.profile, currentOrigin()) : [] }
}
