import { vi } from 'vitest'

/** Makes pauses fifty times shorter until mocks are restored. Returns their original lengths (ms). */
export function quickPauses(): number[] {
  const asked: number[] = []
  const { setTimeout: later } = globalThis
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(((run: () => void, ms = 0, ...args: unknown[]) => {
    asked.push(ms)
    return later(run, ms / 50, ...args)
  }) as typeof setTimeout)
  return asked
}
