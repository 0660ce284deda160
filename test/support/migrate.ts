import { applyD1Migrations } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import './patient-waits.ts'
import './quiet-log.ts'
import './quicken-pool.ts'

await applyD1Migrations(env.DB, env.TEST_MIGRATIONS)
