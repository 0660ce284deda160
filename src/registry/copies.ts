import type { StoredShape } from '../platform/stored.ts'
import { log } from '../platform/log.ts'
import { memoryCache } from './memory-cache.ts'
import { readJson } from './read-json.ts'
import { writeCopy } from './write-copy.ts'

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
