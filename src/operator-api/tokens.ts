import * as v from 'valibot'
import { randomHex } from '../platform/crypto/bytes.ts'
import { sha256 } from '../platform/crypto/hash.ts'
import { refuse } from '../platform/result.ts'
import { readJsonObject } from '../platform/http/body.ts'
import { invalid } from '../platform/http/invalid.ts'
import { json } from '../platform/http/respond.ts'
import {
  type OperatorTokenRow,
  addOperatorToken,
  listOperatorTokens,
  revokeOperatorToken,
} from '../registry/operator-tokens.ts'
import type { OperatorToken, OperatorTokenCreated, OperatorTokenList } from './contract/operators.ts'
import { newOperatorToken } from './operator-token.ts'
import type { OperatorHandler } from './permission.ts'
import { type ChangeHandler, changed } from './changed.ts'
import { NewOperatorToken } from './requests.ts'

/** `POST /operator/v1/tokens`: a token with a name and a role. Its answer is the only one that shows it. */
export const createToken: ChangeHandler = async (request, { env }, { name: createdBy }) => {
  const body = await readJsonObject(request)
  if (!body.ok) return body
  const wanted = v.safeParse(NewOperatorToken, body.value)
  if (!wanted.success) return invalid(wanted.issues)
  const token = newOperatorToken()
  const row: OperatorTokenRow = {
    ...wanted.output,
    hash: await sha256(token),
    id: randomHex(32),
    createdAt: Date.now(),
    createdBy,
    revokedAt: null,
  }
  if (await addOperatorToken(env.DB, row)) {
    const created: OperatorTokenCreated = { ...represent(row), token }
    const { name, role } = row
    return changed(json(created, { status: 201 }), { subject: row.id, before: null, after: { name, role } })
  }
  const detail = `There is an operator token ${row.name} already.`
  return refuse({ code: 'operator-token-conflict', detail, field: 'name' })
}

/** `GET /operator/v1/tokens`, oldest first. */
export const listTokens: OperatorHandler<object> = async (_, { env }) =>
  json({ tokens: (await listOperatorTokens(env.DB)).map(represent) } satisfies OperatorTokenList)

/** `POST /operator/v1/tokens/{id}/revoke`: it and the sessions that it began end at once. */
export const revokeToken: ChangeHandler<{ id: string }> = async (_, { env, params: { id } }) => {
  const row = await revokeOperatorToken(env.DB, id, Date.now())
  if (row) {
    const { name, role } = row
    return changed(json(represent(row)), {
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
