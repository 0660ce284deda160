import { inLanes } from './lanes.ts'
import type { Mutant } from './mutants.ts'
import { type Judged, playTogether } from './play-together.ts'
import type { FileReach } from './reach.ts'
import { runPlays } from './run-plays.ts'
import { type Open, split, turnsFor } from './turns.ts'

export type Verdict = {
  readonly mutant: Mutant
  /**
   * Not played: modules alone pass through it, while they are loaded, and that is done once, before it is on.
   * Unsure: its test failed, but the runtime that it shared was found broken afterwards, and alone it could not be played.
   */
  readonly outcome: 'killed' | 'survived' | 'reached by no test' | 'not played' | 'unsure'
  readonly by: string
  /** False when there was no time for all tests that pass through it. */
  readonly allTests: boolean
}

/** Plays that share a runtime: enough to pay for its start, few enough that a broken one is not asked for long. */
const TOGETHER = 60

/** Test files in the second round of a mutant. A runtime reads all test files of its plays before it begins: few files, a quick start. */
const SECOND = 8

/** Mutants with at most so many plays together, whole mutants at a time. A file that needs a runtime has a part to itself. */
function parts(open: readonly Open[]): Open[][] {
  const found: Open[][] = []
  let count = Infinity
  for (const one of open) {
    const isAlone = one.turns.some((turn) => turn.isAlone)
    if (isAlone || count + one.turns.length > TOGETHER) {
      found.push([])
      count = isAlone ? Infinity : 0
    }
    found.at(-1)?.push(one)
    count += one.turns.length
  }
  return found
}

/**
 * Plays each mutant against the tests that pass through it, until one fails. First against its most likely killer alone; what
 * lives then, against the next few, then against all others, and at last against those that need a runtime each. Tells each verdict
 * as soon as it is known.
 */
export async function judgeMutants(
  mutants: readonly Mutant[],
  reach: ReadonlyMap<string, FileReach>,
  limits: { readonly time: number; readonly patience: number },
  tell: (verdict: Verdict) => void,
): Promise<void> {
  const mutated = [...new Set(mutants.map(({ file }) => file))]
  const all = mutants.map((mutant) => turnsFor(mutant, reach, limits.time))
  const loaded = new Set([...reach.values()].flatMap(({ tests }) => tests.flatMap(({ loading }) => loading)))
  for (const { mutant, turns } of all)
    if (turns.length === 0) {
      const outcome = loaded.has(mutant.id) ? 'not played' : 'reached by no test'
      tell({ mutant, outcome, by: '', allTests: true })
    }
  let open = all.filter(({ turns }) => turns.length > 0)

  const play = async (part: readonly Open[], next: number): Promise<Open[]> => {
    const plays = part.flatMap(({ mutant, turns }) =>
      turns.map(({ file, tests }) => ({ file, mutant: mutant.id, tests })),
    )
    const isAlone = part.some(({ turns }) => turns.some((turn) => turn.isAlone))
    const results: readonly Judged[] = isAlone
      ? await runPlays({ mutated, plays, patience: limits.patience })
      : await playTogether(plays, mutated, limits.patience)
    const left: Open[] = []
    let at = 0
    for (const { mutant, turns, later, cut } of part) {
      const own = results.slice(at, (at += turns.length))
      const end = own.findIndex((one) => one.outcome !== 'passed' || one.isAgain)
      const { outcome, by } = own[end] ?? { outcome: 'passed', by: '' }
      // Where its test failed and then passed when it was played again, those after it were not played.
      const rest = end < 0 ? later : [...turns.slice(end + 1), ...later]
      if (outcome === 'failed' || outcome === 'hung')
        tell({ mutant, outcome: 'killed', by: `${turns[end]?.file}: ${by || outcome}`, allTests: false })
      else if (outcome === 'lost') tell({ mutant, outcome: 'unsure', by, allTests: false })
      else if (rest.length > 0) left.push({ mutant, ...split(rest, next), cut })
      else tell({ mutant, outcome: 'survived', by: '', allTests: !cut })
    }
    return left
  }

  for (let next = SECOND; open.length > 0; next = Infinity) {
    const left: Open[] = []
    const ordered = open.toSorted((a, b) => (a.turns[0]?.file ?? '').localeCompare(b.turns[0]?.file ?? ''))
    await inLanes(parts(ordered), async (part) => void left.push(...(await play(part, next))))
    open = left
  }
}
