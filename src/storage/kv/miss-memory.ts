/** Seconds that this isolate remembers that nothing has a name. What is added elsewhere is found after that time. */
export const MISS_SECONDS = 10
/** Past it the oldest miss is dropped: names come from outside, and there is no end of them. */
const MOST_MISSES = 1000

/** Names that nothing was found under, for ten seconds each: whoever asks for one again and again costs one look. */
export const missMemory = () => {
  const misses = new Map<string, number>()
  return {
    has: (name: string): boolean => (misses.get(name) ?? 0) > Date.now(),
    add(name: string): void {
      misses.delete(name)
      const [oldest] = misses.keys()
      if (oldest !== undefined && misses.size >= MOST_MISSES) misses.delete(oldest)
      misses.set(name, Date.now() + MISS_SECONDS * 1000)
    },
    /** Drops a miss: something has the name from now on. */
    drop: (name: string): void => void misses.delete(name),
  }
}
