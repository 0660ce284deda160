import { Role } from '../../contract/operation.ts'
import { group, option, word } from '../program.ts'
import { UsageError, notAmong, quoted } from '../usage-error.ts'
import { hubCommand, withAdvice } from './hub-command.ts'
import { ask } from './operator-api.ts'
import { YES, confirm } from './prompt.ts'

const create = hubCommand({
  does: 'makes an operator token, and shows it once',
  example: '--name "Night desk" --role support',
  args: {
    name: { ...option('NAME', 'who or what uses it'), required: true },
    role: {
      type: 'enum',
      options: Role.options,
      required: true,
      description: 'viewer looks, support also asks PSPs and resends, operator does all',
    },
  },
  run: ({ name, role }) =>
    withAdvice(
      ask('createOperatorToken', { body: { name, role } }),
      `If it was made all the same, nobody has seen it: token revoke ${quoted(name)}`,
    ),
  show: ({ name, role, token }) =>
    [
      `Operator token of ${name} (${role}):`,
      '',
      token,
      '',
      'It is shown this once. Use it as OPERATOR_TOKEN.',
    ].join('\n'),
})

const list = hubCommand({
  does: 'lists the operator tokens, oldest first',
  run: () => ask('listOperatorTokens'),
  json: ({ tokens }) => tokens,
  show: ({ tokens }, view) =>
    view.list('There are no operator tokens: the OPERATOR_TOKEN secret is the only one.', tokens, {
      id: ({ id }) => id,
      name: ({ name }) => name,
      role: ({ role }) => role,
      created: ({ created }) => view.time(created),
      by: ({ createdBy }) => createdBy,
      revoked: ({ revoked }) => view.time(revoked),
    }),
})

/**
 * The id of a token that is named by it, or the one of a name that lives: a revoked one may have
 * had the same name.
 */
async function tokenIdOf(named: string): Promise<string> {
  const { tokens } = await ask('listOperatorTokens')
  const found =
    tokens.find(({ id }) => id === named) ??
    tokens.find(({ name, revoked }) => name === named && revoked === null)
  if (found) return found.id
  const names = tokens.filter(({ revoked }) => revoked === null).map(({ name }) => name)
  throw new UsageError(`There is no operator token ${quoted(named)}. ${notAmong(names, named)}`)
}

const revoke = hubCommand({
  does: 'ends an operator token and the sessions that it began, at once',
  example: '"Night desk"',
  args: { token: word('its id or its name'), ...YES },
  run: async ({ token: named, yes }) => {
    const id = await tokenIdOf(named)
    await confirm(`Revoke the operator token ${quoted(named)}? Whoever uses it is refused at once.`, yes)
    return ask('revokeOperatorToken', { params: { id } })
  },
  show: ({ name, revoked }, view) => `${name} is revoked since ${view.time(revoked) || 'now'}.`,
})

export const token = group('operator tokens', 'create --name "Night desk" --role support', {
  create,
  list,
  revoke,
})

export const whoami = hubCommand({
  does: 'tells who you are to the hub, and what you may do',
  run: () => ask('showMe'),
  show: ({ name, role, until }, view) =>
    `${name}: ${role}${until === null ? '' : `, until ${view.time(until)}`}`,
})
