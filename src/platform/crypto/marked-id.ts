import { toHex } from './hash.ts'
import { hmac } from './hmac.ts'

/** The mark: six hex digits, 24 bits. One in 16 million guesses passes. */
const MARK = 6

/**
 * The id with a mark behind it that only this hub can make. It tells the hub's ids from invented
 * ones before an object is started, which costs money.
 */
export async function markId(root: string, id: string): Promise<string> {
  return id + toHex(await hmac('SHA-256', root, `id-mark:${id}`)).slice(0, MARK)
}

export async function isMarkedId(root: string, id: string): Promise<boolean> {
  return id === (await markId(root, id.slice(0, -MARK)))
}

/**
 * What the customer's and the PSP's addresses of a job have in place of its id: the id, a dot, and
 * its mark.
 */
export function linkOf(root: string, id: string): Promise<string> {
  return markId(root, `${id}.`)
}
