export const ACCOUNT_ID = /^[a-z0-9][a-z0-9-]{0,39}$/

export function isAccountId(text: string): boolean {
  return ACCOUNT_ID.test(text)
}

/** Tells whether a text is a job id as paths have it: a UUID of any version, in small letters. */
export function isJobId(text: string): boolean {
  return /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/.test(text)
}

/** Returns the job id in a text of small or capital letters; null for any other text. */
export function parseJobId(text: string): string | null {
  const id = text.toLowerCase()
  return isJobId(id) ? id : null
}

/**
 * Returns the job id in a link (`linkOf` adds a dot and a mark), or in a plain id; null for any other
 * text.
 */
export function parseJobLink(text: string): string | null {
  return parseJobId(text.replace(/\.[0-9a-f]{6}$/i, ''))
}

/**
 * Writes the first 16 bytes as a UUID of version 8, which is for ids that a vendor derives (RFC 9562,
 * section 5.8).
 */
export function uuidV8(bytes: Uint8Array): string {
  const hex = Array.from(bytes.slice(0, 16), (byte, i) =>
    (i === 6 ? (byte & 0x0f) | 0x80 : i === 8 ? (byte & 0x3f) | 0x80 : byte).toString(16).padStart(2, '0'),
  ).join('')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** Returns another UUID that follows from an id: a different one for each `n` up to 15, and the id itself for 0. */
export function siblingOf(id: string, n: number): string {
  return id.replace(/^[\da-f]/, (digit) => (parseInt(digit, 16) ^ n).toString(16))
}

/**
 * Tells whether the hub derived an id from a point of sale and an Idempotency-Key. Derived ids are
 * of version 8, random ones of version 4.
 */
export function isDerivedId(id: string): boolean {
  return id[14] === '8'
}
