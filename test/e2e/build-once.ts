import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { buildSite } from '../build-site.ts'
import { type Built, startBuiltHub } from './built-hub.ts'
import { type SharedBrowser, startBrowser } from './chromium.ts'
import { build, migrate } from '../../src/local/serve.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The files from which tests start their own hubs. */
    built: Built
    /** A hub that all test files share. Each file counts only what belongs to its own points of sale. */
    hub: { url: string; secrets: Record<string, string | undefined> }
    /** A browser that all test files share. Each file opens its own contexts, which are isolated. */
    browser: SharedBrowser
  }
}

/** Builds and migrates once for all test files, and starts the shared hub and browser. */
export default async (project: TestProject): Promise<() => Promise<void>> => {
  const folder = await mkdtemp(join(tmpdir(), 'payment-hub-tests-'))
  const starting = startBrowser()
  const remove = async () => {
    await (await starting).close()
    await rm(folder, { recursive: true, force: true })
  }
  try {
    const built = { bundle: join(folder, 'bundle'), stateDir: join(folder, 'state') }
    await Promise.all([buildSite(), build(built.bundle), migrate(built.stateDir)])
    const { url, secrets, stop } = await startBuiltHub(built)
    project.provide('built', built)
    project.provide('hub', { url, secrets })
    project.provide('browser', (await starting).shared)
    return async () => {
      await stop()
      await remove()
    }
  } catch (error) {
    await remove()
    throw error
  }
}
