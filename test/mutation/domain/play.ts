import { readFile } from 'node:fs/promises'
import { expect } from 'vitest'
import * as fastCheck from './fewer-runs.ts'
import * as valibot from 'valibot'
import type { Collected, CollectedTest } from './collected.ts'
import type { Plan, Told } from './judge.ts'

/** What Stryker's mutants look at: which is on, and where they note who passed through them. */
type Switch = {
  activeMutant?: string | undefined
  currentTestId?: string | undefined
  hitCount?: number
  hitLimit?: number
  mutantCoverage?: { static: Counts; perTest: Record<string, Counts> }
}
type Counts = Record<string, number>

const shared: Switch = ((globalThis as { __stryker__?: Switch }).__stryker__ = {})
const { script, mutants, testsOf } = JSON.parse(await readFile(process.argv[2] ?? '', 'utf8')) as Plan
const modules: Record<string, unknown> = { valibot, 'fast-check': fastCheck }
// One copy of all tests and sources a call: what is computed while modules are loaded is computed anew.
// oxlint-disable-next-line no-implied-eval, no-new-func
const evaluate = new Function('collected', 'require', 'module', script) as (
  collected: Collected,
  require: (name: string) => unknown,
  module: object,
) => void

const load = (): CollectedTest[] => {
  const collected: Collected = { expect, tests: [], file: '' }
  evaluate(collected, (name) => modules[name] ?? process.getBuiltinModule(name), {})
  return collected.tests
}

const tell = (told: Told): void => void process.send?.(told)

/** Whether a test passes with a mutant on; '' for none. */
const passes = async ({ run }: CollectedTest, mutant: string, hits = Infinity): Promise<boolean> => {
  Object.assign(shared, { activeMutant: mutant, hitCount: 0, hitLimit: hits })
  try {
    await run()
    return true
  } catch {
    return false
  } finally {
    shared.activeMutant = ''
  }
}

/** A mutant that never ends is thrown out of its loop after this many times what its code is passed without it. */
const HITS = 100

shared.activeMutant = ''
let tests = load()
const coverage = (shared.mutantCoverage ??= { static: {}, perTest: {} })
const alone = coverage.static
/** Of each mutant: the numbers of the tests that pass through it, and how often (all of them together). */
const through = new Map<string, { tests: number[]; hits: number }>()
const failing: string[] = []
/** How long each test takes: quick ones are asked first, for most mutants fail in most tests. */
const ms: number[] = []
const quickFirst = (numbers: readonly number[]): number[] =>
  numbers.toSorted((one, other) => (ms[one] ?? 0) - (ms[other] ?? 0))
for (const [number, test] of tests.entries()) {
  shared.currentTestId = String(number)
  coverage.perTest[number] = {}
  const start = performance.now()
  if (!(await passes(test, ''))) failing.push(`${test.file}: ${test.name}`)
  ms[number] = performance.now() - start
  for (const [mutant, hits] of Object.entries(coverage.perTest[number])) {
    const known = through.get(mutant) ?? { tests: [], hits: 0 }
    through.set(mutant, { tests: [...known.tests, number], hits: known.hits + hits })
  }
  coverage.perTest = {}
}
if (failing.length > 0) throw new Error(`fail without a mutant:\n${failing.join('\n')}`)
// From here on nobody asks who passed through what: it costs time.
shared.currentTestId = 'any'

/** The first of some tests that fails with a mutant on. */
const firstFailing = async (own: readonly CollectedTest[], mutant: string): Promise<CollectedTest | null> => {
  const hits = HITS * ((through.get(mutant)?.hits ?? 0) + (alone[mutant] ?? 0)) + HITS
  for (const test of own) if (!(await passes(test, mutant, hits))) return test
  return null
}

/** By tests that pass through it while they run. A mutant that has spoilt what tests share is played again in a new copy. */
const playRunning = async (mutant: string): Promise<string | null> => {
  const own = quickFirst(through.get(mutant)?.tests ?? [])
  for (;;) {
    const failed = await firstFailing(
      own.flatMap((number) => tests[number] ?? []),
      mutant,
    )
    if (failed === null) return null
    if (await passes(failed, '')) return `${failed.file}: ${failed.name}`
    tests = load()
    const again = tests.find(({ file, name }) => file === failed.file && name === failed.name)
    const isKilled = again !== undefined && !(await passes(again, mutant))
    tests = load()
    if (isKilled) return `${failed.file}: ${failed.name}`
  }
}

/** By all tests that import its file, loaded with it on: it changes what is computed while modules are loaded. */
const playLoading = async (mutant: string, file: string): Promise<string | null> => {
  shared.activeMutant = mutant
  shared.hitCount = 0
  shared.hitLimit = HITS * (alone[mutant] ?? 0) + HITS
  let own
  try {
    own = load()
  } catch (error) {
    return `it does not load: ${String(error).slice(0, 80)}`
  } finally {
    shared.activeMutant = ''
  }
  const importing = [...own.keys()].filter((number) => testsOf[file]?.includes(own[number]?.file ?? ''))
  const failed = await firstFailing(
    quickFirst(importing).flatMap((number) => own[number] ?? []),
    mutant,
  )
  return failed && `${failed.file}: ${failed.name}`
}

/** Those that are on while modules are loaded come last: each needs a copy of its own. */
const loading: (typeof mutants)[number][] = []
for (const mutant of mutants) {
  const { id } = mutant
  tell({ id, is: 'begun' })
  const by = await playRunning(id)
  if (by !== null) tell({ id, is: 'killed', by })
  else if ((alone[id] ?? 0) > 0) loading.push(mutant)
  else tell({ id, is: through.has(id) ? 'survived' : 'reached by no test', by: '' })
}
for (const { id, file } of loading) {
  tell({ id, is: 'begun' })
  const by = await playLoading(id, file)
  tell({ id, is: by === null ? 'survived' : 'killed', by: by ?? '' })
}
process.disconnect()
