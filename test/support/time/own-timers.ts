import { AsyncLocalStorage } from 'node:async_hooks'
import { vi } from 'vitest'

const inside = new AsyncLocalStorage<true>()

/**
 * Runs `work` with timers that only the test moves. All other timers stay real: objects of other files' jobs
 * share the runtime, and the platform forbids firing their timers from here.
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
