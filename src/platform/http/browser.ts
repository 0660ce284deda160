/** Headers that browsers set by themselves: cookies, and where a request comes from. */

/**
 * Adds a prefix to a cookie's name over https, so that browsers accept it only from this host (RFC
 * 6265bis, section 4.1.3). Not in the local run over http, where browsers refuse the prefix.
 */
function prefixed(url: string, prefix: '__Host-' | '__Secure-', name: string): string {
  return url.startsWith('https:') ? prefix + name : name
}

/** Makes a cookie that scripts cannot read, and that browsers do not send from pages of other sites. */
export function setCookie(url: string, name: string, value: string, path: string, seconds: number): string {
  const isSecure = url.startsWith('https:') ? '; Secure' : ''
  return `${name}=${value}; Path=${path}; Max-Age=${seconds}; HttpOnly; SameSite=Strict${isSecure}`
}

export function cookieOf({ headers }: Request, name: string): string | null {
  const start = `${name}=`
  const cookies = (headers.get('cookie') ?? '').split(/; */)
  return cookies.find((cookie) => cookie.startsWith(start))?.slice(start.length) || null
}

export function pageCookieName(url: string): string {
  return prefixed(url, '__Secure-', 'hub-once')
}

/** Makes the cookie of a session until its end (ms). Without a session, deletes the cookie. */
export function sessionCookie({ url }: Request, now: number, { session = '', until = now } = {}): string {
  const seconds = Math.max(0, Math.floor((until - now) / 1000))
  return setCookie(url, prefixed(url, '__Host-', 'hub-session'), session, '/', seconds)
}

/** Returns the session in a request's cookie, or null. */
export function sessionOf(request: Request): string | null {
  return cookieOf(request, prefixed(request.url, '__Host-', 'hub-session'))
}

/**
 * Tells whether a browser sent a request from a page of the hub itself. `Sec-Fetch-Site` says that,
 * and scripts cannot set it (https://www.w3.org/TR/fetch-metadata/). Older browsers lack it, but send
 * `Origin` with each request that may change something. A request with neither is not from a page.
 */
export function isFromOwnOrigin({ url, headers }: Request): boolean {
  const site = headers.get('sec-fetch-site')
  const origin = headers.get('origin')
  if (site !== null && site !== 'same-origin') return false
  return origin === null ? site !== null : origin === new URL(url).origin
}
