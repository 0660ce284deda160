/** Seconds that this isolate goes on using what it has read, on top of the location's own cache. */
const SECONDS = 20
/** Enough for the busy points of sale of a location; past it everything is read anew. */
const MOST_VALUES = 2000

/** What this isolate has read, by name. */
type MemoryCache<Value> = {
  /** The cached value, or what `read` finds now. That there is nothing is not cached. */
  get: (name: string, read: () => Promise<Value | null>) => Promise<Value | null>
  /** Drops a value that was changed: a change made in this isolate is seen at once. */
  invalidate: (name: string) => void
}

/** Holds what was read from KV for twenty seconds: a read is billed even where the location has it cached. */
export function memoryCache<Value>(): MemoryCache<Value> {
  const memory = new Map<string, { value: Value; until: number }>()
  let changes = 0
  return {
    async get(name, read) {
      const known = memory.get(name)
      if (known && known.until > Date.now()) return known.value
      const before = changes
      const value = await read()
      // What was read while something was changed may be what stood before.
      if (value === null || changes > before) return value
      if (memory.size >= MOST_VALUES) memory.clear()
      memory.set(name, { value, until: Date.now() + SECONDS * 1000 })
      return value
    },
    invalidate(name) {
      changes += 1
      memory.delete(name)
    },
  }
}
