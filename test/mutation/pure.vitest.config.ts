import { defineConfig } from 'vitest/config'
import { IN_NODE } from '../projects.ts'

/** The tests of the pure half, which run in Node. */
export default defineConfig({
  test: {
    include: IN_NODE.filter((file) => /^test\/(contract|job|psp|stored)\//.test(file)),
    setupFiles: ['test/mutation/fewer-runs.ts'],
    isolate: false,
    // Code with mutants is slow: a test that reads 20 MB took more than five seconds.
    testTimeout: 60_000,
  },
})
