import ipaddr from 'ipaddr.js'
import { type Result, ok, refuse } from '../../contract/result.ts'
import type { Refusal } from './refusal.ts'
import { isMarkedId } from '../crypto/signing.ts'

/** A limit as in wrangler.toml: `limit` requests in `period` seconds, at each location. */
export type Quota = { name: string; limit: number; period: 10 | 60 }

/** A limit, and what counts against it. */
export type Limit = { binding: RateLimit; quota: Quota }

/** Counts a request under each key. Refuses it if one of the keys has too many. */
export async function countRequest(
  binding: RateLimit,
  quota: Quota,
  ...keys: readonly string[]
): Promise<Result<null, Refusal>> {
  const counted = await Promise.all(keys.map((key) => binding.limit({ key })))
  return counted.every(({ success }) => success) ? ok(null) : refuse({ code: 'rate-limited', ...quota })
}

/** A /56 may make 4 times, and a /48 16 times, as many requests as one /64. */
const SHARE_OF_56 = 4
const SHARE_OF_48 = 16

/**
 * Returns the networks against which a request counts, the narrowest first. A caller with one IPv6
 * address has its /64, and often a /56 or a /48 (RFC 6177). The hub counts these in 4 and 16 parts,
 * so that a limit grows with the network. Cloudflare sets the address; in a local run without one it
 * is `local`.
 */
export function networksOf(request: Request): [string, ...string[]] {
  const address = request.headers.get('cf-connecting-ip') ?? 'local'
  if (!ipaddr.isValid(address)) return [address]
  const parsed = ipaddr.process(address)
  if (parsed instanceof ipaddr.IPv4) return [parsed.toString()]
  const [first = 0, second = 0, third = 0, subnet = 0] = parsed.parts
  const network = (last: number) => [first, second, third, last].map((part) => part.toString(16)).join(':')
  return [
    `${network(subnet)}::/64`,
    `${network(subnet & 0xff00)}::/56 ${subnet % SHARE_OF_56}`,
    `${network(0)}::/48 ${subnet % SHARE_OF_48}`,
  ]
}

/** The limit of wrangler.toml on unknown ids of most kinds; a test compares the two. */
export const UNKNOWN_QUOTAS = {
  unknownJobsPerAddress: { name: 'unknown-jobs', limit: 60, period: 60 },
} as const satisfies Record<string, Quota>

/** An id that anyone may send, and the networks against which each purpose counts it separately. */
type Visit = { id: string; purpose: string; from: readonly string[] }

/**
 * Looks up an id that anyone may send. The hub's own ids carry its mark and are never counted, so a
 * customer with a real link always gets through. Any other id is counted against `limit` before the
 * lookup starts an object: `too-many` above it. Below it the hub still looks it up, because ids from
 * before a new `SIGNING_ROOT` carry another mark.
 */
export async function lookUpId<Found>(
  env: Env,
  { id, purpose, from }: Visit,
  find: () => Promise<Found>,
  limit: Limit = {
    binding: env.UNKNOWN_JOBS_PER_ADDRESS,
    quota: UNKNOWN_QUOTAS.unknownJobsPerAddress,
  },
): Promise<Found | 'too-many'> {
  if (await isMarkedId(env.SIGNING_ROOT, id)) return find()
  const keys = from.map((network) => `${purpose} ${network}`)
  const counted = await countRequest(limit.binding, limit.quota, ...keys)
  return counted.ok ? find() : 'too-many'
}
