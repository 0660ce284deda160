import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-pool-workers'
import { defineConfig } from 'vitest/config'

const root = join(import.meta.dirname, '..')
const secret = () => randomBytes(32).toString('hex')

/** Most tests run in workerd, with real KV, D1, objects and queues; those of Node programs run in Node. */
export default defineConfig({
  test: {
    projects: [
      {
        root,
        plugins: [
          cloudflareTest(async () => ({
            remoteBindings: false,
            wrangler: { configPath: join(root, 'wrangler.toml') },
            miniflare: {
              bindings: {
                LOOPBACK_URLS: 'allowed',
                OPERATOR_TOKEN: secret(),
                SIGNING_ROOT: secret(),
                SEALING_KEY: secret(),
                TEST_MIGRATIONS: await readD1Migrations(join(root, 'migrations')),
              },
            },
          })),
        ],
        test: {
          name: 'workers',
          include: ['test/**/*.test.ts'],
          exclude: ['test/cli/**', 'test/arrows.test.ts'],
          setupFiles: ['test/migrate.ts'],
        },
      },
      {
        root,
        test: {
          name: 'node',
          include: ['test/cli/**/*.test.ts', 'test/arrows.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 90_000,
        },
      },
    ],
  },
})
