import { readConfig } from '../platform/config.ts'
import type { Operator } from '../contract/operator.ts'
import { type Result, ok, refuse } from '../contract/result.ts'
import { roleOf } from '../platform/role-table.ts'
import type { Refusal } from '../platform/http/refusal.ts'
import { log } from '../platform/log.ts'
import { type Call, apiClient } from '../psp/http-client.ts'
import { originOf, readAssertion } from './access-assertion.ts'
import { groupsOf } from './access-groups.ts'

/** The header that Cloudflare Access puts on each request that it lets in. Its cookie alone proves nothing: anybody can send one. */
export const ASSERTION = 'cf-access-jwt-assertion'

/**
 * Who Cloudflare Access says is asking, or null where it says nothing, or is off. What somebody may do is told by `ACCESS_ROLES`: by their
 * groups, their email address, or the id of their service token.
 */
export async function operatorOfAccess(
  request: Request,
  env: Env,
  now: number,
): Promise<Result<Operator, Refusal> | null> {
  const assertion = request.headers.get(ASSERTION)
  const config = readConfig(env).access
  if (assertion === null || (config.ok && config.value === null)) return null
  if (!config.ok) {
    // Anybody can send an assertion, and the reason quotes who has which role.
    log.error('access.misconfigured', { reason: config.error })
    return misconfigured
  }
  const { value: access } = config
  if (access === null) return null
  const claims = await readAssertion(assertion, access, now)
  if (!claims.ok) return claims.error.why === 'unavailable' ? unavailable : refused(claims.error.why)
  const { email, common_name: service, exp } = claims.value
  const groups = await groupsOf(claims.value, assertion, callAs(access.team, assertion))
  if (groups === 'unavailable') return unavailable
  if (groups === null) return refused('of a login that has ended')
  const name = email || service
  const role = roleOf(access.roles, [...groups, name])
  if (role !== null) return ok({ name, role, via: 'access', until: exp * 1000 })
  log.warn('operator.forbidden', { by: name, role: 'none', needed: 'viewer' })
  const detail = `${name} has no role here: ACCESS_ROLES names neither them nor a group of theirs.`
  return refuse({ code: 'role-insufficient', detail })
}

/** Asks the team in somebody's name: with a deadline, to a limit, without following anywhere. */
function callAs(team: string, assertion: string): Call {
  return apiClient({
    fetch: (request) => fetch(request),
    endpoint: originOf(team),
    headers: { cookie: `CF_Authorization=${assertion}` },
    secret: assertion,
  })
}

function refused(why: string) {
  return refuse({ code: 'access-invalid', detail: `The token of Cloudflare Access is ${why}.` })
}

const misconfigured = refuse({
  code: 'hub-misconfigured',
  detail:
    'ACCESS_TEAM, ACCESS_AUD and ACCESS_ROLES cannot be used as they are: the log has access.misconfigured.',
  retryAfter: 60,
})

const unavailable = refuse({
  code: 'unavailable',
  detail: 'Cloudflare Access does not answer, so nobody can be let in by it. Try again in a moment.',
  retryAfter: 5,
})
