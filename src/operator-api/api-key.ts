const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const LENGTH = 160

/** A new API key: 160 random letters and digits. Clients in the field refuse keys shorter than 150. */
export const newApiKey = (): string => {
  let key = ''
  while (key.length < LENGTH) {
    for (const byte of crypto.getRandomValues(new Uint8Array(LENGTH))) {
      // Bytes beyond the last whole round of letters are thrown away: each letter is as likely as the next.
      if (byte < 256 - (256 % LETTERS.length) && key.length < LENGTH) key += LETTERS[byte % LETTERS.length]
    }
  }
  return key
}
