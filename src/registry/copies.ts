import { waitUntil } from 'cloudflare:workers'
import { bounded } from '../platform/bounded.ts'
import { log } from '../platform/log.ts'
import { type StoredShape, storedShape } from '../platform/stored.ts'
import { Profile, Account } from './profile.ts'
import { profileById } from './profiles.ts'
import { isAccountId } from '../contract/ids.ts'
import { MINUTE } from '../contract/timestamp.ts'
import { accountById, accountIds } from './accounts.ts'

/** How long (s) a location may use what it read: a disabled point of sale may get in for as long. */
const CACHE_SECONDS = 30

/** Reads JSON from KV: null for nothing, `undefined` for a text that is not JSON. Throws if KV does not answer. */
export async function readJson(kv: KVNamespace, name: string): Promise<unknown> {
  try {
    return await kv.get(name, { type: 'json', cacheTtl: CACHE_SECONDS })
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** How long (s) this isolate uses what it read, on top of the location's own cache. */
const SECONDS = 20

/** Caches reads of KV in memory: KV bills a read even if the location has cached it. */
export function memoryCache<Value>() {
  const memory = bounded<Value>(SECONDS * 1000)
  /** What this isolate changed lately: other copies may still have it as it was before. */
  const changed = bounded<true>(2 * MINUTE)
  let changes = 0
  return {
    /** Returns the cached value, or the one that `read` finds. Does not cache null. */
    async get(name: string, read: () => Promise<Value | null>): Promise<Value | null> {
      const known = memory.get(name)
      if (known !== undefined) return known
      const before = changes
      const value = await read()
      // A value that was read during a change may be the old one.
      if (value !== null && changes === before) memory.set(name, value)
      return value
    },
    has: (name: string): boolean => memory.get(name) !== undefined,
    /** Caches a value that came along with another one, and so may be older. */
    add(name: string, value: Value): void {
      if (memory.get(name) === undefined && !changed.get(name)) memory.set(name, value)
    },
    /** Drops a changed value, so that this isolate sees its own change at once. */
    invalidate(name: string): void {
      changes += 1
      changed.set(name, true)
      memory.delete(name)
    },
  }
}

/** The pause (ms) between writes: KV takes one write a second per key. */
const BETWEEN_WRITES = 1100
const MOST_WRITES = 3

/** Keeps copies in KV, named `kind:id`, of records in D1. `original` reads D1. `onCopy` gets each copy that is read. */
export function kvCopies<Value extends object>(
  kind: string,
  shape: StoredShape<Value>,
  onCopy: (value: Value) => void = () => {},
) {
  const memory = memoryCache<Value>()

  function nameOf(id: string): string {
    return `${kind}:${id}`
  }

  async function publish(kv: KVNamespace, id: string, value: Value): Promise<void> {
    await kv.put(nameOf(id), JSON.stringify(shape.write(value)))
    memory.invalidate(nameOf(id))
  }

  async function withdraw(kv: KVNamespace, id: string): Promise<void> {
    await kv.delete(nameOf(id))
    memory.invalidate(nameOf(id))
  }

  /**
   * Writes the copy from D1, or deletes it if D1 has no record. Then reads D1 again, because another
   * Worker may have written a newer copy just before. Throws if KV takes none of three writes.
   */
  async function refresh(kv: KVNamespace, id: string, original: () => Promise<Value | null>): Promise<void> {
    for (let writes = 1; ; writes++) {
      const value = await original()
      try {
        await (value === null ? withdraw(kv, id) : publish(kv, id, value))
        if (contentsOf(await original()) === contentsOf(value)) return
      } catch (error) {
        if (writes >= MOST_WRITES) throw error
        log.fault('kv.write-failed', error, { name: nameOf(id) })
      }
      if (writes >= MOST_WRITES) return
      await scheduler.wait(BETWEEN_WRITES)
    }
  }

  /**
   * Returns the copy, or asks D1 if KV has none or does not answer; null for an unknown id. If KV has
   * none, `missing` may do more than ask D1. Rewrites an unreadable copy.
   */
  async function read(
    kv: KVNamespace,
    id: string,
    original: () => Promise<Value | null>,
    missing = original,
  ): Promise<Value | null> {
    return memory.get(nameOf(id), async () => {
      const copy = await find(kv, id)
      if (copy === null) return missing()
      if (copy !== 'unreadable') {
        onCopy(copy)
        return copy
      }
      const value = await original()
      const failed = (error: unknown): void => log.fault('kv.repair-failed', error, { name: nameOf(id) })
      if (value) waitUntil(refresh(kv, id, original).catch(failed))
      return value
    })
  }

  async function find(kv: KVNamespace, id: string): Promise<Value | 'unreadable' | null> {
    try {
      const found = await readJson(kv, nameOf(id))
      if (found === null) return null
      const copy = shape.read(found)
      if (copy.ok) return copy.value
      log.error('kv.copy-unreadable', { kind, id, detail: copy.error.detail })
      return 'unreadable'
    } catch (error) {
      log.fault('kv.read-failed', error)
      return null
    }
  }

  return {
    publish,
    withdraw,
    refresh,
    read,
    add: (id: string, value: Value) => memory.add(nameOf(id), value),
  }
}

/** Returns the part in which equal values agree: everything except the time in D1 (`asOf`). */
function contentsOf(value: object | null): string {
  return JSON.stringify(value, (name, part: unknown) => (name === 'asOf' ? undefined : part))
}

export const profileCopy = storedShape(Profile)
/** A profile brings its accounts along: who asks about a payment then reads KV once, also for the report that follows. */
const profiles = kvCopies('pos', profileCopy, (profile) => {
  for (const account of profile.accounts) accounts.add(account.id, account)
})

/** Reads a profile from KV, or from D1 if KV fails and `mayAskD1` agrees. Null: unknown. */
export function readProfile(
  env: Env,
  pos: string,
  mayAskD1: () => Promise<boolean> = async () => true,
): Promise<Profile | null> {
  return profiles.read(env.TOKENS, pos, async () => ((await mayAskD1()) ? inD1(env, pos) : null))
}

/**
 * Writes the copy from D1, also for a disabled point of sale: the hub still finishes its jobs. A copy
 * without a record in D1 stays: points of sale are never removed, so D1 must have lost it.
 */
export async function refreshProfile(env: Env, pos: string): Promise<void> {
  if (isPosId(pos) && (await inD1(env, pos))) await profiles.refresh(env.TOKENS, pos, () => inD1(env, pos))
}

/** Any other text comes from an address, and may be too long for a name in KV. */
function isPosId(text: string): boolean {
  return /^[0-9a-f]{32}$/.test(text)
}

async function inD1(env: Env, pos: string): Promise<Profile | null> {
  return (await profileById(env.DB, pos))?.profile ?? null
}

export const accountCopy = storedShape(Account)
const accounts = kvCopies('account', accountCopy)

/** How long (s) the hub waits before it looks again for an account that it did not find. */
export const MISS_SECONDS = 10
const ALL = 'all'
/** The ids of all accounts, read from D1 after a miss, so that further invented names cost nothing. */
const allIds = bounded<ReadonlySet<string>>(MISS_SECONDS * 1000)

/** Reads an account that an operator added, from KV or D1. Null: unknown. */
export async function readAccount(env: Env, id: string): Promise<Account | null> {
  if (!isAccountId(id) || allIds.get(ALL)?.has(id) === false) return null
  const account = await accounts.read(env.TOKENS, id, () => accountById(env.DB, id))
  if (!account) allIds.set(ALL, new Set(await accountIds(env.DB)))
  return account
}

/** Writes an account's copy, without the columns that only the registry needs. */
export async function publishAccount(kv: KVNamespace, account: Account): Promise<void> {
  const { id, psp, mode, sealed, currencies } = account
  await accounts.publish(kv, id, { id, psp, mode, sealed, currencies })
  allIds.delete(ALL)
}

export async function withdrawAccount(kv: KVNamespace, id: string): Promise<void> {
  if (isAccountId(id)) await accounts.withdraw(kv, id)
}

/** Writes the copy of an account from D1, or deletes it if D1 no longer has the account. */
export async function refreshAccount(env: Env, id: string): Promise<void> {
  if (isAccountId(id)) await accounts.refresh(env.TOKENS, id, () => accountById(env.DB, id))
  allIds.delete(ALL)
}
