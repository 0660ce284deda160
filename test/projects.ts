import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { dirname, join, matchesGlob, relative } from 'node:path'
import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-plugin'
import type { Plugin, TestProjectInlineConfiguration } from 'vitest/config'
import { projectSettings } from '../src/local/serve.ts'
import { buildSite } from './build-site.ts'
import { compiledOpenApi } from './openapi/plugin.ts'

type TestSettings = NonNullable<TestProjectInlineConfiguration['test']>

const root = join(import.meta.dirname, '..')

// Node compiles the programs that tests start, the CLI and wrangler, once instead of at each of a
// hundred starts.
process.env['NODE_COMPILE_CACHE'] ??= join(root, 'node_modules', '.cache', 'compiled')

const GIGABYTES = process.availableMemory() / 2 ** 30

keepFilesInMemory()

const WRANGLER_TOML = join(root, 'wrangler.toml')

/** The hub's log, and what the runtime says of errors that tests provoke, are printed if somebody asks for them. */
const LOGS = process.env['LOGS'] ?? ''
/**
 * The secrets of these hubs are among their bindings, which wrangler does not know: it would warn that they are missing.
 */
process.env['WRANGLER_LOG'] ??= 'error'

/**
 * Each job has a database of its own, and the runtime waits for the disk at each write. So
 * temporary files of tests are kept in memory where the machine has room for them.
 */
function keepFilesInMemory(): void {
  const memory = '/dev/shm'
  if (!existsSync(memory)) return
  const { bavail, bsize } = statfsSync(memory)
  // What lies there is memory of the machine, or of the control group that limits this process.
  if (bavail * bsize < 2 ** 31 || GIGABYTES < 6) return
  const folder = mkdtempSync(join(memory, 'payment-hub-'))
  process.env['TMPDIR'] = folder
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
}

/** The queues of wrangler.toml, which gather messages for a tenth of the time. */
function quickQueues() {
  const { queues } = projectSettings()
  const quick = (queues.consumers ?? []).map((consumer) => {
    const { max_batch_timeout: wait = 5, dead_letter_queue: deadLetterQueue } = consumer
    const {
      max_batch_size: maxBatchSize = 10,
      max_retries: maxRetries = 3,
      retry_delay: retryDelay = 0,
    } = consumer
    const options = { maxBatchSize, maxBatchTimeout: wait / 10, maxRetries, retryDelay }
    return [
      consumer.queue,
      { ...options, ...(deadLetterQueue === undefined ? {} : { deadLetterQueue }) },
    ] as const
  })
  return Object.fromEntries(quick)
}

