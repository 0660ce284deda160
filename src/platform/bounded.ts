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
    const age = Date.now() - entry.at
    const isTooOld = age >= life || (age < 0 && life !== Infinity)
    // Moves the entry to the end, as a Map keeps the order of insertion. Until the map is half full, no entry
    // is near the front, and each move would soon copy the whole map.
    if (isTooOld || entries.size > MOST / 2) entries.delete(name)
    if (isTooOld) return undefined
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
