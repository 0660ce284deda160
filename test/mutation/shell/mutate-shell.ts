import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ALONE, IN_SHARED_RUNTIME } from '../../projects.ts'
import type { Lines } from '../changed-lines.ts'
import type { Found } from '../survivors.ts'
import { compiling } from './compiling.ts'
import { judgeMutants } from './judge-mutants.ts'
import { switchable } from './mutants.ts'
import { findReach } from './reach.ts'

const root = join(import.meta.dirname, '../../..')

/** How long one test may take without a mutant and with one, and how long all tests of one mutant may (ms). */
const PATIENCE = { first: 60_000, mutated: 15_000 }
const TIME = 60_000

/** Tests that are left out: they pass through pure rules only, run for minutes, or run a mutant themselves. */
const LEFT_OUT = /^test\/(domain|mutation|simulation|fuzz|security\/fuzz)/

/** One mutant in so many, evenly over all files: that of this number, from 0, is the first. */
export type Sample = { readonly every: number; readonly from: number }

/** Those that need the hub's state for themselves are among them: some can share a runtime all the same, because here files are played in turn. */
async function testsOfTheWorker(): Promise<string[]> {
  return [
    ...(await Array.fromAsync(
      glob(IN_SHARED_RUNTIME.include, { cwd: root, exclude: IN_SHARED_RUNTIME.exclude }),
    )),
    ...(await Array.fromAsync(glob(ALONE, { cwd: root }))),
  ]
}

/** Makes the mutants of files, or of lines of them, plays a sample of them against the tests under some paths, and gives what became of each. */
export async function mutateShell(
  files: ReadonlyMap<string, readonly Lines[]>,
  sample: Sample,
  testsUnder: readonly string[],
): Promise<Found[]> {
  const mutants = []
  const sources = new Map<string, string>()
  for (const [file, lines] of files) {
    const source = await readFile(join(root, file), 'utf8')
    sources.set(file, source)
    mutants.push(
      ...switchable(file, source).mutants.filter(
        ({ line }) => lines.length === 0 || lines.some(({ first, last }) => line >= first && line <= last),
      ),
    )
  }
  const sampled = mutants.filter((_, index) => index % sample.every === sample.from)
  const chosen = await compiling(root, sampled, sources)
  process.stdout.write(`${sampled.length} mutants, of which ${chosen.length} compile\n`)
  const tests = (await testsOfTheWorker())
    .filter((file) => !LEFT_OUT.test(file) && testsUnder.some((path) => file.startsWith(path)))
    .toSorted()
  const reach = await findReach([...files.keys()], tests, PATIENCE.first)
  const found: Found[] = []
  await judgeMutants(
    chosen,
    reach,
    { time: TIME, patience: PATIENCE.mutated },
    ({ mutant, outcome, by, allTests }) => {
      const { file, line, at, from, to } = mutant
      if (outcome === 'not played') return
      const isKilled = outcome === 'killed'
      const why = isKilled ? by : outcome + (allTests ? '' : ', in the time that it had')
      found.push({ file, line, at, from, to, isKilled, by: why })
      process.stdout.write(`${isKilled ? 'killed' : 'LIVES '} ${file}:${line} ${from} -> ${to} ${why}\n`)
    },
  )
  return found
}
