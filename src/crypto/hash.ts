import { toHex, utf8 } from './bytes.ts'

/** What is stored in place of a secret that is looked up by itself: hex SHA-256. The secrets are random, so no salt. */
export const sha256 = async (text: string): Promise<string> =>
  toHex(await crypto.subtle.digest('SHA-256', utf8(text)))

/** Compares two texts in a time that tells nothing of where they differ. It may tell that one is longer. */
export const equalInConstantTime = (a: string, b: string): boolean => {
  const [left, right] = [utf8(a), utf8(b)]
  return left.byteLength === right.byteLength && crypto.subtle.timingSafeEqual(left, right)
}
