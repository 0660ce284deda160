import { env } from 'cloudflare:workers'
import { type MockInstance, vi } from 'vitest'
import type { PlatformFault } from './commands.ts'

/** How long (ms) a location may go on seeing what was there before a write. */
const STALE_FOR = 60_000

/** KV as the simulation has it: a part of it may be down, or a location sees what was there a minute ago. */
export const playKv = (
  isDown: (part: string) => boolean,
  fault: () => PlatformFault | null,
): { spies: MockInstance[] } => {
  /** What stood under a name before it was last written, and when (ms) that was. */
  const before = new Map<string, { value: unknown; at: number }>()
  const { get, put, list } = env.TOKENS
  const answer = (part: 'get' | 'put' | 'list'): void => {
    if (isDown(`KV ${part}`)) throw new Error(`KV ${part.toUpperCase()} failed: 500 Internal Server Error`)
  }
  const read = (name: string): Promise<unknown> => Reflect.apply(get, env.TOKENS, [name, 'json'])
  return {
    spies: [
      vi.spyOn(env.TOKENS, 'get').mockImplementation((async (name: string) => {
        answer('get')
        if (fault() === 'KV knows no point of sale' && name.startsWith('pos:')) return null
        const former = before.get(name)
        const isStale = fault() === 'KV is a minute late' && former && Date.now() < former.at + STALE_FOR
        return isStale ? former.value : read(name)
      }) as typeof env.TOKENS.get),
      vi.spyOn(env.TOKENS, 'put').mockImplementation(async (name, value, options) => {
        answer('put')
        const former = await read(name)
        // Nobody has asked for a name that was not there: a location has nothing old to show of it.
        if (former !== null) before.set(name, { value: former, at: Date.now() })
        return put.call(env.TOKENS, name, value, options)
      }),
      vi.spyOn(env.TOKENS, 'list').mockImplementation((async (options: KVNamespaceListOptions) => {
        answer('list')
        return list.call(env.TOKENS, options)
      }) as typeof env.TOKENS.list),
    ],
  }
}
