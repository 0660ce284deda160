import { type Result, ok, refuse } from '../../contract/result.ts'
import type { Refusal } from './refusal.ts'

/** A limit as wrangler.toml has it, for the headers: `limit` requests in `period` seconds, counted per location. */
export type Quota = { name: string; limit: number; period: 10 | 60 }

/** Counts a request of `key` against a rate limiting binding, and refuses it when it is one too many. */
export async function countRequest(
  binding: RateLimit,
  quota: Quota,
  key: string,
): Promise<Result<null, Refusal>> {
  return (await binding.limit({ key })).success ? ok(null) : refuse({ code: 'rate-limited', ...quota })
}
