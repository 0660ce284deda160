import { expect, it } from 'vitest'
import { memoryCache } from '../../src/registry/copies.ts'

it('a value from KV is read again after a change, or if it was missing', async () => {
  const { get, invalidate } = memoryCache<string>()
  expect(await get('a', async () => null)).toBeNull()
  expect(await get('a', async () => 'first')).toBe('first')
  expect(await get('a', async () => 'second')).toBe('first')
  invalidate('a')
  expect(await get('a', async () => 'second')).toBe('second')
})

it('a value that changed while it was read is not cached: it may be the old one', async () => {
  const { get, invalidate } = memoryCache<string>()
  const slow = Promise.withResolvers<string>()
  const reading = get('a', () => slow.promise)
  invalidate('a')
  slow.resolve('before')
  expect(await reading).toBe('before')
  expect(await get('a', async () => 'after')).toBe('after')
})
