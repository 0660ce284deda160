import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { auditLog } from '../../../src/audit/audit-log.ts'

/** Empties the audit log. */
export async function forgetChanges(): Promise<void> {
  await runInDurableObject(auditLog(env), (_, { storage: { sql, kv } }) => {
    sql.exec('delete from entries')
    for (const [key] of Array.from(kv.list())) kv.delete(key)
  })
}

/** Empties the tables of the registry in D1. */
export async function loseRegistry(): Promise<void> {
  const tables =
    'payout_lines payouts closed_months purges pos_terminals refund_pins terminals routes api_keys operator_tokens psp_accounts points_of_sale'
  await env.DB.batch(
    [...tables.split(' '), 'ended_sessions'].map((table) => env.DB.prepare(`delete from ${table}`)),
  )
}
