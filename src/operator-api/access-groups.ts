import * as v from 'valibot'
import { sha256 } from '../platform/crypto/hash.ts'
import { MINUTE } from '../contract/timestamp.ts'
import { bounded } from '../platform/bounded.ts'
import type { Call } from '../psp/http-client.ts'
import type { Claims } from './access-assertion.ts'

const Identity = v.object({ user_uuid: v.optional(v.string()), groups: v.optional(v.unknown()) })

/** Groups by the hash of a token. Who leaves a group stays in it for this long at most. */
const known = bounded<readonly string[]>(MINUTE)

/**
 * The groups of somebody whom Access let in, by their names and ids: those in the token, where the identity provider is set up to put
 * them there (`custom.groups`), else those that the team's `get-identity` tells. `unavailable` when it does not answer, null when it
 * says that the login has ended. `call` asks the team with the token as the cookie of its login.
 */
export async function groupsOf(
  claims: Claims,
  assertion: string,
  call: Call,
): Promise<readonly string[] | 'unavailable' | null> {
  const told = claims.custom.groups ?? claims.groups
  // A service token is in no group.
  if (told !== undefined || claims.email === '') return namesIn(told)
  const hash = await sha256(assertion)
  const before = known.get(hash)
  if (before) return before
  const answer = await call('GET', '/cdn-cgi/access/get-identity')
  if (answer.is === 'unavailable') return 'unavailable'
  const identity = v.safeParse(Identity, answer.body)
  if (answer.status !== 200 || !identity.success) return null
  if (identity.output.user_uuid !== undefined && identity.output.user_uuid !== claims.sub) return null
  const groups = namesIn(identity.output.groups)
  known.set(hash, groups)
  return groups
}

const Group = v.union([
  v.pipe(
    v.string(),
    v.transform((name) => [name]),
  ),
  v.pipe(
    v.object({ id: v.optional(v.string()), name: v.optional(v.string()) }),
    v.transform(({ id, name }) => [id ?? '', name ?? ''].filter(Boolean)),
  ),
])

/** A group is a text, or an object with an id and a name; one alone may stand without a list. */
function namesIn(groups: unknown): string[] {
  return [groups].flat().flatMap((group) => {
    const read = v.safeParse(Group, group)
    return read.success ? read.output : []
  })
}
