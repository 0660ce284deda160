import { log } from '../platform/log.ts'

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
