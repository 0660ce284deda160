import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { NEWEST_MIGRATION, newestMigrationOf } from '../../src/monitoring/hub-parts.ts'
import { VERSION } from '../../src/platform/version.ts'
import { version } from '../../package.json'

it('the newest migration that the hub knows is the newest there is', async () => {
  expect(NEWEST_MIGRATION).toBe(env.TEST_MIGRATIONS.at(-1)?.name)
  expect(await newestMigrationOf(env.DB)).toBe(NEWEST_MIGRATION)
})

it('the release that the hub tells is that of package.json', () => {
  expect(VERSION).toBe(version)
})
