import { applyD1Migrations } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import './patient-waits.ts'
import './quicken-pool.ts'
import { loadCheckoutPages, loadConsole, loadSandbox, loadWhy } from '../../src/modules/load.ts'

await applyD1Migrations(env.DB, env.TEST_MIGRATIONS)

// Vitest fetches a module when it is first imported, which no object may do for another: these are there before any asks for them.
await Promise.all([loadCheckoutPages(), loadConsole(), loadSandbox(), loadWhy()])
