/** The console's cookies. Over https they have the names that browsers take only from the host itself (RFC 6265bis, section 4.1.3). */

const isSecure = (url: URL): boolean => url.protocol === 'https:'

/** The name of the session's cookie, at the address that was asked. A hub on this machine, over http, cannot have the prefix. */
const sessionName = (url: URL): string => (isSecure(url) ? '__Host-hub-session' : 'hub-session')

const cookie = (url: URL, name: string, value: string, path: string, seconds: number): string =>
  `${name}=${value}; Path=${path}; Max-Age=${seconds}; HttpOnly; SameSite=Strict${isSecure(url) ? '; Secure' : ''}`

export const sessionCookie = (url: URL, session: string, until: string, now: number): string =>
  cookie(url, sessionName(url), session, '/', Math.max(0, Math.floor((Date.parse(until) - now) / 1000)))

export const endedSession = (url: URL): string => cookie(url, sessionName(url), '', '/', 0)

/**
 * What is shown once, such as a new API key, comes with the redirect to its page in a cookie for that page alone. The page takes it away
 * again as it shows it: a reload does not have it, and it is in no address.
 */
const ONCE = 'hub-once'
const ONCE_SECONDS = 60

export const onceCookie = (url: URL, path: string, shown: Readonly<Record<string, string>>): string =>
  cookie(url, ONCE, encodeURIComponent(JSON.stringify(shown)), path, ONCE_SECONDS)

export const endedOnce = (url: URL, path: string): string => cookie(url, ONCE, '', path, 0)

export const cookieOf = (request: Request, name: string): string | null => {
  for (const pair of (request.headers.get('cookie') ?? '').split(';')) {
    const [found = '', ...value] = pair.trim().split('=')
    if (found === name) return value.join('=')
  }
  return null
}

export const shownOnce = (request: Request): Readonly<Record<string, string>> | null => {
  const value = cookieOf(request, ONCE)
  if (!value) return null
  try {
    const shown: unknown = JSON.parse(decodeURIComponent(value))
    if (typeof shown !== 'object' || shown === null) return null
    return Object.fromEntries(Object.entries(shown).map(([name, text]) => [name, String(text)]))
  } catch {
    return null
  }
}
