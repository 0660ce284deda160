/** The most entries: callers choose the names. Above it, the least recently used entry goes. */
const MOST = 2000

/**
 * Makes a map in this isolate's memory, of limited size, whose values live for `life` ms. A value with
 * a time in the future counts as too old: the clock stepped back, and it could live far too long.
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