/** The package's source map names files that it does not have, of which Vite would warn. */
const withoutSourceMap: Plugin = {
  name: 'without-source-map',
  load: (id) =>
    id.endsWith('/standardwebhooks/dist/index.js')
      ? readFileSync(id, 'utf8').replace(/^\/\/# sourceMappingURL=.*/m, '')
      : null,
}

/** Tests in the Workers' runtime, with real KV, D1, objects and queues, and the hub's tables. */
export function workerd(name: string, settings: TestSettings): TestProjectInlineConfiguration {
  return {
    root,
    plugins: [
      compiledOpenApi(),
      withoutSourceMap,
      cloudflareTest(async () => {
        await buildSite()
        return {
          remoteBindings: false,
          verbose: LOGS !== '',
          wrangler: { configPath: WRANGLER_TOML },
          miniflare: {
            // Beside that of wrangler.toml, for tests that spread the index; test/support/hub/shards.ts
            // migrates them.
            d1Databases: ['INDEX_1', 'INDEX_2'],
            // Tests of backups bind it as BACKUP_BUCKET.
            r2Buckets: ['TEST_BUCKET'],
            queueConsumers: quickQueues(),
            // What no test has taken over goes nowhere: a report of a test that has ended may still
            // be under way.
            outboundService: () => new Response(null, { status: 503 }),
            bindings: {
              LOOPBACK_URLS: 'allowed',
              // Whatever an operator has spread it over: most tests look for rows in DB.
              INDEX_SHARDS: 'DB',
              // The local runtime knows no jurisdictions.
              JURISDICTION: '',
              OPERATOR_TOKEN: '0123456789abcdef'.repeat(4),
              SIGNING_ROOT: '123456789abcdef0'.repeat(4),
              SEALING_KEY: '23456789abcdef01'.repeat(4),
              // The schedule that tells of something runs in no test but those of alerts.
              ALERT_URL: 'https://operator.example.nl/alerts',
              TEST_MIGRATIONS: await readD1Migrations(join(root, 'migrations')),
              TEST_LOGS: LOGS,
            },
          },
        }
      }),
    ],
    test: {
      name,
      setupFiles: ['test/support/hub/fresh-hub.ts'],
      // Real queues and alarms take their time on a busy machine.
      testTimeout: 60_000,
      hookTimeout: 90_000,
      // As vi.waitFor does: test/support/once.ts.
      expect: { poll: { interval: 100 } },
      // What a job logs once its test has ended is never sent by the pool, and Vitest would wait
      // for it for ever.
      disableConsoleIntercept: true,
      ...settings,
    },
  }
}

/** Tests of what runs in Node: programs, documents, rules of the code, and hubs of this machine. */
export function node(name: string, settings: TestSettings): TestProjectInlineConfiguration {
  return {
    root,
    plugins: [compiledOpenApi()],
    test: {
      name,
      testTimeout: 60_000,
      hookTimeout: 90_000,
      ...settings,
    },
  }
}

/** These have a configuration of their own, slow.config.ts: each takes a minute or more. */
export const SLOW = [
  'test/e2e/{process-death,kit-nodes}.test.ts',
  'test/{local/dev,psp/new-psp/new-psp}.test.ts',
  'test/rehearsal/{releases,first-release,mixed-releases,planted}.test.ts',
  'test/deploy/{staging,upgrade}.test.ts',
]

/**
 * Need a process of their own: one replaces Node's terminal, one adds to the table of figures, which others may
 * have loaded, and one rings all timers of its process.
 */
const BY_THEMSELVES = ['test/{cli/confirm,contract/new-figure,till/till}.test.ts']
/** Takes the whole platform over, and fills it with objects. */
const SIMULATION = ['test/simulation/{simulation,why}.test.ts']
/**
 * Need a runtime of their own: one loses the registry, which a hub remembers, with a clock that is ahead; and the alerts
 * are about all shops, of which jobs of other tests, years ahead, would cause some.
 */
const ALONE = [
  'test/{security/lost-registry,operator-api/terminals,monitoring/alerts,monitoring/alert-messages}.test.ts',
]
const WITH_A_HUB = ['test/{e2e,cost}/**/*.test.ts', 'test/bench/bundle.test.ts']

/**
 * Files that come last in the runtimes that files share: they move the clock years ahead, or break
 * D1, KV and the queues, and a hub remembers for a while what it found.
 */
const LAST = [
  'test/operator-api/index-{repair,shards}.test.ts',
  'test/{security/degraded,job/outages,job-index/sweeps,job-index/nightly-check,operator-api/health,notifications/noted}.test.ts',
]
/** Files that wait longest come first: else all would wait for them in the end. */
const LONGEST = [
  'test/e2e/{certify,live-pages,trigger,listen,client-terminals}.test.ts',
  'test/cost/cost.test.ts',
]

/** Where a file comes among the others: below zero before them, above zero after them. */
export function placeOf(file: string): number {
  const isOf = (patterns: readonly string[]) =>
    patterns.some((pattern) => matchesGlob(relative(root, file), pattern))
  return Number(isOf(LAST)) - Number(isOf(LONGEST))
}

const sources = new Map<string, boolean>()

/** Whether a source, or one that it imports, imports a module of the Workers' runtime. */
function needsWorkerd(file: string): boolean {
  const known = sources.get(file)
  if (known !== undefined) return known
  sources.set(file, false)
  const imported = [
    ...readFileSync(file, 'utf8').matchAll(/^(?:import|export)\b(?! type)[^;'"]*?'([^']+)'/gm),
  ]
  const needs = imported.some(
    ([, name = '']) =>
      name.startsWith('cloudflare:') ||
      (/^\..*\.tsx?$/.test(name) && needsWorkerd(join(dirname(file), name))),
  )
  sources.set(file, needs)
  return needs
}

const APART = [...SLOW, ...WITH_A_HUB, ...BY_THEMSELVES, ...SIMULATION, ...ALONE]
const others = globSync('test/**/*.test.ts', { cwd: root }).filter(
  (file) => !APART.some((pattern) => matchesGlob(file, pattern)),
)

/** The files that share runtimes. */
export const IN_WORKERD = others.filter((file) => needsWorkerd(join(root, file)))
/** The files that need no runtime of Workers: they start ten times as fast in Node. */
export const IN_NODE = others.filter((file) => !needsWorkerd(join(root, file)))

/** Returns how many workers to start: at most so many, and each needs most of a gigabyte. */
function workers(most: number): number {
  return Math.max(1, Math.min(most, Math.floor(GIGABYTES)))
}

/** First what waits for processes and pages most of its time. */
const FIRST = { maxWorkers: workers(6), sequence: { groupOrder: 0 } } as const
/**
 * More than two cores, for tests wait for queues and alarms. Each worker loads all anew, and may have a
 * runtime of its own: that costs more than further ones gain.
 */
const THEN = { maxWorkers: workers(4), sequence: { groupOrder: 1 } } as const

export const NODE = [
  // The hub is built and its database migrated once for all of these.
  node('e2e', {
    ...FIRST,
    include: WITH_A_HUB,
    isolate: false,
    exclude: SLOW,
    globalSetup: ['test/e2e/build-once.ts'],
    setupFiles: ['test/e2e/setup.ts'],
  }),
  node('node', {
    ...THEN,
    include: IN_NODE,
    isolate: false,
    setupFiles: ['test/support/time/real-clock.ts'],
  }),
  node('by-themselves', { ...THEN, include: BY_THEMSELVES }),
]

export const WORKERD = [
  workerd('workers', { ...THEN, include: IN_WORKERD, isolate: false }),
  workerd('simulation', { ...THEN, include: SIMULATION }),
  workerd('alone', { ...THEN, include: ALONE }),
]
