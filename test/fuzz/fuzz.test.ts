import * as fc from 'fast-check'
import { describe, inject, it } from 'vitest'
import type { Parser } from './parser.ts'
import { ADDRESSES } from './parsers/addresses.ts'
import { BODIES } from './parsers/bodies.ts'
import { HEADERS } from './parsers/headers.ts'
import { NOTIFICATIONS } from './parsers/notifications.ts'

const PARSERS: readonly Parser[] = [...ADDRESSES, ...BODIES, ...HEADERS, ...NOTIFICATIONS]
// As text: Vite reads no JSON that has half of a surrogate pair. No type argument here: with one,
// Vitest keeps the list of files of an earlier run.
const CORPUS: Record<string, string> = import.meta.glob('./corpus/*.json', {
  eager: true,
  query: '?raw',
  import: 'default',
})
const time = inject('fuzz')

/**
 * `npm test` uses the same inputs each time, so that the same code gives the same result. `npm run fuzz`
 * tries others.
 */
const SAME = { numRuns: 150, seed: 20_261_101 }

describe.each(PARSERS)('$name', ({ name, inputs, holds }) => {
  it('holds for each input that once failed', async () => {
    const corpus = JSON.parse(CORPUS[`./corpus/${name}.json`] ?? '[]') as unknown[]
    for (const input of corpus) await holds(input)
  })

  it('holds for any input', { timeout: (time ?? 0) + 60_000 }, async ({ task }) => {
    const runs = time === undefined ? SAME : { numRuns: 1e9, interruptAfterTimeLimit: time }
    const property = fc.asyncProperty(inputs, async (input) => {
      await holds(input)
    })
    const found = await fc.check(property, { ...runs, includeErrorInReport: true })
    if (found.counterexample)
      task.meta.counterexample = { parser: name, input: JSON.stringify(found.counterexample[0]) }
    // An interrupted run has found nothing so far. Half of a surrogate pair would break the line to the
    // reporter.
    if (found.failed) throw new Error((fc.defaultReportMessage(found) ?? 'failed').toWellFormed())
  })
})

it('has no file in the corpus that no parser reads', ({ expect }) => {
  const names = new Set(PARSERS.map(({ name }) => `./corpus/${name}.json`))
  expect(Object.keys(CORPUS).filter((file) => !names.has(file))).toEqual([])
})
