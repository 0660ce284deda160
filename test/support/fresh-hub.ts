import { applyD1Migrations, reset } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterAll, vi } from 'vitest'
import './once.ts'

// Files share a runtime, and each begins with an empty hub. Jobs of the file before are gone: they
// would otherwise ask their PSP, report and log in the middle of this one.
await reset()
await applyD1Migrations(env.DB, env.TEST_MIGRATIONS)

// The clock of the runtime is shared too.
afterAll(() => void vi.useRealTimers())
