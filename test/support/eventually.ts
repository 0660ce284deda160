import { vi } from 'vitest'

/** Waits until a check passes: for long enough on a busy machine. */
export function eventually<Value>(check: () => Value | Promise<Value>): Promise<Value> {
  return vi.waitFor(check, 15_000)
}
