import { defineConfig } from 'vitest/config'
import { PROCESS_DEATH, node, workerd } from './projects.ts'

/** The tests that take minutes: `npm run test:slow`. */
export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [
      workerd('simulation', {
        include: ['test/simulation/**/*.test.ts'],
        provide: { simulation: { first: 1, count: 200, patience: 240_000 }, whyRounds: 4 },
      }),
      node('process death', { include: [PROCESS_DEATH] }),
    ],
  },
})
