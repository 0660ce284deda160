import type { AccountTerminal } from '../contract/account-terminals.ts'
import { refuse } from '../contract/result.ts'
import { thereAre } from '../contract/values.ts'
import { invalidField } from '../platform/http/refusal.ts'
import { reply } from '../platform/http/operations.ts'
import { currentOrigin } from '../platform/request-context.ts'
import { ADAPTERS } from '../psp/adapters.ts'
import { type TerminalsAnswer, askAnew, listedTerminals, seenTerminals } from '../psp/listed-terminals.ts'
import { accountById } from '../registry/accounts.ts'
import { profileById } from '../registry/profiles.ts'
import { publishAfter } from '../registry/publish-after.ts'
import * as registry from '../registry/terminals.ts'
import { noAccount, someOf } from './accounts.ts'
import { noPos } from './points-of-sale.ts'
import { type OperatorHandler, changed } from './serve.ts'

export const listKeptTerminals: OperatorHandler<'listKeptTerminals'> = async ({ env }) => {
  const kept = await registry.keptTerminals(env.DB)
  return reply({ terminals: kept.map(({ createdAt: _createdAt, ...terminal }) => terminal) })
}

export const listAccountTerminals: OperatorHandler<'listAccountTerminals'> = async ({ env, params }) => {
  const account = await accountById(env.DB, params.id)
  if (!account) return noAccount(params.id)
  const [answer, kept] = await Promise.all([
    listedTerminals(env, account, currentOrigin()),
    registry.keptTerminals(env.DB, { account: account.id }),
  ])
  const listed = answer.is === 'listed' ? answer.terminals : []
  const others = listed.filter(({ id }) => !kept.some((one) => one.id === id))
  return reply({
    account: account.id,
    result: answer.is,
    message: 'message' in answer ? answer.message : null,
    setUp: ADAPTERS[account.psp]?.terminals ?? null,
    terminals: [
      ...kept.map((one) => represent(one, answer)),
      ...others.map(({ id, name }) =>
        represent({ id, name, alertHours: null, pointsOfSale: [] }, answer, false),
      ),
    ],
  })
}

/** Shows a terminal with what its PSP says of it. */
function represent(
  {
    id,
    name,
    alertHours,
    pointsOfSale,
  }: Pick<registry.KeptTerminal, 'id' | 'name' | 'alertHours' | 'pointsOfSale'>,
  answer: TerminalsAnswer,
  isKept = true,
): AccountTerminal {
  const seen = answer.is === 'listed' ? answer.terminals.find((one) => one.id === id) : undefined
  const isListed = answer.is === 'listed' ? seen !== undefined : null
  return { id, name, isKept, isListed, isOn: seen?.isOn ?? null, alertHours, pointsOfSale }
}

export const keepTerminal: OperatorHandler<'keepTerminal'> = async ({ env, params, body }) => {
  const account = await accountById(env.DB, params.id)
  if (!account) return noAccount(params.id)
  const { terminal: id } = body
  const [before] = await registry.keptTerminals(env.DB, { id })
  if (before && before.account !== account.id) return otherAccount(id, before.account)
  const answer = await listedTerminals(env, account, currentOrigin())
  const listed = answer.is === 'listed' ? answer.terminals : []
  const seen = listed.find((one) => one.id === id)
  if (!before && !seen && (answer.is === 'listed' || answer.is === 'none'))
    return invalidField(
      'terminal',
      `is no terminal of ${account.id}: ${thereAre(listed.map((one) => one.id))}`,
    )
  const { name = before?.name ?? seen?.name ?? id, alertHours = before?.alertHours ?? null } = body
  const { pointsOfSale = [], createdAt = Date.now() } = before ?? {}
  const row = { id, account: account.id, name, alertHours, createdAt }
  const copies = pointsOfSale.map((pos) => ({ pos: pos.id }))
  await publishAfter(env, copies, () => registry.keepTerminal(env.DB, row))
  return changed(represent({ ...row, pointsOfSale }, answer), {
    subject: account.id,
    before: before ? { terminal: id, name: before.name, alertHours: before.alertHours } : null,
    after: { terminal: id, name, alertHours },
  })
}

