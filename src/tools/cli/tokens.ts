import { Role } from '../../contract/operation.ts'
import { group, option, word } from '../program.ts'
import { oneNamed, quoted } from '../usage-error.ts'
import { operationCommand } from './hub-command.ts'
import { ask } from './operator-api.ts'

const create = operationCommand('createOperatorToken', {
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
  body: ({ name, role }) => ({ name, role }),
  advice: ({ name }) => `If it was made all the same, nobody has seen it: token revoke ${quoted(name)}`,
  show: ({ name, role, token }) => [
    `Operator token of ${name} (${role}):`,
    '',
    token,
    '',
    'It is shown this once. Use it as OPERATOR_TOKEN.',
  ],
})

const list = operationCommand('listOperatorTokens', {
  json: ({ tokens }) => tokens,
  show: ({ tokens }, view) =>
    view.list('There are no operator tokens: the OPERATOR_TOKEN secret is the only one.', tokens, [
      'id',
      'name',
      'role',
      'created',
      ['by', 'createdBy'],
      ['last used', ({ used }) => used ?? 'never'],
      'revoked',
    ]),
})

/**
 * The id of a token that is named by it, or the one of a name that lives: a revoked one may have
 * had the same name.
 */
async function tokenIdOf(named: string): Promise<string> {
  const { tokens } = await ask('listOperatorTokens')
  const living = tokens.filter(({ revoked }) => revoked === null)
  const found = tokens.find(({ id }) => id === named)
  return (found ?? oneNamed('operator token', named, living, ({ name }) => name)).id
}

const revoke = operationCommand('revokeOperatorToken', {
  example: '"Night desk"',
  args: { id: { ...word('its id or its name'), find: tokenIdOf } },
  asks: ({ id }) => `Revoke the operator token ${quoted(id)}? Whoever uses it is refused at once.`,
  show: ({ name, revoked }, view) => `${name} is revoked since ${view.time(revoked) || 'now'}.`,
})

export const token = group('operator tokens', 'create --name "Night desk" --role support', {
  create,
  list,
  revoke,
})

export const whoami = operationCommand('showMe', {
  show: ({ name, role, until }, view) =>
    `${name}: ${role}${until === null ? '' : `, until ${view.time(until)}`}`,
})
