import type { Quota } from '../http/rate-limit.ts'

/** The limits of wrangler.toml on the customer's addresses; a test holds the two together. */
export const CHECKOUT_QUOTAS = {
  unknownJobsPerAddress: { name: 'unknown-jobs', limit: 60, period: 60 },
} as const satisfies Record<string, Quota>
