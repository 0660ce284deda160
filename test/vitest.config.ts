import { join } from 'node:path'
import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-pool-workers'
import { defineConfig } from 'vitest/config'

const root = join(import.meta.dirname, '..')

const workerd = () =>
  cloudflareTest(async () => ({
    remoteBindings: false,
    wrangler: { configPath: join(root, 'wrangler.toml') },
    miniflare: {
      // Beside that of wrangler.toml, for tests that spread the index; test/support/shards.ts migrates them.
      d1Databases: ['INDEX_1', 'INDEX_2'],
      bindings: {
        LOOPBACK_URLS: 'allowed',
        // Whatever an operator has spread it over: most tests look for rows in DB.
        INDEX_SHARDS: 'DB',
        // Those that the state in test/fixtures was written under.
        OPERATOR_TOKEN: '0b'.repeat(32),
        SIGNING_ROOT: '51'.repeat(32),
        SEALING_KEY: '5e'.repeat(32),
        TEST_MIGRATIONS: await readD1Migrations(join(root, 'migrations')),
      },
    },
  }))

/** Tests of rules that touch no state: they share one Worker, and so start at once. */
const PURE = [
  'test/{domain,crypto,http,pos-api}/**/*.test.ts',
  'test/psp/{mollie,stripe,adyen,multisafepay}/*.test.ts',
  'test/psp/{every-adapter,http-client,http-limits,instant,locale,methods,shorten,units}.test.ts',
]
const NODE = ['test/{cli,docs,e2e,bench,cost,psp/official}/**/*.test.ts', 'test/arrows.test.ts']

/** Most tests run in workerd, with real KV, D1, objects and queues; those of Node programs run in Node. */
export default defineConfig({
  test: {
    // More than there are cores, as a rule: tests wait for queues, alarms and processes most of the time.
    maxWorkers: 4,
    projects: [
      {
        root,
        plugins: [workerd()],
        test: { name: 'pure', include: PURE, isolate: false },
      },
      {
        root,
        plugins: [workerd()],
        test: {
          name: 'workers',
          include: ['test/**/*.test.ts'],
          exclude: [...PURE, ...NODE],
          setupFiles: ['test/support/migrate.ts'],
          // Real queues and alarms take their time on a busy machine.
          testTimeout: 20_000,
        },
      },
      {
        root,
        test: { name: 'node', include: NODE, testTimeout: 60_000, hookTimeout: 90_000 },
      },
    ],
  },
})
