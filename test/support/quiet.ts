import { afterAll, vi } from 'vitest'
import { endAlarms } from './end-alarms.ts'

// A job of a file that has ended would otherwise ask its PSP, report and log a minute later, in the
// middle of another file, whose doubles and spies would count that as their own.
afterAll(endAlarms)

// Files share a runtime, and with it the clock that one of them has set.
afterAll(() => void vi.useRealTimers())
