import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import type { Reporter, TestCase } from 'vitest/node'
import { workerd } from '../projects.ts'

function inputsIn(file: string): unknown[] {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as unknown[]
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}

/** Keeps each input that a parser failed for: every later test run tries it again. */
const keeping: Reporter = {
  onTestCaseResult(test: TestCase) {
    const { counterexample } = test.meta()
    if (counterexample === undefined) return
    const file = join(import.meta.dirname, 'corpus', `${counterexample.parser}.json`)
    const known = inputsIn(file)
    if (known.some((input) => JSON.stringify(input) === counterexample.input)) return
    writeFileSync(file, `${JSON.stringify([...known, JSON.parse(counterexample.input)], null, 2)}\n`)
  },
}

const time = Number(process.env['FUZZ_TIME'])

/** Tries the parsers for the time that `npm run fuzz` sets, and sends requests to the whole hub. */
export default defineConfig({
  test: {
    reporters: ['default', keeping],
    projects: [workerd('fuzz', { include: ['test/{fuzz,security}/fuzz.test.ts'], provide: { fuzz: time } })],
  },
})
