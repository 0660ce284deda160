import { toHex } from './hash.ts'
import { hmac } from './hmac.ts'

/** The mark: six hex digits, 24 bits. One in 16 million guesses passes. */
const MARK = 6

/**
 * The id with its last six characters replaced by a mark that only this hub can make. It tells the
 * hub's ids from invented ones before an object is started, which costs money.
 */
export async function markId(root: string, id: string): Promise<string> {
  const start = id.slice(0, -MARK)
  return start + toHex(await hmac('SHA-256', root, `id-mark:${start}`)).slice(0, MARK)
}

export async function isMarkedId(root: string, id: string): Promise<boolean> {
  return id === (await markId(root, id))
}
