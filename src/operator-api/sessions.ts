import { sha256 } from '../platform/crypto/hash.ts'
import { refuse } from '../contract/result.ts'
import { endSession } from '../registry/operator-tokens.ts'
import { changed, type OperatorHandler } from './handler.ts'
import { newSession, sessionCookie, sessionOf } from './session.ts'
import { reply } from '../platform/http/operations.ts'

/** `GET /operator/v1/me`: who asks, what they may do, and until when. */
export const showMe: OperatorHandler<'showMe'> = async (_, { name, role, via, until }) =>
  reply({
    name,
    role,
    via,
    until: until === undefined ? null : new Date(until).toISOString(),
  })

/**
 * `POST /operator/v1/sessions`: a session for a browser, in the answer and as its cookie. It begins with a token: a session cannot prolong
 * itself, and who comes by Access needs none.
 */
export const beginSession: OperatorHandler<'beginSession'> = async ({ request, env }, operator) => {
  if (operator.via !== 'secret' && operator.via !== 'token') {
    const detail = 'A session begins with a token: send it as Authorization: Bearer.'
    return refuse({ code: 'credentials-missing', detail })
  }
  const now = Date.now()
  const begun = await newSession(env, operator, now)
  const until = new Date(begun.until).toISOString()
  return changed(
    { session: begun.session, until },
    { subject: operator.name, before: null, after: { until } },
    { 'set-cookie': sessionCookie(request, now, begun) },
  )
}

/** `POST /operator/v1/sessions/end`: the session that asks ends, for everybody who has its cookie. */
export const endThisSession: OperatorHandler<'endSession'> = async (
  { request, env },
  { name, via, until },
) => {
  const now = Date.now()
  const session = via === 'session' ? sessionOf(request) : null
  if (session !== null && until !== undefined)
    await endSession(env.DB, { hash: await sha256(session), expiresAt: until }, now)
  const ended = session !== null
  return changed(
    { ended },
    { subject: name, before: null, after: { ended } },
    { 'set-cookie': sessionCookie(request, now) },
  )
}
