import * as v from 'valibot'
import { HOUR } from '../contract/timestamp.ts'
import { log } from '../platform/log.ts'
import { eachMessage } from '../platform/read-message.ts'
import { storedShape } from '../platform/stored.ts'
import { openAccount } from '../psp/connect.ts'
import { accountIds } from '../registry/accounts.ts'
import { fetchFrom } from './fetch-payouts.ts'

/** Queue `books`: books the page of an account's payouts that comes after `after`, or its first. */
const BooksMessage = v.object({ account: v.string(), after: v.nullable(v.string()) })
type BooksMessage = v.InferOutput<typeof BooksMessage>
export const booksMessage = storedShape(BooksMessage)

/** The hour of the day (UTC) in which the hub asks for payouts: banks have booked them by then. */
const FETCHED_AT = 5
/** Messages that a queue takes at once. */
const AT_ONCE = 100

/** Once a day: asks each account what it has paid out. Those without such an API have nothing. */
export async function startFetches(env: Env, now: number): Promise<void> {
  if (Math.floor(now / HOUR) % 24 !== FETCHED_AT) return
  try {
    const accounts = await accountIds(env.DB)
    for (let at = 0; at < accounts.length; at += AT_ONCE) {
      const some = accounts.slice(at, at + AT_ONCE)
      await env.BOOKS.sendBatch(
        some.map((account) => ({ body: booksMessage.write({ account, after: null }) })),
      )
    }
  } catch (error) {
    log.fault('queue.send-failed', error)
  }
}

/** The `books` queue: each message is a page. A PSP that does not answer is asked again later. */
export function consumeBooks(batch: MessageBatch, env: Env): Promise<void> {
  return eachMessage(batch, booksMessage, (message) => bookPage(env, message))
}

async function bookPage(env: Env, { account, after }: BooksMessage): Promise<void> {
  const psp = await openAccount(env, account, '')
  const fetched = psp && (await fetchFrom(env, account, psp, after ?? undefined))
  if (!fetched) return
  if (!fetched.ok) throw new Error(fetched.error.message)
  const { payouts, lines, next } = fetched.value
  if (lines > 0) log.info('books.fetched', { account, payouts, lines })
  if (next !== null) await env.BOOKS.send(booksMessage.write({ account, after: next }))
}
