import { env } from 'cloudflare:workers'
import { vi } from 'vitest'

/* Done when this module is loaded: once in each runtime, for all test files that share it. */

type Imports = { import: (url: string) => Promise<unknown> }

/**
 * Imports the Worker's module only once. The plugin would import it from Vite's server at each call of an
 * object. That takes real time, in which alarms and retries under a test's fake clock would overtake the
 * call.
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
 * Real queues and alarms are slow on a busy machine, so `vi.waitFor` waits this long (ms) unless a test says
 * otherwise.
 */
const PATIENCE = 15_000
/**
 * How often (ms) `vi.waitFor` checks. Each failed assertion costs ten milliseconds of CPU, which other tests
 * need.
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
 * Drops the hub's log, thirty thousand lines that slow the runtime down, from the tests' output. `LOGS=1 npm
 * test` prints them. Other console output is always printed.
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
