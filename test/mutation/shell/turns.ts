import { dirname } from 'node:path'
import type { Mutant } from './mutants.ts'
import type { Reach } from './reach.ts'

/** A test file, and those of its tests that pass through a mutant. */
type Turn = { readonly file: string; readonly tests: readonly string[]; readonly ms: number }

/** A mutant that is not judged yet: the test files of its next run, and those of the one after. Cut: there was no time for more. */
export type Open = {
  readonly mutant: Mutant
  readonly turns: readonly Turn[]
  readonly later: readonly Turn[]
  readonly cut: boolean
}

/** `src/payment-job/x.ts` and `test/payment-job/y.test.ts` are near; `test/reports/…` is not. */
const isNear = (file: string, test: string): boolean =>
  dirname(file).split('/')[1] === dirname(test).split('/')[1]

/** `test/payment-job/x.test.ts` is about `src/payment-job/x.ts` alone. */
const isOwn = (file: string, test: string): boolean =>
  test === file.replace(/^src/, 'test').replace(/\.tsx?$/, '.test.ts')

/** The test files that pass through a mutant: its file's own first, near ones, then quick ones, for as long as there is time (ms). */
export const turnsFor = (
  mutant: Mutant,
  reach: ReadonlyMap<string, readonly Reach[]>,
  time: number,
): Open => {
  const all = [...reach].flatMap(([file, tests]): Turn[] => {
    const through = tests.filter(({ reached }) => reached.includes(mutant.id))
    const ms = through.reduce((sum, test) => sum + test.ms, 0)
    return through.length === 0 ? [] : [{ file, tests: through.map(({ name }) => name), ms }]
  })
  const weight = ({ file, ms }: Turn): number =>
    isOwn(mutant.file, file) ? 0 : ms + (isNear(mutant.file, file) ? 0 : 3000)
  const ordered = all.toSorted((a, b) => weight(a) - weight(b))
  let spent = 0
  const [first, ...later] = ordered.filter(({ ms }, index) => (spent += ms) <= time || index === 0)
  const turns = first === undefined ? [] : [first]
  return { mutant, turns, later, cut: turns.length + later.length < ordered.length }
}
