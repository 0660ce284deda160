/** Past it the oldest name is dropped: names come from outside, and there is no end of them. */
const MOST_NAMES = 1000

/** Names that this isolate remembers for so many seconds each, such as those that nothing was found under. */
export function nameMemory(seconds: number) {
  const until = new Map<string, number>()
  return {
    has: (name: string): boolean => (until.get(name) ?? 0) > Date.now(),
    add(name: string): void {
      until.delete(name)
      const [oldest] = until.keys()
      if (oldest !== undefined && until.size >= MOST_NAMES) until.delete(oldest)
      until.set(name, Date.now() + seconds * 1000)
    },
    drop: (name: string): void => void until.delete(name),
  }
}
