import { bounded } from '../platform/bounded.ts'

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
