import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Reporter, TestCase } from 'vitest/node'

function inputsIn(file: string): unknown[] {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as unknown[]
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}

/** Keeps each input that a parser failed for: every later run of the tests tries it again. */
export const keeping: Reporter = {
  onTestCaseResult(test: TestCase) {
    const { counterexample } = test.meta()
    if (counterexample === undefined) return
    const file = join(import.meta.dirname, 'corpus', `${counterexample.parser}.json`)
    const known = inputsIn(file)
    if (known.some((input) => JSON.stringify(input) === counterexample.input)) return
    writeFileSync(file, `${JSON.stringify([...known, JSON.parse(counterexample.input)], null, 2)}\n`)
  },
}
