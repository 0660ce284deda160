import { toHex, utf8 } from './bytes.ts'

async function digest(text: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', utf8(text)))
}

/** What is stored in place of a secret that is looked up by itself: hex SHA-256. The secrets are random, so no salt. */
export async function sha256(text: string): Promise<string> {
  return toHex(await digest(text))
}

/** Compares two texts in a time that tells nothing of where they differ, nor of their length. */
export async function equalInConstantTime(a: string, b: string): Promise<boolean> {
  const [left, right] = await Promise.all([digest(a), digest(b)])
  return left.reduce((difference, byte, place) => difference | (byte ^ (right[place] ?? 0)), 0) === 0
}
