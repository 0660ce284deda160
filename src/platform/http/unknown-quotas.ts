import type { Quota } from './rate-limit.ts'

/** The limits of wrangler.toml on ids that nobody knows; a test holds the two together. */
export const UNKNOWN_QUOTAS = {
  unknownJobsPerAddress: { name: 'unknown-jobs', limit: 60, period: 60 },
  unknownReturnsPerAddress: { name: 'unknown-returns', limit: 600, period: 60 },
} as const satisfies Record<string, Quota>
