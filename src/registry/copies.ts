import { bounded } from '../platform/bounded.ts'
import { log } from '../platform/log.ts'
import type { StoredShape } from '../platform/stored.ts'

/** Seconds a location may go on using what it has read: what bounds how long a disabled point of sale still gets in. */
const CACHE_SECONDS = 30

/** A value of KV; null where there is none, and `undefined` for a text that is no JSON. Throws when KV does not answer. */
export async function readJson(kv: KVNamespace, name: string): Promise<unknown> {
  try {
    return await kv.get(name, { type: 'json', cacheTtl: CACHE_SECONDS })
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** Seconds that this isolate goes on using what it has read, on top of the location's own cache. */
const SECONDS = 20

/** Holds what was read from KV: a read is billed even where the location has it cached. */
export function memoryCache<Value>() {
  const memory = bounded<Value>(SECONDS * 1000)
  let changes = 0
  return {
    /** The cached value, or what `read` finds now. That there is nothing is not cached. */
    async get(name: string, read: () => Promise<Value | null>): Promise<Value | null> {
      const known = memory.get(name)
      if (known !== undefined) return known
      const before = changes
      const value = await read()
      // A value that was read during a change may be the one from before it.
      if (value !== null && changes === before) memory.set(name, value)
      return value
    },
    /** Drops a value that was changed: a change made in this isolate is seen at once. */
    invalidate(name: string): void {
      changes += 1
      memory.delete(name)
    },
  }
}

/** KV takes one write of a key a second (ms). */
const BETWEEN_WRITES = 1100
const MOST_WRITES = 3

/** How the copy of one record comes to KV. */
type Copying<Value> = {
  /** What D1 has now; null when it has none. */
  read: () => Promise<Value | null>
  write: (value: Value) => Promise<void>
  /** Takes the copy away of what D1 does not have. */
  remove: () => Promise<void>
  /** What makes two values the same. */
  contents: (value: Value) => string
}

/**
 * Writes a copy from D1. Then it looks whether D1 has changed meanwhile: the other change may have been written before
 * this one. What KV does not take is tried again; the last time it is an error.
 */
export async function writeCopy<Value>(
  name: string,
  { read, write, remove, contents }: Copying<Value>,
): Promise<void> {
  const contentsNow = (value: Value | null): string | null => (value === null ? null : contents(value))
  for (let writes = 1; ; writes++) {
    const value = await read()
    try {
      await (value === null ? remove() : write(value))
      if (contentsNow(await read()) === contentsNow(value)) return
    } catch (error) {
      if (writes >= MOST_WRITES) throw error
      log.fault('kv.write-failed', error, { name })
    }
    if (writes >= MOST_WRITES) return
    await scheduler.wait(BETWEEN_WRITES)
  }
}

/**
 * Copies in KV of records whose truth is in D1, under the name `kind:id`. `contents` is what makes two
 * values the same.
 */
export function kvCopies<Value extends object>(
  kind: string,
  shape: StoredShape<Value>,
  contents: (value: Value) => string,
) {
  const memory = memoryCache<Value>()
  const nameOf = (id: string): string => `${kind}:${id}`
  const publish = async (kv: KVNamespace, id: string, value: Value): Promise<void> => {
    await kv.put(nameOf(id), JSON.stringify(shape.write(value)))
    memory.invalidate(nameOf(id))
  }
  const withdraw = async (kv: KVNamespace, id: string): Promise<void> => {
    await kv.delete(nameOf(id))
    memory.invalidate(nameOf(id))
  }

  /** The copy in KV; null where there is none, or KV does not answer. */
  const find = async (kv: KVNamespace, id: string): Promise<Value | 'unreadable' | null> => {
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
    /**
     * The copy, or what D1 holds (`original`) where KV has none or does not answer. A copy that cannot be read is
     * written anew from D1. Null for an unknown id. Where KV has none, `missing` may do more than ask D1.
     */
    read: (
      kv: KVNamespace,
      id: string,
      original: () => Promise<Value | null>,
      missing = original,
    ): Promise<Value | null> =>
      memory.get(nameOf(id), async () => {
        const copy = await find(kv, id)
        if (copy === null) return missing()
        return copy === 'unreadable' ? renew(kv, id, original) : copy
      }),
  }

  /**
   * Writes the copy of what D1 has, which this gives, and compares it with D1 again: who has changed it meanwhile may have
   * written before this. A copy that cannot be written now is written by the next who reads it.
   */
  async function renew(
    kv: KVNamespace,
    id: string,
    original: () => Promise<Value | null>,
  ): Promise<Value | null> {
    let newest = await original()
    if (newest === null) return null
    // What D1 has said already; then it is asked.
    const first = [newest]
    const attempt = (change: Promise<void>) => change.catch((error) => log.fault('kv.repair-failed', error))
    try {
      await writeCopy(nameOf(id), {
        read: async () => (newest = first.pop() ?? (await original())),
        write: (value) => attempt(publish(kv, id, value)),
        remove: () => attempt(withdraw(kv, id)),
        contents,
      })
    } catch (error) {
      log.fault('kv.repair-failed', error)
    }
    return newest
  }
}
