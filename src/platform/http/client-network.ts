import ipaddr from 'ipaddr.js'

/**
 * Whom a request is counted as: the address it comes from, and of IPv6 its /64, for whoever has one address of it has all
 * (RFC 6177). Cloudflare writes the address; a local run without one is `local`.
 */
export function clientNetwork(request: Request): string {
  const address = request.headers.get('cf-connecting-ip') ?? 'local'
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  if (parsed instanceof ipaddr.IPv4) return parsed.toString()
  const network = parsed.parts.slice(0, 4).map((part) => part.toString(16))
  return `${network.join(':')}::/64`
}
