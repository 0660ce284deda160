import { vi } from 'vitest'

/** Waits until a check passes: for long enough on a busy machine. */
export const eventually = <Value>(check: () => Value | Promise<Value>): Promise<Value> =>
  vi.waitFor(check, 15_000)
