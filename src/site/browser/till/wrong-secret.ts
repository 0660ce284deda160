/** Characters of a signing secret: base64 of 48 bytes (RFC 4648, section 4). */
const LENGTH = 64

/** What is wrong with the form of a signing secret; null when it can be one, and when none is given. */
export function wrongSecret(secret: string): string | null {
  if (secret === '') return null
  const stranger = /[^A-Za-z0-9+/]/u.exec(secret)?.[0]
  if (stranger !== undefined) {
    const name = /\s/.test(stranger) ? 'a space' : `“${stranger}”`
    return `A signing secret has letters, digits, + and / only. This one has ${name} in it.`
  }
  return secret.length === LENGTH
    ? null
    : `A signing secret has ${LENGTH} characters. This one has ${secret.length}.`
}
