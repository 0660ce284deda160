import { applyD1Migrations } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import './patient-waits.ts'
import './quiet-log.ts'

type Imports = { import: (url: string) => Promise<unknown> }

/**
 * Keeps calls of objects inside the runtime. The plugin imports the Worker's module again at each of them, out of Vite's
 * server, which takes time of the real clock: alarms and retries that tests play by a clock of their own would overtake it.
 */
function importOnce(): void {
  const { moduleRunner } = (globalThis as unknown as { __vitest_mocker__: { moduleRunner: Imports } })
    .__vitest_mocker__
  const original = moduleRunner.import
  const known = new Map<string, unknown>()
  moduleRunner.import = async (url) => {
    if (!known.has(url)) known.set(url, await original.call(moduleRunner, url))
    return known.get(url)
  }
}

importOnce()
await applyD1Migrations(env.DB, env.TEST_MIGRATIONS)
