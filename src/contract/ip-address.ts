import * as v from 'valibot'
import ipaddr from 'ipaddr.js'
import { MUST_BE_TEXT } from './values.ts'

/** `203.0.113.7:443`, or an address in brackets, perhaps with a port (RFC 3986, section 3.2.2). */
const WITH_PORT = /^([\d.]+):\d{1,5}$/
const IN_QUOTES = /^"([^"]*)"$/
const IN_BRACKETS = /^\[([\da-f:.]+)\](?::\d{1,5})?$/i

/**
 * Returns the customer's IP address from the text that a shop got from its proxies: of a list such
 * as `X-Forwarded-For`, the first part that is an address. It may have a port or brackets, or stand
 * in quotes as in `Forwarded` (RFC 7239, section 6). An address with a zone (`%eth0`) does not
 * count, because it has a meaning on one machine only. Returns an empty text if all parts are
 * `unknown` or obfuscated, and null if there is anything else.
 */
export function plainIpAddress(sent: string): string | null {
  const parts = sent.split(',').map((part) => trimmed(part).replace(IN_QUOTES, '$1'))
  const isNobody = parts.every((part) => NOBODY.test(part))
  return parts.map(addressIn).find((found) => found !== null) ?? (isNobody ? '' : null)
}

/** No address: `unknown`, or an obfuscated identifier (RFC 7239, sections 6.2 and 6.3). */
const NOBODY = /^(unknown|_[\w.-]+)?(:(\d{1,5}|_[\w.-]+))?$/i

function addressIn(part: string): string | null {
  const bracketed = IN_BRACKETS.exec(part)?.[1]
  if (bracketed !== undefined) return isIpv6(bracketed) ? bracketed : null
  const plain = WITH_PORT.exec(part)?.[1] ?? part
  return ipaddr.IPv4.isValidFourPartDecimal(plain) || isIpv6(plain) ? plain : null
}

/** Trims spaces and tabs. A regular expression for those at the end would take quadratic time. */
function trimmed(sent: string): string {
  let [start, end] = [0, sent.length]
  while (start < end && BLANK.has(sent[start])) start++
  while (end > start && BLANK.has(sent[end - 1])) end--
  return sent.slice(start, end)
}
const BLANK: ReadonlySet<string | undefined> = new Set([' ', '\t'])

function isIpv6(sent: string): boolean {
  return ipaddr.IPv6.isValid(sent) && !sent.includes('%')
}

/** IPv4, with or without a port; IPv6, plain or in brackets; either may be in quotes and in a list. */
const ONE_ADDRESS = String.raw`((0|[1-9]\d?|1\d\d|2[0-4]\d|25[0-5])(\.(0|[1-9]\d?|1\d\d|2[0-4]\d|25[0-5])){3}(:\d{1,5})?|[\dA-Fa-f.]*:[\dA-Fa-f:.]*|\[[\dA-Fa-f.]*:[\dA-Fa-f:.]*\](:\d{1,5})?)`
const IP_ADDRESS = String.raw`^([\s\S]*,)?[ \t]*(${ONE_ADDRESS}|"${ONE_ADDRESS}")[ \t]*(,[\s\S]*)?$`

/** The customer's address; an empty text if the shop does not know it. */
export const sentIpAddress = v.pipe(
  v.string(MUST_BE_TEXT),
  v.metadata({ pattern: IP_ADDRESS }),
  v.description(
    "The customer's IPv4 or IPv6 address. It may have a port, brackets or quotes. In a list such as `X-Forwarded-For`, the first address " +
      'counts; `unknown` is not an address.',
  ),
  v.examples(['203.0.113.7']),
  v.transform(plainIpAddress),
  v.string('must be an IPv4 or IPv6 address'),
)
