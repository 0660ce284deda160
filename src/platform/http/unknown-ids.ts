import { isMarkedId } from '../crypto/marked-id.ts'
import { type Quota, countRequest } from './rate-limit.ts'

/** The limits of wrangler.toml on ids that nobody knows; a test holds the two together. */
export const UNKNOWN_QUOTAS = {
  unknownJobsPerAddress: { name: 'unknown-jobs', limit: 60, period: 60 },
  unknownReturnsPerAddress: { name: 'unknown-returns', limit: 600, period: 60 },
} as const satisfies Record<string, Quota>

/** An id or a link that a stranger sends, why they send it, and whom that is counted as. */
type Visit = { id: string; to: 'pay' | 'return' | 'notify' | 'sandbox'; from: string }

/**
 * Looks up an id that anybody may send. The hub's own ids carry its mark and are never counted, so
 * whoever has a real payment gets through. Any other id is counted against `from` before an object
 * is started: `too-many` above the limit. It is still looked up below the limit, because ids made
 * before `SIGNING_ROOT` was replaced carry another mark.
 */
export async function lookUpId<Found>(
  env: Env,
  { id, to, from }: Visit,
  find: () => Promise<Found>,
): Promise<Found | 'too-many'> {
  if (await isMarkedId(env.SIGNING_ROOT, id)) return find()
  // Returns and notifications have a limit of their own, which visits to `/pay/` do not use up.
  const [binding, quota] =
    to === 'return' || to === 'notify'
      ? [env.UNKNOWN_RETURNS_PER_ADDRESS, UNKNOWN_QUOTAS.unknownReturnsPerAddress]
      : [env.UNKNOWN_JOBS_PER_ADDRESS, UNKNOWN_QUOTAS.unknownJobsPerAddress]
  const counted = await countRequest(binding, quota, `${to} ${from}`)
  return counted.ok ? find() : 'too-many'
}
