import { randomHex, sha256 } from '../platform/crypto/hash.ts'
import { refuse } from '../contract/result.ts'
import {
  addOperatorToken,
  listOperatorTokens,
  type OperatorTokenRow,
  revokeOperatorToken,
} from '../registry/operator-tokens.ts'
import type { OperatorToken } from '../contract/operators.ts'
import { newOperatorToken } from './authenticate.ts'
import { changed, type OperatorHandler } from './handler.ts'
import { reply } from '../platform/http/operations.ts'

/**
 * `POST /operator/v1/tokens`: a token with a name and a role. Its answer is the only one that shows
 * it.
 */
export const createToken: OperatorHandler<'createOperatorToken'> = async (
  { env, body },
  { name: createdBy },
) => {
  const token = newOperatorToken()
  const row: OperatorTokenRow = {
    ...body,
    hash: await sha256(token),
    id: randomHex(32),
    createdAt: Date.now(),
    createdBy,
    revokedAt: null,
  }
  if (await addOperatorToken(env.DB, row)) {
    const { name, role } = row
    return changed({ ...represent(row), token }, { subject: row.id, before: null, after: { name, role } })
  }
  const detail = `There is an operator token ${row.name} already.`
  return refuse({ code: 'operator-token-conflict', detail, field: 'name' })
}

/** `GET /operator/v1/tokens`, oldest first. */
export const listTokens: OperatorHandler<'listOperatorTokens'> = async ({ env }) =>
  reply({ tokens: (await listOperatorTokens(env.DB)).map(represent) })

/** `POST /operator/v1/tokens/{id}/revoke`: it and the sessions that it began end at once. */
export const revokeToken: OperatorHandler<'revokeOperatorToken'> = async ({ env, params: { id } }) => {
  const row = await revokeOperatorToken(env.DB, id, Date.now())
  if (row) {
    const { name, role } = row
    return changed(represent(row), {
      subject: id,
      before: { name, role },
      after: { name, role, revoked: true },
    })
  }
  return refuse({ code: 'operator-token-not-found', detail: `There is no operator token ${id}.` })
}

function represent({ id, name, role, createdAt, createdBy, revokedAt }: OperatorTokenRow): OperatorToken {
  return {
    id,
    name,
    role,
    created: new Date(createdAt).toISOString(),
    createdBy,
    revoked: revokedAt === null ? null : new Date(revokedAt).toISOString(),
  }
}