function otherAccount(id: string, account: string) {
  return refuse({ code: 'account-conflict', detail: `${id} is a terminal of ${account}.`, field: 'terminal' })
}

/** A point of sale that may use it would be left with a terminal that is no more. */
export const removeTerminal: OperatorHandler<'removeTerminal'> = async ({ env, params }) => {
  const account = await accountById(env.DB, params.id)
  if (!account) return noAccount(params.id)
  const [known] = await registry.keptTerminals(env.DB, { account: account.id, id: params.terminal })
  if (!known) return noTerminal(account.id, params.terminal)
  const { id, name, pointsOfSale } = known
  if (pointsOfSale.length > 0) {
    const some = someOf(pointsOfSale.map((pos) => pos.name))
    const detail = `Points of sale may still use ${id}: ${some}. Take it away from them first.`
    return refuse({ code: 'account-conflict', detail, field: 'terminal' })
  }
  await registry.removeTerminal(env.DB, id)
  return changed(
    { id, removed: true },
    { subject: account.id, before: { terminal: id, name }, after: { terminal: id, removed: true } },
  )
}

function noTerminal(account: string, id: string) {
  const detail = `${account} has no terminal ${id} that was added.`
  return refuse({ code: 'terminal-not-found', detail })
}

export const checkTerminal: OperatorHandler<'checkTerminal'> = async ({ env, params }) => {
  const account = await accountById(env.DB, params.id)
  if (!account) return noAccount(params.id)
  askAnew(account)
  const answer = await listedTerminals(env, account, currentOrigin())
  const result = stateOf(params.terminal, answer)
  const message = 'message' in answer ? answer.message : null
  return changed(
    { id: params.terminal, account: account.id, result, message },
    { subject: account.id, after: { terminal: params.terminal, result } },
  )
}

function stateOf(id: string, answer: TerminalsAnswer) {
  if (answer.is !== 'listed') return answer.is
  const seen = answer.terminals.find((one) => one.id === id)
  if (!seen) return 'missing'
  return seen.isOn === null ? 'unknown' : seen.isOn ? 'on' : 'off'
}

export const listPosTerminals: OperatorHandler<'listPosTerminals'> = async ({ env, params: { id } }) => {
  const found = await profileById(env.DB, id)
  return found ? reply(await assigned(env, id)) : noPos(id)
}

/**
 * All accounts of a point of sale have one mode, as for routes: a sale at a terminal of a PSP's test
 * environment would give goods away.
 */
export const assignTerminal: OperatorHandler<'assignTerminal'> = async ({
  env,
  params: { id: pos },
  body,
}) => {
  const found = await profileById(env.DB, pos)
  if (!found) return noPos(pos)
  const { terminal, isAssigned } = body
  const { mode, accounts, terminals = [] } = found.profile
  if (mode === 'test') return invalidField('pos', 'is of test mode, which has simulated terminals of its own')
  const before = terminals.find(({ id }) => id === terminal)
  if (isAssigned) {
    const [known] = await registry.keptTerminals(env.DB, { id: terminal })
    const account = known && (await accountById(env.DB, known.account))
    if (!account) return invalidField('terminal', 'is no terminal of this hub: add it to its account first')
    if (accounts.some((one) => one.mode !== account.mode))
      return invalidField(
        'terminal',
        'must be of an account of the one mode that all accounts of a point of sale have',
      )
  } else if (!before) return invalidField('terminal', 'is no terminal of this point of sale')
  const isDefault = isAssigned && (body.isDefault || before?.isDefault === true || terminals.length === 0)
  await publishAfter(env, [{ pos }], () =>
    isAssigned
      ? registry.assignTerminal(env.DB, { pos, terminal, isDefault })
      : registry.unassignTerminal(env.DB, { pos, terminal }, Date.now()),
  )
  return changed(await assigned(env, pos), {
    subject: pos,
    before: { terminal, isAssigned: before !== undefined, isDefault: before?.isDefault === true },
    after: { terminal, isAssigned, isDefault },
  })
}

async function assigned(env: Env, pos: string) {
  const found = await profileById(env.DB, pos)
  return { pos, terminals: found ? await seenTerminals(env, found.profile, currentOrigin()) : [] }
}
