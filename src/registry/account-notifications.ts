import * as v from 'valibot'
import type { UnknownAccount } from '../contract/hub-health.ts'
import { DAY, isoTime, MINUTE } from '../contract/timestamp.ts'
import { bounded } from '../platform/bounded.ts'
import { storedShape } from '../platform/stored.ts'
import { readJson } from './copies.ts'
import { SANDBOX_ACCOUNT } from './profile.ts'

/**
 * When (ms) an account's last valid notification arrived, and the last one with a wrong signature; null
 * for never. Exact to a day, because the hub writes each to KV only once a day.
 */
const NotifiedAccount = v.object({ counted: v.nullable(v.number()), refused: v.nullable(v.number()) })
export type NotifiedAccount = v.InferOutput<typeof NotifiedAccount>
export const notifiedAccount = storedShape(NotifiedAccount)

const NEVER: NotifiedAccount = { counted: null, refused: null }

/** The accounts that this isolate looked up in KV within the last minute. */
const looked = bounded<true>(MINUTE)

function keyOf(account: string): string {
  return `notified:${account}`
}

export async function readNotified(env: Env, account: string): Promise<NotifiedAccount> {
  const read = notifiedAccount.read(await readJson(env.TOKENS, keyOf(account)))
  return read.ok ? read.value : NEVER
}

/** Notes that a notification arrived. Run this in the background, because the PSP waits. */
export async function noteNotified(env: Env, account: string, how: keyof NotifiedAccount): Promise<void> {
  if (account === SANDBOX_ACCOUNT.id || looked.get(`${account} ${how}`)) return
  looked.set(`${account} ${how}`, true)
  const known = await readNotified(env, account)
  const now = Date.now()
  if (now - (known[how] ?? 0) < DAY) return
  await env.TOKENS.put(keyOf(account), JSON.stringify(notifiedAccount.write({ ...known, [how]: now })))
}

/** Forgets an account's notifications, after its credentials changed or it was removed. */
export async function forgetNotified(env: Env, account: string): Promise<void> {
  looked.delete(`${account} counted`)
  looked.delete(`${account} refused`)
  await env.TOKENS.delete(keyOf(account))
}

/** An account that notifications name and the hub lacks. `last` is in ms. */
export const unknownAccount = storedShape(v.object({ count: v.number(), last: v.number() }))

/** The pause (ms) between two writes of an isolate: anyone may send any name, and writes cost money. */
const WRITTEN_EVERY = 10 * MINUTE
/** How long (s) KV keeps a name: a PSP repeats its notifications for days. */
const KEPT = (7 * DAY) / 1000

const UNKNOWN = 'unknown-account:'
const waiting = bounded<number>(DAY)
let writtenAt = 0

/** Counts a notification to an account that the hub lacks. */
export async function noteUnknown(env: Env, account: string): Promise<void> {
  const count = (waiting.get(account) ?? 0) + 1
  waiting.set(account, count)
  const now = Date.now()
  if (now - writtenAt < WRITTEN_EVERY && now >= writtenAt) return
  writtenAt = now
  const name = UNKNOWN + account
  const known = unknownAccount.read(await readJson(env.TOKENS, name))
  const seen = { count: (known.ok ? known.value.count : 0) + count, last: now }
  const metadata = unknownAccount.write(seen)
  await env.TOKENS.put(name, JSON.stringify(metadata), { metadata, expirationTtl: KEPT })
  waiting.delete(account)
}

/** How many names an operator sees: the most frequent ones. */
const MOST_SHOWN = 20

/** Lists the unknown accounts of the last week that came most often. KV lists a thousand at a time. */
export async function unknownAccounts(env: Env): Promise<UnknownAccount[]> {
  let found: UnknownAccount[] = []
  for (let cursor: string | null = null; ;) {
    const page: KVNamespaceListResult<unknown> = await env.TOKENS.list({ prefix: UNKNOWN, cursor })
    const listed = page.keys.flatMap(({ name, metadata }) => {
      const read = unknownAccount.read(metadata)
      if (!read.ok) return []
      const { count, last } = read.value
      return [{ account: name.slice(UNKNOWN.length), count, last: isoTime(last) }]
    })
    const all = [...found, ...listed].toSorted((one, other) => other.count - one.count)
    found = all.slice(0, MOST_SHOWN)
    if (page.list_complete) return found
    cursor = page.cursor
  }
}
