import { log } from '../platform/log.ts'
import { keepHeads, newestHead } from './audit-heads.ts'
import { auditLog } from './audit-log.ts'

/**
 * Each hour: keeps the head of the audit log in D1, one a day, and logs it. Whoever changes entries
 * would have to change those too. A log that lacks the head kept last is not believed.
 */
export async function keepAuditHeads(env: Env): Promise<void> {
  try {
    const known = await newestHead(env.DB)
    const heads = await auditLog(env).headsSince(known)
    if (!heads) return log.error('audit.broken', { number: known.number, hash: known.hash })
    await keepHeads(env.DB, heads)
    for (const { day, number, hash } of heads) log.info('audit.head', { day, number, hash })
  } catch (error) {
    log.fault('audit.head-failed', error)
  }
}
