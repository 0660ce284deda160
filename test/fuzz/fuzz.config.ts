import { defineConfig } from 'vitest/config'
import { workerd } from '../projects.ts'
import { keeping } from './corpus.ts'

const time = Number(process.env['FUZZ_TIME'])

/** The parsers alone, each for as long as `npm run fuzz` says. */
export default defineConfig({
  test: {
    reporters: ['default', keeping],
    projects: [workerd('fuzz', { include: ['test/fuzz/fuzz.test.ts'], provide: { fuzz: time } })],
  },
})
