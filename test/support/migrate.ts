import { applyD1Migrations } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterAll } from 'vitest'
import './quicken-pool.ts'
import { endAlarms } from './quiet.ts'

await applyD1Migrations(env.DB, env.TEST_MIGRATIONS)

afterAll(endAlarms)
