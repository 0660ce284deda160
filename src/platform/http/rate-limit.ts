import ipaddr from 'ipaddr.js'
import { type Result, ok, refuse } from '../../contract/result.ts'
import type { Refusal } from './refusal.ts'

/**
 * A limit as wrangler.toml has it, for the headers: `limit` requests in `period` seconds, counted
 * per location.
 */
export type Quota = { name: string; limit: number; period: 10 | 60 }

/**
 * Counts a request of `key` against a rate limiting binding, and refuses it when it is one too
 * many.
 */
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
