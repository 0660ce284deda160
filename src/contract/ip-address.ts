import ipaddr from 'ipaddr.js'

/**
 * `203.0.113.7:443`, and an address in brackets, with a port or without one (RFC 3986, section
 * 3.2.2).
 */
const WITH_PORT = /^([\d.]+):\d{1,5}$/
const IN_BRACKETS = /^\[([\da-f:.]+)\](?::\d{1,5})?$/i

/**
 * The customer's address as shops get it from their proxies, or null when there is none in it: it
 * may have a port or brackets, and of a list such as `X-Forwarded-For` the first counts, which is
 * the customer's. A zone (`%eth0`) means something on one machine only, and is refused.
 */
export function plainIpAddress(text: string): string | null {
  const [first = ''] = text.split(',', 1)
  const written = trimmed(first)
  const bracketed = IN_BRACKETS.exec(written)?.[1]
  if (bracketed !== undefined) return isIpv6(bracketed) ? bracketed : null
  const address = WITH_PORT.exec(written)?.[1] ?? written
  return ipaddr.IPv4.isValidFourPartDecimal(address) || isIpv6(address) ? address : null
}

/**
 * Without the spaces around it. A regular expression for those at the end takes the square of their
 * number.
 */
function trimmed(text: string): string {
  let [start, end] = [0, text.length]
  while (text[start] === ' ') start++
  while (end > start && text[end - 1] === ' ') end--
  return text.slice(start, end)
}

function isIpv6(text: string): boolean {
  return ipaddr.IPv6.isValid(text) && !text.includes('%')
}
