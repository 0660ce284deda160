import { Role } from '../../contract/operation.ts'
import { quoted } from '../usage-error.ts'
import { hubCommand, withAdvice } from './hub-command.ts'
import { ask } from './operator-api.ts'

export const tokenCreate = hubCommand({
  name: 'token create',
  does: 'makes an operator token, and shows it once',
  example: 'token create --name "Night desk" --role support',
  args: {
    name: { type: 'string', required: true, valueHint: 'NAME', description: 'who or what uses it' },
    role: {
      type: 'enum',
      options: Role.options,
      required: true,
      description: 'viewer looks, support also pulls and resends, operator does all',
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

export const tokenList = hubCommand({
  name: 'token list',
  does: 'lists the operator tokens, oldest first',
  example: 'token list',
  args: {},
  run: () => ask('listOperatorTokens'),
  json: ({ tokens }) => tokens,
  show: ({ tokens }, view) =>
    view.list(
      'There are no operator tokens: the OPERATOR_TOKEN secret is the only one.',
      ['id', 'name', 'role', 'created', 'by', 'revoked'],
      tokens.map(({ id, name, role, created, createdBy, revoked }) => [
        id,
        name,
        role,
        view.time(created),
        createdBy,
        view.time(revoked),
      ]),
    ),
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
  throw new Error(`There is no operator token ${quoted(named)}: token list shows them.`)
}

export const tokenRevoke = hubCommand({
  name: 'token revoke',
  does: 'ends an operator token and the sessions that it began, at once',
  example: 'token revoke "Night desk"',
  args: { token: { type: 'positional', required: true, description: 'its id or its name' } },
  asks: ({ token }) => `Revoke the operator token ${quoted(token)}? Whoever uses it is refused at once.`,
  run: async ({ token }) => ask('revokeOperatorToken', { params: { id: await tokenIdOf(token) } }),
  show: ({ name, revoked }, view) => `${name} is revoked since ${view.time(revoked) || 'now'}.`,
})

export const whoami = hubCommand({
  name: 'whoami',
  does: 'tells who you are to the hub, and what you may do',
  example: 'whoami',
  args: {},
  run: () => ask('showMe'),
  show: ({ name, role, until }, view) =>
    `${name}: ${role}${until === null ? '' : `, until ${view.time(until)}`}`,
})
