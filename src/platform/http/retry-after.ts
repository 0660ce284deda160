/**
 * The seconds that a response asks to be left alone for (RFC 9110, section 10.2.3: seconds, or a
 * date), or null.
 */
export function retryAfterOf(headers: Headers, now: number): number | null {
  const text = headers.get('retry-after')
  if (text === null) return null
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - now) / 1000
  return Number.isFinite(seconds) && seconds > 0 ? Math.ceil(seconds) : null
}
