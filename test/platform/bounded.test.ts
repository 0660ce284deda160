import { afterEach, expect, it, vi } from 'vitest'
import { bounded } from '../../src/platform/bounded.ts'

afterEach(() => vi.useRealTimers())

it('forgets the least recently used of two thousand', () => {
  const memory = bounded<number>()
  for (let i = 0; i < 2000; i++) memory.set(`${i}`, i)
  expect(memory.get('0')).toBe(0)
  memory.set('one more', 2000)
  expect([memory.get('0'), memory.get('1'), memory.get('2')]).toEqual([0, undefined, 2])
})

it('forgets a value at the end of its life, even if it was used, and starts again when it is set', () => {
  vi.setSystemTime(0)
  const memory = bounded<string>(1000)
  memory.set('a', 'first')
  vi.setSystemTime(999)
  expect(memory.get('a')).toBe('first')
  memory.set('b', 'second')
  vi.setSystemTime(1000)
  expect([memory.get('a'), memory.get('b')]).toEqual([undefined, 'second'])
})

it('forgets a deleted value', () => {
  const memory = bounded<string>()
  memory.set('a', 'there')
  memory.delete('a')
  expect(memory.get('a')).toBeUndefined()
})

it('forgets a value that was set while the clock was ahead', () => {
  vi.setSystemTime(1_000_000)
  const [memory, lasting] = [bounded<string>(1000), bounded<string>()]
  memory.set('a', 'ahead')
  lasting.set('a', 'ahead')
  vi.setSystemTime(0)
  expect([memory.get('a'), lasting.get('a')]).toEqual([undefined, 'ahead'])
})
