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
