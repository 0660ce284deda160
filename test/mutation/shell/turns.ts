import { dirname } from 'node:path'
import type { Mutant } from './mutants.ts'
import type { FileReach } from './reach.ts'

/** A test file, and those of its tests that pass through a mutant. Alone: it needs a runtime to itself. */
type Turn = {
  readonly file: string
  readonly tests: readonly string[]
  readonly ms: number
  readonly isAlone: boolean
}

/** A mutant that is not judged yet: the test files of its next run, and those of later ones. Cut: there was no time for more. */
export type Open = {
  readonly mutant: Mutant
  readonly turns: readonly Turn[]
  readonly later: readonly Turn[]
  readonly cut: boolean
}

/** `src/payment-job/x.ts` and `test/payment-job/y.test.ts` are near; `test/reports/…` is not. */
function isNear(file: string, test: string): boolean {
  return dirname(file).split('/')[1] === dirname(test).split('/')[1]
}

/** `test/payment-job/x.test.ts` is about `src/payment-job/x.ts` alone. */
function isOwn(file: string, test: string): boolean {
  return test === file.replace(/^src/, 'test').replace(/\.tsx?$/, '.test.ts')
}

/** Splits what is left into the next run, of so many files at most, and the later ones. A file that needs a runtime is a run. */
export function split(left: readonly Turn[], most: number): Pick<Open, 'turns' | 'later'> {
  const firstAlone = left.findIndex(({ isAlone }) => isAlone)
  const count = firstAlone === 0 ? 1 : Math.min(most, firstAlone < 0 ? left.length : firstAlone)
  return { turns: left.slice(0, count), later: left.slice(count) }
}

/**
 * The test files that pass through a mutant: its file's own first, near ones, then quick ones, for as long as there is time (ms).
 * Those that need a runtime come last: starting one takes longer than most tests.
 */
export function turnsFor(mutant: Mutant, reach: ReadonlyMap<string, FileReach>, time: number): Open {
  const all = [...reach].flatMap(([file, { tests, isAlone }]): Turn[] => {
    const through = tests.filter(({ reached }) => reached.includes(mutant.id))
    const ms = through.reduce((sum, test) => sum + test.ms, 0)
    return through.length === 0 ? [] : [{ file, tests: through.map(({ name }) => name), ms, isAlone }]
  })
  const weight = ({ file, ms, isAlone }: Turn): number =>
    (isOwn(mutant.file, file) ? 0 : ms + (isNear(mutant.file, file) ? 0 : 3000)) + (isAlone ? time : 0)
  const ordered = all.toSorted((a, b) => weight(a) - weight(b))
  let spent = 0
  const inTime = ordered.filter(({ ms }, index) => (spent += ms) <= time || index === 0)
  return { mutant, ...split(inTime, 1), cut: inTime.length < ordered.length }
}
