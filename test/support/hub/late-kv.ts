/** The longest delay (ms) before a location sees what another location wrote to KV. */
const KV_DELAY = 60_000

type Write = { name: string; value: string | null; at: number; by: string; expiration: number | undefined }

/**
 * KV as seen from several locations: each sees its own writes at once, and those of others a minute later.
 * `writes` has all puts and deletes, in order.
 */
export function lateKv() {
  const writes: Write[] = []
  const location = (by: string): KVNamespace => {
    const seen = (name: string): Write | undefined => {
      const visible = writes.findLast(
        (write) => write.name === name && (write.by === by || write.at + KV_DELAY <= Date.now()),
      )
      return visible?.value === null || (visible?.expiration ?? Infinity) * 1000 <= Date.now()
        ? undefined
        : visible
    }
    const view = {
      get: async (name: string, options?: { type?: string } | string) => {
        const value = seen(name)?.value ?? null
        const type = typeof options === 'string' ? options : options?.type
        return value !== null && type === 'json' ? (JSON.parse(value) as unknown) : value
      },
      put: async (name: string, value: string, { expiration }: { expiration?: number } = {}) => {
        writes.push({ name, value, at: Date.now(), by, expiration })
      },
      delete: async (name: string) => {
        writes.push({ name, value: null, at: Date.now(), by, expiration: undefined })
      },
      list: async ({ prefix = '', cursor }: { prefix?: string; cursor?: string } = {}) => {
        const names = [...new Set(writes.map(({ name }) => name))]
          .filter((name) => name.startsWith(prefix) && seen(name) !== undefined)
          .toSorted()
        const start = Number(cursor ?? 0)
        const keys = names
          .slice(start, start + 1000)
          .map((name) => ({ name, expiration: seen(name)?.expiration }))
        return start + 1000 < names.length
          ? { keys, list_complete: false, cursor: String(start + 1000) }
          : { keys, list_complete: true }
      },
    }
    return view as unknown as KVNamespace
  }
  return { writes, location }
}
