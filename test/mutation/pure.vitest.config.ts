import { defineConfig } from 'vitest/config'
import { PURE } from '../projects.ts'

/** The tests of the pure half, which run in Node. */
export default defineConfig({
  test: {
    include: [...PURE, 'test/psp/{amounts,breaker,every-adapter,http-client,methods,values}.test.ts'],
    setupFiles: ['test/mutation/fewer-runs.ts'],
    isolate: false,
  },
})
