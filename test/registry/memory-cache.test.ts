import { expect, it } from 'vitest'
import { memoryCache } from '../../src/registry/copies.ts'

it('what was read from KV is read again once it is changed, or where it was not there', async () => {
  const { get, invalidate } = memoryCache<string>()
  expect(await get('a', async () => null)).toBeNull()
  expect(await get('a', async () => 'first')).toBe('first')
  expect(await get('a', async () => 'second')).toBe('first')
  invalidate('a')
  expect(await get('a', async () => 'second')).toBe('second')
})

it('what was changed while it was read is not kept: it may be what stood before', async () => {
  const { get, invalidate } = memoryCache<string>()
  const slow = Promise.withResolvers<string>()
  const reading = get('a', () => slow.promise)
  invalidate('a')
  slow.resolve('before')
  expect(await reading).toBe('before')
  expect(await get('a', async () => 'after')).toBe('after')
})
