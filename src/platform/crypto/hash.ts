import { toHex, utf8 } from './bytes.ts'

const digest = async (text: string): Promise<Uint8Array> =>
  new Uint8Array(await crypto.subtle.digest('SHA-256', utf8(text)))

/** What is stored in place of a secret that is looked up by itself: hex SHA-256. The secrets are random, so no salt. */
export const sha256 = async (text: string): Promise<string> => toHex(await digest(text))

/** Compares two texts in a time that tells nothing of where they differ, nor of their length. */
export const equalInConstantTime = async (a: string, b: string): Promise<boolean> => {
  const [left, right] = await Promise.all([digest(a), digest(b)])
  return left.reduce((difference, byte, place) => difference | (byte ^ (right[place] ?? 0)), 0) === 0
}
