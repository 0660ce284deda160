import ipaddr from 'ipaddr.js'

/** Names inside a network (RFC 6761, 6762, 7686, 8375, and those of routers and companies). */
const INTERNAL = /(^|\.)(localhost|local|internal|intranet|private|corp|home|lan|onion|arpa)$/

/** `own` are the hub's hosts; `loopback` allows addresses of this machine, in the local run. */
export type PublicUrlRules = { own: readonly string[]; loopback: boolean }

/**
 * Returns why the hub may not redirect or post to an address, or null if it may: https on port 443 to
 * a public name, without credentials. A Worker cannot ask DNS, so the name counts as written. With
 * `loopback`, http and any port on this machine are also allowed.
 */
export function refusedUrl(text: string, { own, loopback }: PublicUrlRules): string | null {
  if (text.length > 2048) return 'must have at most 2048 characters'
  if (/[\s\p{Cc}\\]/u.test(text)) return 'must not have spaces, backslashes or control characters'
  const url = URL.parse(text)
  // The text counts, not the URL that the lenient WHATWG parser makes of it (RFC 3986, section 3.2).
  const [, authority = ''] = /^https?:\/\/([^/?#]+)/i.exec(text) ?? []
  if (!url || authority === '') return 'must be an absolute https URL'
  if (authority.includes('@')) return 'must not carry credentials'
  if (loopback && isLoopback(url.hostname)) return null
  if (url.protocol !== 'https:') return 'must be an https URL'
  if (url.port !== '') return 'must use port 443'
  const host = normalHost(url.hostname)
  if (isAddress(host)) return 'must name a host, not an IP address'
  const labels = host.split('.')
  if (labels.length < 2 || labels.includes('') || INTERNAL.test(host)) return 'must name a public host'
  if (own.some((name) => normalHost(name) === host)) return 'must not point at the hub itself'
  return null
}

/** The hub's own till sends this instead of a shop's address: the customer stays on the hub, and it sends no report. */
export function tillAddress(origin: string): string {
  return `${origin}/till`
}

/** Ignores capitals and a final dot (RFC 4343; RFC 1034, section 3.1). */
function normalHost(name: string): string {
  return name.toLowerCase().replace(/\.$/, '')
}

/**
 * Returns the name that the owner of a host registered. It may be too short under a suffix such as
 * `co.uk` that this rule does not know: limits then count several owners together. All loopback hosts
 * are one.
 */
export function registrableName(hostname: string): string {
  if (isLoopback(hostname)) return 'localhost'
  const labels = normalHost(hostname).split('.')
  const [second = '', first = ''] = labels.slice(-2)
  return labels.slice(first.length === 2 && second.length <= 3 ? -3 : -2).join('.')
}

export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '127.0.0.1' || hostname === '[::1]'
}

/** The URL parser has already turned octal, hex and short addresses into four parts. */
function isAddress(host: string): boolean {
  return host.startsWith('[') || ipaddr.isValid(host)
}
