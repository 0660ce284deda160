const encoder = new TextEncoder()

export function utf8(text: string): Uint8Array<ArrayBuffer> {
  return encoder.encode(text)
}

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

export function toHex(bytes: ArrayBuffer | Uint8Array): string {
  let text = ''
  for (const byte of new Uint8Array(bytes)) text += HEX[byte] ?? ''
  return text
}

export function toBase64(bytes: ArrayBuffer | Uint8Array): string {
  return btoa(String.fromCharCode(...new Uint8Array(bytes)))
}

export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (char) => char.charCodeAt(0))
}

export function randomHex(length: number): string {
  return toHex(crypto.getRandomValues(new Uint8Array(length / 2)))
}

async function digest(text: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', utf8(text)))
}

/** Hashes a secret for look-ups, as hex SHA-256. Secrets are random, so no salt is needed. */
export async function sha256(text: string): Promise<string> {
  return toHex(await digest(text))
}

/** Compares two texts in constant time, which reveals neither their difference nor their length. */
export async function equalInConstantTime(a: string, b: string): Promise<boolean> {
  const [left, right] = await Promise.all([digest(a), digest(b)])
  return left.reduce((difference, byte, place) => difference | (byte ^ (right[place] ?? 0)), 0) === 0
}
