import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { gather } from '../../src/job-index/job-directory.ts'

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

it('after a pause of more than a second the next comes alone again', async () => {
  await take(1)
  vi.setSystemTime(Date.now() + 1000)
  const gathered = take(2)
  await vi.advanceTimersByTimeAsync(0)
  expect(batches).toEqual([[1]])
  await vi.advanceTimersByTimeAsync(300)
  await gathered
  vi.setSystemTime(Date.now() + 1001)
  await take(3)
  expect(batches).toEqual([[1], [2], [3]])
})

it('a batch has a hundred values at most', async () => {
  await take(0)
  const written = Promise.all(Array.from({ length: 101 }, (_, value) => take(value + 1)))
  await vi.advanceTimersByTimeAsync(300)
  await written
  expect(batches.map(({ length }) => length)).toEqual([1, 100, 1])
})

it('the batch that is written because it is full does not close the one after it', async () => {
  await take(0)
  const full = Array.from({ length: 100 }, (_, value) => take(value + 1))
  await vi.advanceTimersByTimeAsync(200)
  const next = [take(101)]
  await vi.advanceTimersByTimeAsync(150)
  next.push(take(102))
  await vi.advanceTimersByTimeAsync(300)
  await Promise.all([...full, ...next])
  expect(batches.map(({ length }) => length)).toEqual([1, 100, 2])
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
