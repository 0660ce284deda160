import * as fc from 'fast-check'
import { describe, inject, it } from 'vitest'
import type { Parser } from './parser.ts'
import { ADDRESSES } from './parsers/addresses.ts'
import { BODIES } from './parsers/bodies.ts'
import { HEADERS } from './parsers/headers.ts'
import { NOTIFICATIONS } from './parsers/notifications.ts'

const PARSERS: readonly Parser[] = [...ADDRESSES, ...BODIES, ...HEADERS, ...NOTIFICATIONS]
const CORPUS = import.meta.glob<unknown[]>('./corpus/*.json', { eager: true, import: 'default' })
const time = inject('fuzz')

/** Inputs in each run of `npm test`; all parsers together take a few seconds. */
const RUNS = 150

describe.each(PARSERS)('$name', ({ name, inputs, holds }) => {
  it('holds for each input that it once did not hold for', async () => {
    for (const input of CORPUS[`./corpus/${name}.json`] ?? []) await holds(input)
  })

  it('holds for whatever is sent', { timeout: (time ?? 0) + 60_000 }, async ({ task }) => {
    const runs = time === undefined ? { numRuns: RUNS } : { numRuns: 1e9, interruptAfterTimeLimit: time }
    const property = fc.asyncProperty(inputs, async (input) => {
      await holds(input)
    })
    const found = await fc.check(property, runs)
    if (found.counterexample) task.meta.counterexample = { parser: name, input: found.counterexample[0] }
    // An interrupted run has found nothing until then.
    if (found.failed)
      throw new Error(fc.defaultReportMessage(found) ?? 'failed', { cause: found.errorInstance })
  })
})

it('has no file in the corpus that no parser reads', ({ expect }) => {
  const names = new Set(PARSERS.map(({ name }) => `./corpus/${name}.json`))
  expect(Object.keys(CORPUS).filter((file) => !names.has(file))).toEqual([])
})
