import * as registry from '../registry/operator-tokens.ts'
import * as sessions from '../registry/sessions.ts'
import type { Operator } from '../contract/operation.ts'
import type { OperatorToken } from '../contract/operators.ts'
import { endOf } from '../contract/key-limits.ts'
import { refuse } from '../contract/result.ts'
import { isoTime } from '../contract/timestamp.ts'
import { randomHex, sha256 } from '../platform/crypto/hash.ts'
import { markId } from '../platform/crypto/signing.ts'
import { reply } from '../platform/http/operations.ts'
import { invalidField } from '../platform/http/refusal.ts'
import { hasExpired } from '../registry/profile.ts'
import { sessionCookie, sessionOf } from '../platform/http/browser.ts'
import { newSession } from './authenticate.ts'
import { randomLetters } from './points-of-sale.ts'
import { type OperatorHandler, changed } from './serve.ts'

export const showMe: OperatorHandler<'showMe'> = async (_, { name, role, via, until }) =>
  reply({ name, role, via, until: isoTime(until ?? null) })

/** Begins a session, only with a token: a session must not prolong itself, and Access needs none. */
export const beginSession: OperatorHandler<'beginSession'> = async ({ request, env }, operator) => {
  if (operator.via !== 'secret' && operator.via !== 'token') {
    const detail = 'A session begins with a token: send it as Authorization: Bearer.'
    return refuse({ code: 'credentials-missing', detail })
  }
  const now = Date.now()
  const begun = await newSession(env, operator, now)
  await sessions.addSession(env.DB, {
    hash: await sha256(begun.session),
    token: operator.token ?? '',
    name: operator.name,
    beganAt: now,
    expiresAt: begun.until,
  })
  const until = isoTime(begun.until)
  const cookie = { 'set-cookie': sessionCookie(request, now, begun) }
  return changed({ session: begun.session, until }, { subject: operator.name, after: { until } }, cookie)
}

export const endSession: OperatorHandler<'endSession'> = async ({ request, env }, { name, via, until }) => {
  const now = Date.now()
  const session = via === 'session' ? sessionOf(request) : null
  if (session !== null && until !== undefined)
    await registry.endSession(env.DB, { hash: await sha256(session), expiresAt: until }, now)
  const ended = session !== null
  const cookie = { 'set-cookie': sessionCookie(request, now) }
  return changed({ ended }, { subject: name, after: { ended } }, cookie)
}

/** The first half of a session's hash names it: 128 bits, with which nobody can find the session. */
function representSession({ hash, name, beganAt, expiresAt }: sessions.Session, own: boolean) {
  return { id: hash.slice(0, 32), name, began: isoTime(beganAt), until: isoTime(expiresAt), own }
}

/** Returns the sessions that go on, and how the operator sees each. */
async function shownSessions({ request, env }: { request: Request; env: Env }, { via }: Operator) {
  const own = via === 'session' ? await sha256(sessionOf(request) ?? '') : ''
  const rows = await sessions.listSessions(env.DB, Date.now())
  return rows.map((row) => ({ row, shown: representSession(row, row.hash === own) }))
}

export const listSessions: OperatorHandler<'listSessions'> = async (asked, operator) =>
  reply({ sessions: (await shownSessions(asked, operator)).map(({ shown }) => shown) })

export const endOneSession: OperatorHandler<'endOneSession'> = async (asked, operator) => {
  const { env, params } = asked
  const found = (await shownSessions(asked, operator)).find(({ shown }) => shown.id === params.id)
  if (!found) return refuse({ code: 'session-not-found', detail: `There is no session ${params.id}.` })
  await registry.endSession(env.DB, found.row, Date.now())
  return changed(found.shown, { subject: params.id, before: { name: found.shown.name } })
}

export const createOperatorToken: OperatorHandler<'createOperatorToken'> = async (
  { env, body: { name, role, expires } },
  operator,
) => {
  const now = Date.now()
  const end = endOf(expires, now)
  if (!end.ok) return invalidField('expires', end.error)
  // The prefix makes a leaked token easy to find. 37 letters carry 220 bits.
  const token = await markId(env.SIGNING_ROOT, `hub_op_${randomLetters(37)}`)
  const row: registry.OperatorTokenRow = {
    name,
    role,
    hash: await sha256(token),
    id: randomHex(32),
    createdAt: now,
    createdBy: operator.name,
    revokedAt: null,
    usedAt: null,
    expiresAt: end.value,
  }
  const living = (await registry.listOperatorTokens(env.DB)).filter(
    (one) => one.revokedAt === null && !hasExpired(one, now),
  )
  // Two people whose names differ only by case could not be told apart in the audit log.
  const alike = living.find((one) => one.name.toLowerCase() === name.toLowerCase())
  if (!alike && (await registry.addOperatorToken(env.DB, row)))
    return changed(
      { ...represent(row), token },
      { subject: row.id, after: { name, role, expires: isoTime(end.value) } },
    )
  const detail = `There is an operator token ${alike?.name ?? name} already.`
  return refuse({ code: 'operator-token-conflict', detail, field: 'name' })
}

export const listOperatorTokens: OperatorHandler<'listOperatorTokens'> = async ({ env }) =>
  reply({ tokens: (await registry.listOperatorTokens(env.DB)).map(represent) })

export const revokeOperatorToken: OperatorHandler<'revokeOperatorToken'> = async ({ env, params }) => {
  const { id } = params
  const row = await registry.revokeOperatorToken(env.DB, id, Date.now())
  if (!row) return refuse({ code: 'operator-token-not-found', detail: `There is no operator token ${id}.` })
  const before = { name: row.name, role: row.role }
  return changed(represent(row), { subject: id, before, after: { ...before, revoked: true } })
}

function represent(row: registry.OperatorTokenRow): OperatorToken {
  const { id, name, role, createdBy } = row
  const [created, revoked, used] = [isoTime(row.createdAt), isoTime(row.revokedAt), isoTime(row.usedAt)]
  return { id, name, role, created, createdBy, revoked, expires: isoTime(row.expiresAt), used }
}
