/** Seconds that this isolate goes on using what it has read, on top of the place's own cache. */
const KEPT_SECONDS = 20
/** Enough for the busy points of sale of a place; past it everything is read anew. */
const MOST_KEPT = 2000

/** What this isolate has read, by name. */
export type MemoryCache<Value> = {
  /** What is kept, or what `read` finds now. Only what is there is kept. */
  get: (name: string, read: () => Promise<Value | null>) => Promise<Value | null>
  /** Lets go of what is being changed: a change made in this isolate is seen at once. */
  invalidate: (name: string) => void
}

/** Keeps what KV holds for twenty seconds: a read is billed even where the place has it cached, and is parsed anew. */
export const memoryCache = <Value>(): MemoryCache<Value> => {
  const memory = new Map<string, { value: Value; until: number }>()
  return {
    async get(name, read) {
      const known = memory.get(name)
      if (known && known.until > Date.now()) return known.value
      const value = await read()
      if (value === null) return null
      if (memory.size >= MOST_KEPT) memory.clear()
      memory.set(name, { value, until: Date.now() + KEPT_SECONDS * 1000 })
      return value
    },
    invalidate: (name) => void memory.delete(name),
  }
}
