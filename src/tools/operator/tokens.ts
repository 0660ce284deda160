import {
  Me,
  type NewOperatorToken,
  OperatorToken,
  OperatorTokenCreated,
  OperatorTokenList,
} from '../../contract/operators.ts'
import { Role } from '../../contract/operator.ts'
import { quoted } from '../usage-error.ts'
import { hubCommand } from './hub-command.ts'
import { type OperatorApi, path } from './operator-api.ts'
import { withAdvice } from './unseen-answer.ts'

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
  run: (api, { name, role }) => {
    const wanted: NewOperatorToken = { name, role }
    return withAdvice(
      api(OperatorTokenCreated, 'POST', '/tokens', wanted),
      `If it was made all the same, nobody has seen it: token revoke ${quoted(name)}`,
    )
  },
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
  run: (api) => api(OperatorTokenList, 'GET', '/tokens'),
  json: ({ tokens }) => tokens,
  show: ({ tokens }, view) =>
    tokens.length === 0
      ? 'There are no operator tokens: the OPERATOR_TOKEN secret is the only one.'
      : view.table(
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

/** The token of an id, or the one of a name that lives: a revoked one may have had the same name. */
async function findToken(api: OperatorApi, named: string): Promise<OperatorToken> {
  const { tokens } = await api(OperatorTokenList, 'GET', '/tokens')
  const found =
    tokens.find(({ id }) => id === named) ??
    tokens.find(({ name, revoked }) => name === named && revoked === null)
  if (found) return found
  throw new Error(`There is no operator token ${quoted(named)}: token list shows them.`)
}

export const tokenRevoke = hubCommand({
  name: 'token revoke',
  does: 'ends an operator token and the sessions that it began, at once',
  example: 'token revoke "Night desk"',
  args: { token: { type: 'positional', required: true, description: 'its id or its name' } },
  asks: ({ token }) => `Revoke the operator token ${quoted(token)}? Whoever uses it is refused at once.`,
  run: async (api, { token }) => {
    const { id } = await findToken(api, token)
    return api(OperatorToken, 'POST', path`/tokens/${id}/revoke`)
  },
  show: ({ name, revoked }, view) => `${name} is revoked since ${view.time(revoked) || 'now'}.`,
})

export const whoami = hubCommand({
  name: 'whoami',
  does: 'tells who you are to the hub, and what you may do',
  example: 'whoami',
  args: {},
  run: (api) => api(Me, 'GET', '/me'),
  show: ({ name, role, until }, view) =>
    `${name}: ${role}${until === null ? '' : `, until ${view.time(until)}`}`,
})
