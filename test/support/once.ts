import { env } from 'cloudflare:workers'
import { vi } from 'vitest'

/* Done when this module is loaded: once in each runtime, for all test files that share it. */

type Imports = { import: (url: string) => Promise<unknown> }

/**
 * Keeps calls of objects inside the runtime. The plugin imports the Worker's module again at each
 * of them, out of Vite's server, which takes time of the real clock: alarms and retries that tests
 * play by a clock of their own would overtake it.
 */
function importOnce(): void {
  const { moduleRunner } = (globalThis as unknown as { __vitest_mocker__: { moduleRunner: Imports } })
    .__vitest_mocker__
  const original = moduleRunner.import
  let worker: unknown
  moduleRunner.import = async (url) => {
    if (!url.endsWith('/src/index.ts')) return original.call(moduleRunner, url)
    return (worker ??= await original.call(moduleRunner, url))
  }
}

/**
 * Real queues and alarms take their time on a busy machine: `vi.waitFor` lasts this long (ms)
 * unless a test says otherwise.
 */
const PATIENCE = 15_000
/**
 * How often (ms) it looks: an assertion that fails takes ten milliseconds of this machine to make,
 * and others wait for those.
 */
const INTERVAL = 100

function waitPatiently(): void {
  const { waitFor } = vi
  vi.waitFor = (check, options = PATIENCE) =>
    waitFor(check, {
      interval: INTERVAL,
      timeout: PATIENCE,
      ...(typeof options === 'number' ? { timeout: options } : options),
    })
}

/**
 * Keeps the log of the hub out of what tests print: thirty thousand lines, each of which takes the
 * runtime time to write. `LOGS=1 npm test` prints them. What else is said to the console is
 * printed.
 */
function leaveLogOut(): void {
  for (const level of ['log', 'warn', 'error'] as const) {
    const print = console[level].bind(console)
    console[level] = (...said: unknown[]) => {
      if (!isLine(said[0])) print(...said)
    }
  }
}

function isLine(said: unknown): boolean {
  return typeof said === 'object' && said !== null && 'event' in said
}

importOnce()
waitPatiently()
if (env.TEST_LOGS === '') leaveLogOut()
