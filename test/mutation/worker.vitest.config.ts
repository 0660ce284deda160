import { defineConfig } from 'vitest/config'
import { IN_WORKERD, workerd } from '../projects.ts'

const paths = (process.env['TESTS'] ?? 'test').split(',')
const JUDGED_OTHERWISE = /^test\/(psp|fuzz|simulation)\/|^test\/security\/fuzz/

/** The tests in workerd that share a runtime. */
export default defineConfig({
  test: {
    projects: [
      workerd('mutants', {
        include: IN_WORKERD.filter(
          (file) => paths.some((path) => file.startsWith(path)) && !JUDGED_OTHERWISE.test(file),
        ),
        isolate: false,
      }),
    ],
  },
})
