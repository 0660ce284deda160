import { beforeEach } from 'vitest'
import { accessTeam } from '../support/hub/access-team.ts'
import { operateAt } from '../support/hub/operator.ts'

type AccessTeam = Awaited<ReturnType<typeof accessTeam>>

/** A request, with the caller and the roles that the hub gives. */
type AccessRequest = { roles?: string; path?: string; method?: string; headers?: Record<string, string> }

export const ROLES =
  'group:Payment Admins=operator group:support-desk=support group:viewers=viewer service:robot.access=support'

/** The hub caches keys by team, so each test asks with a team of its own. */
export function teamOfEachTest() {
  const access = {
    team: undefined as unknown as AccessTeam,
    ask: (assertion: string, request?: AccessRequest) => askByAccess(access.team, assertion, request),
  }
  beforeEach(async () => {
    access.team = await accessTeam(`team-${crypto.randomUUID()}`)
  })
  return access
}

/** Sends a request to a hub that lets a team of Cloudflare Access in. */
function askByAccess(
  team: AccessTeam,
  assertion: string,
  { roles = ROLES, path = '/me', method = 'GET', headers = {} }: AccessRequest = {},
) {
  return operateAt(team.vars(roles), method, path, undefined, {
    'cf-access-jwt-assertion': assertion,
    ...headers,
  })
}

export async function codeOf(response: Response) {
  return [response.status, (await response.json<{ code: string }>()).code]
}
export const INVALID = [401, 'access-invalid']
export function inSeconds(seconds: number) {
  return Math.floor(Date.now() / 1000) + seconds
}
