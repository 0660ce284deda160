import type { StoredShape } from '../../domain/stored.ts'
import { log } from '../../log.ts'
import { memoryCache } from './memory-cache.ts'
import { readJson } from './read-json.ts'

/**
 * Copies in KV of records whose truth is in D1, under the name `kind:id`. A copy that is not `isWhole` was written by an
 * older release: it is as good as none, unless D1 does not answer.
 */
export const kvCopies = <Value extends object>(
  kind: string,
  shape: StoredShape<Value>,
  isWhole: (copy: Value) => boolean = () => true,
) => {
  const memory = memoryCache<Value>()
  const nameOf = (id: string): string => `${kind}:${id}`
  const publish = async (kv: KVNamespace, id: string, value: Value): Promise<void> => {
    await kv.put(nameOf(id), JSON.stringify(shape.write(value)))
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
    /**
     * The copy, or what D1 holds (`original`) where KV has none or does not answer. A copy that cannot be read or is not
     * whole is written anew from D1. Null for an unknown id.
     */
    read: (kv: KVNamespace, id: string, original: () => Promise<Value | null>): Promise<Value | null> =>
      memory.get(nameOf(id), async () => {
        const copy = await find(kv, id)
        if (copy === null) return original()
        if (copy === 'unreadable') return renew(kv, id, await original())
        if (isWhole(copy)) return copy
        try {
          return await renew(kv, id, await original())
        } catch (error) {
          log.fault('kv.repair-failed', error)
          return copy
        }
      }),
    async withdraw(kv: KVNamespace, id: string): Promise<void> {
      await kv.delete(nameOf(id))
      memory.invalidate(nameOf(id))
    },
  }

  /** Writes the copy of a value. One that cannot be written now is written by the next who reads it. */
  async function renew(kv: KVNamespace, id: string, value: Value | null): Promise<Value | null> {
    try {
      if (value !== null) await publish(kv, id, value)
    } catch (error) {
      log.fault('kv.repair-failed', error)
    }
    return value
  }
}
