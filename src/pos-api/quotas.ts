import type { Quota } from '../platform/http/rate-limit.ts'

/** The limits of wrangler.toml, as their clients are told them; a test holds the two together. */
export const QUOTAS = {
  guardianPerAddress: { name: 'guardian-address', limit: 1200, period: 60 },
  guardianPerKey: { name: 'guardian-key', limit: 120, period: 60 },
  createPerPos: { name: 'create', limit: 20_000, period: 10 },
  searchPerPos: { name: 'search', limit: 600, period: 60 },
} as const satisfies Record<string, Quota>
