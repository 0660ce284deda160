import type { Refusal } from './refusal.ts'

/** A limit as wrangler.toml has it, for the headers: `limit` requests in `period` seconds, counted per place. */
export type Quota = { name: string; limit: number; period: 10 | 60 }

/** Counts a request of `key` against a rate limiting binding; a refusal when it is one too many. */
export const overLimit = async (binding: RateLimit, quota: Quota, key: string): Promise<Refusal | null> =>
  (await binding.limit({ key })).success ? null : { refused: 'too-many', ...quota }
