/**
 * A map of at most so many entries: the one used least lately goes first. Callers choose the names
 * of entries, so nothing else bounds them.
 */
export type Lru<Value> = {
  get: (name: string) => Value | undefined
  set: (name: string, value: Value) => void
  delete: (name: string) => void
}

export function lru<Value>(most: number): Lru<Value> {
  const values = new Map<string, Value>()
  return {
    get(name) {
      const value = values.get(name)
      if (value === undefined) return undefined
      values.delete(name)
      values.set(name, value)
      return value
    },
    set(name, value) {
      values.delete(name)
      values.set(name, value)
      const [oldest] = values.keys()
      if (oldest !== undefined && values.size > most) values.delete(oldest)
    },
    delete: (name) => void values.delete(name),
  }
}
