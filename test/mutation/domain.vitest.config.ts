import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

const root = join(import.meta.dirname, '../..')

/** The tests of the pure rules, in plain Node: Stryker cannot drive workerd, and these need none. */
export default defineConfig({
  root,
  resolve: { alias: [{ find: /^fast-check$/, replacement: join(root, 'test/mutation/fewer-runs.ts') }] },
  test: { include: ['test/domain/**/*.test.ts'], isolate: false, testTimeout: 20_000 },
})
