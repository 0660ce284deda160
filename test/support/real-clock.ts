import { afterAll, vi } from 'vitest'

// Files share a process: the clock of one is not that of the next.
afterAll(() => void vi.useRealTimers())
