import * as v from 'valibot'
import type { TakenAway } from '../audit/audit-log.ts'
import { MINUTE } from '../contract/timestamp.ts'

/** The changes that take something away, and those that say what existed then. */
export const TAKING =
  'pos.create pos.rekey pos.revoke pos.disable pos.enable pos.resecret psp.remove token.revoke'

const Secret = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ version: v.number(), formerUntil: v.nullish(v.string()) }),
)

/**
 * Takes away again what operators took away after the backup, because restored rows are as they were before.
 * Applies the audit log from its oldest entry on, so that the newest change counts. With `isLogOlder` the log
 * comes from the backup too: it cannot know which operator tokens were revoked later, so all of them end.
 * Returns their names.
 */
export async function takeAway(
  database: D1Database,
  changes: readonly TakenAway[],
  isLogOlder: boolean,
): Promise<string[]> {
  const run = (sql: string, ...values: unknown[]) => database.prepare(sql).bind(...values)
  /** When the newest API key of a point of sale was made. */
  const made = new Map<string, number>()
  const endTokens = (pos: string, at: number) =>
    run('update points_of_sale set tokens_since = max(coalesce(tokens_since, 0), ?) where id = ?', at, pos)
  const statements = changes.flatMap(({ at, action, subject, after }) => {
    switch (action) {
      case 'pos.create':
      case 'pos.rekey':
        made.set(subject, at)
        return []
      case 'pos.revoke': {
        // The log records a key a little later than the key's own time of creation.
        const older = (made.get(subject) ?? 0) - MINUTE
        const revoke =
          'update api_keys set revoked_at = ? where pos = ? and revoked_at is null and created_at < ?'
        return [run(revoke, at, subject, older), endTokens(subject, at)]
      }
      case 'pos.disable':
        return [
          run('update points_of_sale set disabled_at = ? where id = ?', at, subject),
          endTokens(subject, at),
        ]
      case 'pos.enable':
        return [run('update points_of_sale set disabled_at = null where id = ?', subject)]
      case 'pos.resecret': {
        const secret = v.safeParse(Secret, after)
        if (!secret.success) return []
        const { version, formerUntil } = secret.output
        const until = formerUntil ? Date.parse(formerUntil) : null
        const replace = `update points_of_sale set signing_version = ?, secret_made_at = ?, former_secret_until = ?
          where id = ? and signing_version < ?`
        return [run(replace, version, at, until, subject, version)]
      }
      case 'psp.remove': {
        const older = '(select id from psp_accounts where id = ? and created_at < ?)'
        const itsTerminals = `(select id from terminals where account in ${older})`
        return [
          run(`delete from routes where account in ${older}`, subject, at),
          run(`delete from pos_terminals where terminal in ${itsTerminals}`, subject, at),
          run(`delete from terminals where account in ${older}`, subject, at),
          run('delete from psp_accounts where id = ? and created_at < ?', subject, at),
        ]
      }
      default:
        return [
          run('update operator_tokens set revoked_at = ? where id = ? and revoked_at is null', at, subject),
        ]
    }
  })
  if (statements.length > 0) await database.batch(statements)
  if (!isLogOlder) return []
  const ended = 'update operator_tokens set revoked_at = ? where revoked_at is null returning name'
  const { results } = await run(ended, Date.now()).all<{ name: string }>()
  return results.map(({ name }) => name)
}
