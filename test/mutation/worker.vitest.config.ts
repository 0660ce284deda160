import { defineConfig } from 'vitest/config'
import { IN_SHARED_RUNTIME, workerd } from '../projects.ts'

const { exclude } = IN_SHARED_RUNTIME
const paths = (process.env['TESTS'] ?? 'test').split(',')

/** The tests that run in workerd, as far as they share a runtime. */
export default defineConfig({
  test: {
    projects: [
      workerd('mutants', {
        include: paths.map((path) => `${path}/**/*.test.ts`),
        exclude: [
          ...exclude,
          'test/{job/core,contract,psp,fuzz,mutation,simulation}/**',
          'test/security/fuzz*',
        ],
        setupFiles: ['test/support/migrate.ts', 'test/support/quiet.ts'],
        isolate: false,
      }),
    ],
  },
})
