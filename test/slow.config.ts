import { defineConfig } from 'vitest/config'
import { SLOW, node, workerd } from './projects.ts'

/** The tests that take minutes: `npm run test:slow`. */
export default defineConfig({
  test: {
    maxWorkers: 3,
    projects: [
      workerd('simulation', {
        include: ['test/simulation/**/*.test.ts'],
        provide: { simulation: { first: 1, count: 200, patience: 480_000 }, whyRounds: 4 },
      }),
      node('slow', { include: SLOW }),
    ],
  },
})
