import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { gather } from '../../../src/storage/objects/gather.ts'

let batches: number[][]
let fault: Error | null
let take: (value: number) => Promise<void>
beforeEach(() => {
  vi.useFakeTimers()
  batches = []
  fault = null
  take = gather<number>(async (values) => {
    if (fault) throw fault
    batches.push([...values])
  })
})
afterEach(() => void vi.useRealTimers())

it('a value that comes alone is written at once', async () => {
  await take(1)
  expect(batches).toEqual([[1]])
})

it('values that come soon after another are written together', async () => {
  await take(1)
  const written = Promise.all([take(2), take(3)])
  await vi.advanceTimersByTimeAsync(200)
  expect(batches).toEqual([[1]])
  await vi.advanceTimersByTimeAsync(100)
  await written
  expect(batches).toEqual([[1], [2, 3]])
})

it('after a pause the next comes alone again', async () => {
  await take(1)
  vi.setSystemTime(Date.now() + 1001)
  await take(2)
  expect(batches).toEqual([[1], [2]])
})

it('a batch has a hundred values at most', async () => {
  await take(0)
  const written = Promise.all(Array.from({ length: 101 }, (_, value) => take(value + 1)))
  await vi.advanceTimersByTimeAsync(300)
  await written
  expect(batches.map(({ length }) => length)).toEqual([1, 100, 1])
})

it('each call fails whose value could not be written, and the next is written', async () => {
  await take(1)
  fault = new Error('D1 is down')
  const failing = Promise.allSettled([take(2), take(3)])
  await vi.advanceTimersByTimeAsync(300)
  expect((await failing).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  fault = null
  vi.setSystemTime(Date.now() + 1001)
  await take(4)
  expect(batches).toEqual([[1], [4]])
})
