import * as v from 'valibot'
import { describeFault } from '../domain/fault.ts'

/** Seconds a place may go on using a copy it has read. */
const CACHE_SECONDS = 30

/** The edge's copy of something that D1 holds the truth of; null where KV has none, does not answer, or has nonsense. */
export const published = async <Schema extends v.GenericSchema>(
  kv: KVNamespace,
  name: string,
  schema: Schema,
): Promise<v.InferOutput<Schema> | null> => {
  try {
    const copy = await kv.get(name, { type: 'json', cacheTtl: CACHE_SECONDS })
    return copy === null ? null : v.parse(schema, copy)
  } catch (error) {
    console.error({ event: 'kv.read-failed', error: describeFault(error) })
    return null
  }
}
