import * as v from 'valibot'
import type { Mode } from '../../registry/account.ts'

export const Credentials = v.object({
  apiKey: v.pipe(
    v.string('must be a text'),
    v.regex(/^(test|live)_\w{10,}$/, 'must be a Mollie API key: test_… or live_…'),
    v.description('API key (live_… or test_…), from Developers → API keys'),
  ),
})
export type Credentials = v.InferOutput<typeof Credentials>

/** Mollie's keys show their mode. */
export function modeOf({ apiKey }: Credentials): Mode {
  return apiKey.startsWith('live_') ? 'live' : 'test'
}
