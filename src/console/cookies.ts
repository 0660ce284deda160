/** Cookies of the console. Over https they have the names that browsers take only from the host itself (RFC 6265bis, section 4.1.3). */

export function isSecure(url: URL): boolean {
  return url.protocol === 'https:'
}

/** The name of the session's cookie, at the address that was asked. A hub on this machine, over http, cannot have the prefix. */
function sessionName(url: URL): string {
  return isSecure(url) ? '__Host-hub-session' : 'hub-session'
}

export function cookie(url: URL, name: string, value: string, path: string, seconds: number): string {
  return `${name}=${value}; Path=${path}; Max-Age=${seconds}; HttpOnly; SameSite=Strict${isSecure(url) ? '; Secure' : ''}`
}

export function sessionCookie(url: URL, session: string, until: string, now: number): string {
  return cookie(
    url,
    sessionName(url),
    session,
    '/',
    Math.max(0, Math.floor((Date.parse(until) - now) / 1000)),
  )
}

export function endedSession(url: URL): string {
  return cookie(url, sessionName(url), '', '/', 0)
}

export function cookieOf(request: Request, name: string): string | null {
  for (const pair of (request.headers.get('cookie') ?? '').split(';')) {
    const [found = '', ...value] = pair.trim().split('=')
    if (found === name) return value.join('=')
  }
  return null
}
