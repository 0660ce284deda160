import { AsyncLocalStorage } from 'node:async_hooks'
import { vi } from 'vitest'

const inside = new AsyncLocalStorage<true>()

/**
 * Does some work with timers that only the test moves on. Those of all else stay real: objects of
 * other files' jobs share the runtime, and a timer of theirs that the test rang would ring in the
 * wrong object, which the platform forbids.
 */
export async function withOwnTimers<T>(work: () => Promise<T>): Promise<T> {
  const { setTimeout: realSet, clearTimeout: realClear } = globalThis
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const { setTimeout: fakeSet, clearTimeout: fakeClear } = globalThis
  const setOne = (...timer: Parameters<typeof setTimeout>) =>
    inside.getStore() ? fakeSet(...timer) : realSet(...timer)
  const clearOne = (id: Parameters<typeof clearTimeout>[0]) =>
    inside.getStore() ? fakeClear(id) : realClear(id)
  Object.assign(globalThis, { setTimeout: setOne, clearTimeout: clearOne })
  try {
    return await inside.run(true, work)
  } finally {
    Object.assign(globalThis, { setTimeout: fakeSet, clearTimeout: fakeClear })
    vi.useRealTimers()
  }
}
