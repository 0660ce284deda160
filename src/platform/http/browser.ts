/** What browsers send by themselves: cookies, and where a request comes from. */

/**
 * Over https a prefix makes browsers accept a cookie from this very host alone (RFC 6265bis,
 * section 4.1.3). The local run speaks http, where browsers refuse the prefix.
 */
function prefixed(url: string, prefix: '__Host-' | '__Secure-', name: string): string {
  return url.startsWith('https:') ? prefix + name : name
}

/** A cookie for some seconds that no script reads, and that no other site's page sends. */
export function setCookie(url: string, name: string, value: string, path: string, seconds: number): string {
  const isSecure = url.startsWith('https:') ? '; Secure' : ''
  return `${name}=${value}; Path=${path}; Max-Age=${seconds}; HttpOnly; SameSite=Strict${isSecure}`
}

export function cookieOf({ headers }: Request, name: string): string | null {
  const start = `${name}=`
  const cookies = (headers.get('cookie') ?? '').split(/; */)
  return cookies.find((cookie) => cookie.startsWith(start))?.slice(start.length) || null
}

/** The name of the cookie that one page gets. */
export function pageCookieName(url: string): string {
  return prefixed(url, '__Secure-', 'hub-once')
}

/** The cookie of a session until it ends (ms). Without a session it takes the cookie away. */
export function sessionCookie({ url }: Request, now: number, { session = '', until = now } = {}): string {
  const seconds = Math.max(0, Math.floor((until - now) / 1000))
  return setCookie(url, prefixed(url, '__Host-', 'hub-session'), session, '/', seconds)
}

/** The session that a request's cookie holds, or null. */
export function sessionOf(request: Request): string | null {
  return cookieOf(request, prefixed(request.url, '__Host-', 'hub-session'))
}

/**
 * Whether a browser sent a request from a page of the hub itself. `Sec-Fetch-Site` says so where
 * there is one: scripts cannot set it (https://www.w3.org/TR/fetch-metadata/). Older browsers send
 * `Origin` with each request that may change something. A request with neither is from no page.
 */
export function isFromOwnOrigin({ url, headers }: Request): boolean {
  const site = headers.get('sec-fetch-site')
  const origin = headers.get('origin')
  if (site !== null && site !== 'same-origin') return false
  return origin === null ? site !== null : origin === new URL(url).origin
}
