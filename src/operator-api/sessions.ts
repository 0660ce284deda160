import { sha256 } from '../platform/crypto/hash.ts'
import { refuse } from '../platform/result.ts'
import { json } from '../platform/http/respond.ts'
import { endSession } from '../registry/operator-tokens.ts'
import type { Me, SessionBegun, SessionEnded } from './contract/operators.ts'
import { type ChangeHandler, changed } from './changed.ts'
import type { OperatorHandler } from './permission.ts'
import { newSession, sessionCookie, sessionOf } from './session.ts'

/** `GET /operator/v1/me`: who asks, what they may do, and until when. */
export const showMe: OperatorHandler<object> = (_, __, { name, role, via, until }) =>
  json({
    name,
    role,
    via,
    until: until === undefined ? null : new Date(until).toISOString(),
  } satisfies Me)

/**
 * `POST /operator/v1/sessions`: a session for a browser, in the answer and as its cookie. It begins with a token: a session cannot prolong
 * itself, and who comes by Access needs none.
 */
export const beginSession: ChangeHandler = async (request, { env }, operator) => {
  if (operator.via !== 'secret' && operator.via !== 'token') {
    const detail = 'A session begins with a token: send it as Authorization: Bearer.'
    return refuse({ code: 'credentials-missing', detail })
  }
  const now = Date.now()
  const begun = await newSession(env, operator, now)
  const until = new Date(begun.until).toISOString()
  const answer = json({ session: begun.session, until } satisfies SessionBegun, {
    status: 201,
    headers: { 'set-cookie': sessionCookie(request, now, begun) },
  })
  return changed(answer, { subject: operator.name, before: null, after: { until } })
}

/** `POST /operator/v1/sessions/end`: the session that asks ends, for everybody who has its cookie. */
export const endThisSession: ChangeHandler = async (request, { env }, { name, via, until }) => {
  const now = Date.now()
  const session = via === 'session' ? sessionOf(request) : null
  if (session !== null && until !== undefined)
    await endSession(env.DB, { hash: await sha256(session), expiresAt: until }, now)
  const ended = session !== null
  const answer = json({ ended } satisfies SessionEnded, {
    headers: { 'set-cookie': sessionCookie(request, now) },
  })
  return changed(answer, { subject: name, before: null, after: { ended } })
}
