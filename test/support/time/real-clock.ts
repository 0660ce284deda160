import { afterAll, vi } from 'vitest'

// Files share a process, so each must restore the clock.
afterAll(() => void vi.useRealTimers())
