import * as v from 'valibot'
import { describeFault } from '../../domain/fault.ts'
import { memoryCache } from './memory-cache.ts'

/** Seconds a place may go on using a copy it has read. */
const CACHE_SECONDS = 30

/** Copies at the edge of one kind of thing that D1 holds the truth of, by id: in KV under `kind:id`. */
export const kvCopies = <const Schema extends v.GenericSchema<object>>(kind: string, schema: Schema) => {
  const kept = memoryCache<v.InferOutput<Schema>>()
  const nameOf = (id: string): string => `${kind}:${id}`
  return {
    /** The copy; null where KV has none, does not answer, or has nonsense. */
    read: (kv: KVNamespace, id: string): Promise<v.InferOutput<Schema> | null> =>
      kept.get(nameOf(id), async () => {
        try {
          const copy = await kv.get(nameOf(id), { type: 'json', cacheTtl: CACHE_SECONDS })
          return copy === null ? null : v.parse(schema, copy)
        } catch (error) {
          console.error({ event: 'kv.read-failed', error: describeFault(error) })
          return null
        }
      }),
    async publish(kv: KVNamespace, id: string, copy: v.InferOutput<Schema>): Promise<void> {
      await kv.put(nameOf(id), JSON.stringify(v.parse(schema, copy)))
      kept.invalidate(nameOf(id))
    },
    async withdraw(kv: KVNamespace, id: string): Promise<void> {
      await kv.delete(nameOf(id))
      kept.invalidate(nameOf(id))
    },
  }
}
