import { env } from 'cloudflare:workers'
import { vi } from 'vitest'
import type { PlatformFault } from './commands.ts'

/** How long (ms) a location may go on seeing what was there before a write. */
const STALE_FOR = 60_000
/** KV takes no expiration (s) that is nearer. */
const NEAREST_EXPIRATION = 60

type Entry = { value: string; expiration: number | undefined }
type Reading = { type?: string } | string | undefined

/**
 * What a schedule lets go wrong with KV. `before` is what stood under a name before it was last
 * written, and until when (ms) of that.
 */
type Faults = {
  isDown: (part: string) => boolean
  fault: () => PlatformFault | null
  before: Map<string, { entry: Entry; at: number }>
}

function none(): Faults {
  return { isDown: () => false, fault: () => null, before: new Map() }
}

/** KV of the schedule that is played, if one is. */
export const kvFaults = { now: none(), clear: () => void (kvFaults.now = none()) }

/**
 * Takes over KV, which then is in memory and goes by the played clock: the platform's own goes by
 * the real one, and took a fifth of a schedule's time. What is written stays for the schedules to
 * come.
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
  /** Nobody has asked for a name that was not there: a location has nothing old to show of it. */
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
