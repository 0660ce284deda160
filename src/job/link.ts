import { markId } from '../platform/crypto/signing.ts'
import type { Limit, Quota } from '../platform/http/rate-limit.ts'

/** Returns the text for a job in addresses of customers and PSPs: the id, a dot, its mark. */
export function linkOf(root: string, id: string): Promise<string> {
  return markId(root, `${id}.`)
}

/** The limit of wrangler.toml on returns and notifications for unknown jobs; a test compares the two. */
export const RETURN_QUOTAS = {
  unknownReturnsPerAddress: { name: 'unknown-returns', limit: 600, period: 60 },
} as const satisfies Record<string, Quota>

/** Returns the limit on returns and notifications, which visits to `/pay/` do not use up. */
export function returnLimit(env: Env): Limit {
  return { binding: env.UNKNOWN_RETURNS_PER_ADDRESS, quota: RETURN_QUOTAS.unknownReturnsPerAddress }
}
