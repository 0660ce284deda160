import { vi } from 'vitest'

/** Makes pauses a fiftieth as long, until mocks are restored. Gives how long (ms) each was to be. */
export function quickPauses(): number[] {
  const asked: number[] = []
  const { setTimeout: later } = globalThis
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(((run: () => void, ms = 0, ...args: unknown[]) => {
    asked.push(ms)
    return later(run, ms / 50, ...args)
  }) as typeof setTimeout)
  return asked
}
