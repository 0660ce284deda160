import type { Quota } from '../platform/http/rate-limit.ts'

/** The limits of wrangler.toml on the operator API; a test holds the two together. */
export const OPERATOR_QUOTAS = {
  operatorPerAddress: { name: 'operator-address', limit: 60, period: 60 },
  sessionsPerOperator: { name: 'operator-sessions', limit: 30, period: 60 },
} as const satisfies Record<string, Quota>
