import { afterEach, describe, expect, it, vi } from 'vitest'
import { memoryCache } from '../../src/registry/copies.ts'

afterEach(() => vi.useRealTimers())

/** A cache, and how often a name was read. */
function cache() {
  const reads = new Map<string, number>()
  const { get, invalidate } = memoryCache<string>()
  const read = (name: string, value: string | null = name) =>
    get(name, async () => {
      reads.set(name, (reads.get(name) ?? 0) + 1)
      return value
    })
  return { read, invalidate, readsOf: (name: string) => reads.get(name) ?? 0 }
}

describe('what was read from KV', () => {
  it('is not read again for twenty seconds', async () => {
    vi.setSystemTime(Date.now())
    const { read, readsOf } = cache()
    expect(await read('a')).toBe('a')
    vi.setSystemTime(Date.now() + 19_999)
    expect(await read('a', 'b')).toBe('a')
    expect(readsOf('a')).toBe(1)
    vi.setSystemTime(Date.now() + 1)
    expect(await read('a', 'b')).toBe('b')
  })

  it('is read again once it is being changed, or where it was not there', async () => {
    const { read, invalidate } = cache()
    expect(await read('a', null)).toBeNull()
    expect(await read('a')).toBe('a')
    invalidate('a')
    expect(await read('a', 'b')).toBe('b')
  })

  it('is not kept where it was changed while it was read: it may be what stood before', async () => {
    const { get, invalidate } = memoryCache<string>()
    const slow = Promise.withResolvers<string>()
    const reading = get('a', () => slow.promise)
    invalidate('a')
    slow.resolve('before')
    expect(await reading).toBe('before')
    expect(await get('a', async () => 'after')).toBe('after')
    expect(await get('a', async () => 'later')).toBe('after')
  })
})
