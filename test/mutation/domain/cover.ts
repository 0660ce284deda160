import type { CollectedTest } from './collected.ts'
import { doesPass, shared } from './switch.ts'

/** Who passes through what when no mutant is on. Tests are known by their place, mutants by their number. */
export type Cover = {
  /** Of each mutant: the tests that pass through it while they run, and how often they do. */
  readonly running: Record<string, { tests: number[]; passes: number }>
  /** How often modules pass through it while they are loaded. */
  readonly loading: Record<string, number>
  /** How long each test takes. */
  readonly ms: readonly number[]
}

/** Runs all tests once. Throws when one of them fails: nothing could be said of mutants then. */
export async function findCover(load: () => readonly CollectedTest[], mutants: number): Promise<Cover> {
  const counts = (shared.counts = new Uint32Array(mutants))
  const takeCounts = (): [string, number][] => {
    const passed = [...counts.entries()].flatMap(([id, count]): [string, number][] =>
      count === 0 ? [] : [[String(id), count]],
    )
    counts.fill(0)
    return passed
  }
  const tests = load()
  const loading = Object.fromEntries(takeCounts())
  const running: Cover['running'] = {}
  const ms: number[] = []
  const failing: string[] = []
  for (const [number, test] of tests.entries()) {
    const start = performance.now()
    if (!(await doesPass(test, ''))) failing.push(`${test.file}: ${test.name}`)
    ms.push(performance.now() - start)
    for (const [mutant, passes] of takeCounts()) {
      const known = (running[mutant] ??= { tests: [], passes: 0 })
      known.tests.push(number)
      known.passes += passes
    }
  }
  if (failing.length > 0) throw new Error(`these tests fail without a mutant:\n${failing.join('\n')}`)
  return { running, loading, ms }
}
