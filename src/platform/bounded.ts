/** Bounded, because callers choose the names: evicts the least recently used entry. */
const MOST = 2000

/**
 * Makes a map in this isolate's memory, of limited size, whose values live for `life` ms. A value from
 * before the clock stepped back counts as too old: it could live for any time.
 */
export function bounded<Value>(life = Infinity) {
  const entries = new Map<string, { value: Value; at: number }>()

  function get(name: string): Value | undefined {
    const entry = entries.get(name)
    if (!entry) return undefined
    entries.delete(name)
    const age = Date.now() - entry.at
    if (age >= life || (age < 0 && life !== Infinity)) return undefined
    // Moves the entry to the end: a Map keeps the order of insertion.
    entries.set(name, entry)
    return entry.value
  }

  function set(name: string, value: Value): void {
    entries.delete(name)
    const [oldest] = entries.keys()
    if (oldest !== undefined && entries.size >= MOST) entries.delete(oldest)
    entries.set(name, { value, at: Date.now() })
  }

  return { get, set, delete: (name: string): boolean => entries.delete(name) }
}
