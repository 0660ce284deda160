import { defineConfig } from 'vitest/config'
import { NODE, WORKERD } from './projects.ts'

/** The tests of each change: `npm test`. Those that take minutes are in slow.config.ts. */
export default defineConfig({
  test: {
    // More than there are cores, as a rule: tests wait for queues, alarms and processes most of the
    // time.
    maxWorkers: 6,
    projects: [...WORKERD, ...NODE],
  },
})
