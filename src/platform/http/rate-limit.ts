import ipaddr from 'ipaddr.js'
import { type Result, ok, refuse } from '../../contract/result.ts'
import type { Refusal } from './refusal.ts'
import { isMarkedId } from '../crypto/signing.ts'

/** A limit as in wrangler.toml: `limit` requests in `period` seconds, for each location. */
export type Quota = { name: string; limit: number; period: 10 | 60 }

export async function countRequest(
  binding: RateLimit,
  quota: Quota,
  key: string,
): Promise<Result<null, Refusal>> {
  return (await binding.limit({ key })).success ? ok(null) : refuse({ code: 'rate-limited', ...quota })
}

/**
 * Whom a request is counted as: the address it comes from, and of IPv6 its /64, for whoever has one
 * address of it has all (RFC 6177). Cloudflare writes the address; a local run without one is
 * `local`.
 */
export function clientNetwork(request: Request): string {
  const address = request.headers.get('cf-connecting-ip') ?? 'local'
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  if (parsed instanceof ipaddr.IPv4) return parsed.toString()
  const network = parsed.parts.slice(0, 4).map((part) => part.toString(16))
  return `${network.join(':')}::/64`
}

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
