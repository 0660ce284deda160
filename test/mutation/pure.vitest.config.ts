import { defineConfig } from 'vitest/config'
import { PURE } from '../projects.ts'

/** The tests of the pure half, which run in Node. */
export default defineConfig({
  test: {
    include: [
      ...PURE,
      'test/psp/{breaker,every-adapter,http-client,http-limits,instant,methods,shorten}.test.ts',
    ],
    setupFiles: ['test/mutation/fewer-runs.ts'],
    isolate: false,
  },
})
