import type { Operation } from './operation.ts'
import { body, get, post } from './operator-operation.ts'

/** Who may use the operator API: tokens, and sessions of the console. */
export const OPERATOR_ACCESS_OPERATIONS: readonly Operation[] = [
  get('showMe', '/me', 'See who you are, and what you may do', 'Me'),
  get('listOperatorTokens', '/tokens', 'List the operator tokens, oldest first', 'OperatorTokenList'),
  post('createOperatorToken', '/tokens', 'Make an operator token', 'OperatorTokenCreated', {
    ...body('NewOperatorToken'),
    status: 201,
    description: 'The answer is the only one that shows the token.',
    problems: ['operator-token-conflict'],
  }),
  post('revokeOperatorToken', '/tokens/{id}/revoke', 'Revoke an operator token', 'OperatorToken', {
    description: 'It ends at once, and so do the sessions that it began.',
  }),
  post('beginSession', '/sessions', 'Begin a session of the console', 'SessionBegun', {
    status: 201,
    description: 'With a token alone. A session ends after eight hours.',
    headers: ['Set-Cookie'],
  }),
  post('endSession', '/sessions/end', 'End the session that asks', 'SessionEnded', {
    headers: ['Set-Cookie'],
  }),
]
