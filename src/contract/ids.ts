/**
 * The form of an account's id. Whatever else a path or a message has in its place names no account.
 */
export const ACCOUNT_ID = /^[a-z0-9][a-z0-9-]{0,39}$/

export function isAccountId(text: string): boolean {
  return ACCOUNT_ID.test(text)
}

/** A job id as paths carry it: a UUID of any version, in lower case. */
export function isJobId(text: string): boolean {
  return /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/.test(text)
}

/** A job id from a text, in small or capital letters; null for a text that is none. */
export function parseJobId(text: string): string | null {
  const id = text.toLowerCase()
  return isJobId(id) ? id : null
}

/**
 * The job id of a link, which has a mark behind a dot (`linkOf`), or of an id by itself; null for
 * any other text.
 */
export function parseJobLink(text: string): string | null {
  return parseJobId(text.replace(/\.[0-9a-f]{6}$/i, ''))
}

/**
 * 16 of the given bytes as a UUID of version 8, the one for ids that a vendor derives (RFC 9562,
 * section 5.8).
 */
export function uuidV8(bytes: Uint8Array): string {
  const hex = Array.from(bytes.slice(0, 16), (byte, i) =>
    (i === 6 ? (byte & 0x0f) | 0x80 : i === 8 ? (byte & 0x3f) | 0x80 : byte).toString(16).padStart(2, '0'),
  ).join('')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/**
 * Whether an id was derived, from a point of sale and an Idempotency-Key: it is of version 8.
 * Random ones are of version 4.
 */
export function isDerivedId(id: string): boolean {
  return id[14] === '8'
}
