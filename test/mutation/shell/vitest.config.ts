import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { defineConfig } from 'vitest/config'
import { workerd } from '../../projects.ts'
import { switchable } from './mutants.ts'
import { telling } from './reporter.ts'
import type { Plan } from './run-plays.ts'

const root = new URL('../../..', import.meta.url).pathname
const plan = JSON.parse(readFileSync(process.env['MUTATION_PLAN'] ?? '', 'utf8')) as Plan

const project = workerd('mutants', {
  include: ['test/mutation/player/play.test.ts'],
  isolate: false,
  setupFiles: ['test/mutation/player/switch.ts', 'test/support/migrate.ts'],
  provide: { plays: plan.plays.map((play) => ({ ...play, file: root + play.file })) },
  testTimeout: plan.patience,
  hookTimeout: plan.patience,
})

/** One runtime for many mutants: started by run-plays.ts, which hands in what is played. */
export default defineConfig({
  test: {
    maxWorkers: 1,
    reporters: [telling],
    projects: [
      {
        ...project,
        plugins: [
          ...(project.plugins ?? []),
          {
            name: 'mutants',
            enforce: 'pre',
            transform(code, id) {
              const file = relative(root, id.split('?')[0] ?? '')
              return plan.mutated.includes(file) ? { code: switchable(file, code).code, map: null } : null
            },
          },
        ],
      },
    ],
  },
})
