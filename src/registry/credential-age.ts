import type { Credential } from '../contract/hub-health.ts'
import type { CredentialState } from '../contract/key-limits.ts'
import { DAY, isoTime } from '../contract/timestamp.ts'

/** An end is near for this long (ms), and stays in the list as long after it. */
const NEAR = 14 * DAY
/** A key or a token is old after this long (ms). */
const OLD = 365 * DAY
/** The most credentials that the health of the hub lists. */
const MOST = 50

/** Returns whether an API key or an operator token has ended, ends soon, or is old. Times are in ms. */
export function credentialState(
  { createdAt, expiresAt }: { createdAt: number; expiresAt: number | null },
  now: number,
): CredentialState {
  if (expiresAt !== null && expiresAt <= now) return 'ended'
  if (expiresAt !== null && expiresAt <= now + NEAR) return 'ends-soon'
  return createdAt <= now - OLD ? 'old' : 'working'
}

/**
 * Lists live API keys of enabled points of sale, and operator tokens, that end within two weeks, ended
 * within the last two, or are older than a year: those that end first come first.
 */
export async function dueCredentials(database: D1Database, now: number): Promise<Credential[]> {
  const isDue = (table: string) =>
    `(${table}.expires_at between ?1 and ?2 or ${table}.created_at <= ?3 and ifnull(${table}.expires_at, ?2) > ?1)`
  const { results } = await database
    .prepare(
      `select 'api-key' kind, p.id, p.name, k.created_at createdAt, k.expires_at expiresAt
         from api_keys k join points_of_sale p on p.id = k.pos
         where k.revoked_at is null and p.disabled_at is null and ${isDue('k')}
       union all select 'operator-token', t.id, t.name, t.created_at, t.expires_at
         from operator_tokens t where t.revoked_at is null and ${isDue('t')}
       order by 5 nulls last, 4 limit ${MOST}`,
    )
    .bind(now - NEAR, now + NEAR, now - OLD)
    .all<Pick<Credential, 'kind' | 'id' | 'name'> & { createdAt: number; expiresAt: number | null }>()
  return results.map(({ kind, id, name, createdAt, expiresAt }) => ({
    kind,
    id,
    name,
    created: isoTime(createdAt),
    expires: isoTime(expiresAt),
    state: credentialState({ createdAt, expiresAt }, now),
  }))
}
