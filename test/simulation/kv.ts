import { env } from 'cloudflare:workers'
import { vi } from 'vitest'
import type { PlatformFault } from './commands.ts'

/** How long (ms) a location may still read the old value after a write. */
const STALE_FOR = 60_000
/** The shortest time (s) to an expiration that KV accepts. */
const NEAREST_EXPIRATION = 60

type Entry = { value: string; expiration: number | undefined }
type Reading = { type?: string } | string | undefined

/** The faults of KV in a schedule. `before`: the old value of each name, and when (ms) it was overwritten. */
type Faults = {
  isDown: (part: string) => boolean
  fault: () => PlatformFault | null
  before: Map<string, { entry: Entry; at: number }>
}

function none(): Faults {
  return { isDown: () => false, fault: () => null, before: new Map() }
}

/** The faults of the schedule that is playing. */
export const kvFaults = { now: none(), clear: () => void (kvFaults.now = none()) }

/**
 * Replaces KV by one in memory that goes by the simulated clock: the platform's goes by the real one, and
 * took a fifth of a schedule's time. Later schedules keep its values.
 */
export function seizeKv(): void {
  const entries = new Map<string, Entry>()
  const answer = (part: 'get' | 'put' | 'list'): void => {
    if (kvFaults.now.isDown(`KV ${part}`))
      throw new Error(`KV ${part.toUpperCase()} failed: 500 Internal Server Error`)
  }
  const find = (name: string): Entry | undefined => {
    const entry = entries.get(name)
    return (entry?.expiration ?? Infinity) * 1000 > Date.now() ? entry : undefined
  }
  const seen = (name: string): Entry | undefined => {
    const { fault, before } = kvFaults.now
    if (fault() === 'KV knows no point of sale' && name.startsWith('pos:')) return undefined
    const former = before.get(name)
    const isStale = fault() === 'KV is a minute late' && former && Date.now() < former.at + STALE_FOR
    return isStale ? former.entry : find(name)
  }
  /** Keeps the value that a location may still read; nobody can have read a name without a value. */
  const remember = (name: string): void => {
    const former = find(name)
    if (former) kvFaults.now.before.set(name, { entry: former, at: Date.now() })
  }
  const kv = {
    get: async (name: string, reading: Reading): Promise<unknown> => {
      answer('get')
      const value = seen(name)?.value
      const type = typeof reading === 'object' ? reading.type : reading
      return value === undefined ? null : type === 'json' ? JSON.parse(value) : value
    },
    put: async (name: string, value: string, options: KVNamespacePutOptions = {}): Promise<void> => {
      answer('put')
      const { expirationTtl } = options
      const expiration = expirationTtl ? Date.now() / 1000 + expirationTtl : options.expiration
      if (expiration !== undefined && expiration < Date.now() / 1000 + NEAREST_EXPIRATION)
        throw new Error(`KV PUT failed: 400 Invalid expiration of ${expiration}`)
      remember(name)
      entries.set(name, { value, expiration })
    },
    delete: async (name: string): Promise<void> => {
      answer('put')
      remember(name)
      entries.delete(name)
    },
    list: async ({ prefix = '' }: { prefix?: string }) => {
      answer('list')
      const names = [...entries.keys()].filter((name) => name.startsWith(prefix) && find(name))
      return {
        keys: names.map((name) => ({ name, expiration: find(name)?.expiration })),
        list_complete: true,
        cacheStatus: null,
      }
    },
  }
  vi.spyOn(env.TOKENS, 'get').mockImplementation(kv.get as typeof env.TOKENS.get)
  vi.spyOn(env.TOKENS, 'put').mockImplementation(kv.put as typeof env.TOKENS.put)
  vi.spyOn(env.TOKENS, 'delete').mockImplementation(kv.delete as typeof env.TOKENS.delete)
  vi.spyOn(env.TOKENS, 'list').mockImplementation(kv.list as unknown as typeof env.TOKENS.list)
}
