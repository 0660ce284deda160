/** Outsiders choose many of the names, so there is a limit: the least recently used goes first. */
const MOST = 2000

/** A map in this isolate's memory, of limited size, whose values live for `life` milliseconds. */
export function bounded<Value>(life = Infinity) {
  const entries = new Map<string, { value: Value; until: number }>()

  function get(name: string): Value | undefined {
    const entry = entries.get(name)
    if (!entry) return undefined
    entries.delete(name)
    if (entry.until <= Date.now()) return undefined
    // A map keeps the order of insertion: what is used moves to the end.
    entries.set(name, entry)
    return entry.value
  }

  function set(name: string, value: Value): void {
    entries.delete(name)
    const [oldest] = entries.keys()
    if (oldest !== undefined && entries.size >= MOST) entries.delete(oldest)
    entries.set(name, { value, until: Date.now() + life })
  }

  return { get, set, delete: (name: string): boolean => entries.delete(name) }
}
