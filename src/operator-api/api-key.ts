const LENGTH = 160
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** Random letters and digits: each letter is as likely as the next, about six bits. */
export function randomLetters(length: number): string {
  let text = ''
  while (text.length < length) {
    for (const byte of crypto.getRandomValues(new Uint8Array(length))) {
      // Bytes beyond the last whole round of letters are thrown away.
      if (byte < 256 - (256 % LETTERS.length) && text.length < length) text += LETTERS[byte % LETTERS.length]
    }
  }
  return text
}

/** A new API key: 160 random letters and digits. Clients in the field refuse keys shorter than 150. */
export function newApiKey(): string {
  return randomLetters(LENGTH)
}
