import { dirname } from 'node:path'
import type { Mutant } from './mutants.ts'
import type { Reach } from './reach.ts'
import { type Played, runPlays } from './run-plays.ts'
import type { Play } from '../player/switch.ts'

export type Verdict = {
  readonly mutant: Mutant
  /** Unsure: its test failed, but the runtime that it shared was found broken afterwards, and alone it could not be played. */
  readonly outcome: 'killed' | 'survived' | 'reached by no test' | 'unsure'
  readonly by: string
  /** False when there was no time for all tests that pass through it. */
  readonly allTests: boolean
}

type Turn = { readonly file: string; readonly tests: readonly string[]; readonly ms: number }
type Open = { readonly mutant: Mutant; readonly turns: Turn[]; readonly cut: boolean }

/** Mutants that share a runtime: enough to pay for its start, few enough that a broken one is not asked for long. */
const TOGETHER = 30

/** `src/payment-job/x.ts` and `test/payment-job/y.test.ts` are near; `test/reports/…` is not. */
const isNear = (file: string, test: string): boolean =>
  dirname(file).split('/')[1] === dirname(test).split('/')[1]

/** The test files that pass through a mutant: near ones first, then quick ones, for as long as there is time (ms). */
const turnsFor = (mutant: Mutant, reach: ReadonlyMap<string, readonly Reach[]>, time: number): Open => {
  const all = [...reach].flatMap(([file, tests]): Turn[] => {
    const through = tests.filter(({ reached }) => reached.includes(mutant.id))
    const ms = through.reduce((sum, test) => sum + test.ms, 0)
    return through.length === 0 ? [] : [{ file, tests: through.map(({ name }) => name), ms }]
  })
  const weight = ({ file, ms }: Turn): number => ms + (isNear(mutant.file, file) ? 0 : 3000)
  const ordered = all.toSorted((a, b) => weight(a) - weight(b))
  let spent = 0
  const turns = ordered.filter(({ ms }, index) => (spent += ms) <= time || index === 0)
  return { mutant, turns, cut: turns.length < ordered.length }
}

/**
 * Plays mutants in one runtime, and last a control of each test file without a mutant. Where that fails, the runtime is broken, or the
 * file cannot be played twice in one: then its mutants that failed are played again, one of a file in a runtime.
 */
const playTogether = async (
  plays: readonly Play[],
  mutated: readonly string[],
  patience: number,
): Promise<Played[]> => {
  const files = [...new Set(plays.map(({ file }) => file))]
  const controls = files.map((file): Play => ({
    file,
    mutant: '',
    tests: [...new Set(plays.flatMap((play) => (play.file === file ? (play.tests ?? []) : [])))],
  }))
  const results = await runPlays({ mutated, patience, plays: [...plays, ...controls] })
  const broken = new Set(files.filter((_, index) => results[plays.length + index]?.outcome !== 'passed'))
  const doubtful = [...plays.entries()].filter(
    ([index, { file }]) => broken.has(file) && results[index]?.outcome !== 'passed',
  )
  const byFile = [...Map.groupBy(doubtful, ([, { file }]) => file).values()]
  for (let turn = 0; byFile.some((of) => turn < of.length); turn++) {
    const again = byFile.flatMap((of) => of.slice(turn, turn + 1))
    const alone = await runPlays({ mutated, patience, plays: again.map(([, play]) => play) })
    for (const [at, played] of alone.entries()) results[again[at]?.[0] ?? 0] = played
  }
  return results.slice(0, plays.length)
}

/** Plays each mutant against the tests that pass through it, until one fails. Tells each verdict as soon as it is known. */
export const judgeMutants = async (
  mutants: readonly Mutant[],
  reach: ReadonlyMap<string, readonly Reach[]>,
  limits: { readonly time: number; readonly patience: number },
  tell: (verdict: Verdict) => void,
): Promise<void> => {
  const mutated = [...new Set(mutants.map(({ file }) => file))]
  let open = mutants.map((mutant) => turnsFor(mutant, reach, limits.time))
  for (const { mutant, turns } of open)
    if (turns.length === 0) tell({ mutant, outcome: 'reached by no test', by: '', allTests: true })
  open = open.filter(({ turns }) => turns.length > 0)
  while (open.length > 0) {
    const next: Open[] = []
    const ordered = open.toSorted((a, b) => (a.turns[0]?.file ?? '').localeCompare(b.turns[0]?.file ?? ''))
    for (let at = 0; at < ordered.length; at += TOGETHER) {
      const part = ordered.slice(at, at + TOGETHER)
      const plays = part.flatMap(({ mutant, turns: [turn] }) =>
        turn === undefined ? [] : [{ file: turn.file, mutant: mutant.id, tests: turn.tests }],
      )
      const results = await playTogether(plays, mutated, limits.patience)
      for (const [index, { mutant, turns, cut }] of part.entries()) {
        const { outcome, by } = results[index] ?? { outcome: 'lost', by: '' }
        if (outcome === 'failed' || outcome === 'hung')
          tell({ mutant, outcome: 'killed', by: `${turns[0]?.file}: ${by || outcome}`, allTests: false })
        else if (outcome === 'lost') tell({ mutant, outcome: 'unsure', by, allTests: false })
        else if (turns.length > 1) next.push({ mutant, turns: turns.slice(1), cut })
        else tell({ mutant, outcome: 'survived', by: '', allTests: !cut })
      }
    }
    open = next
  }
}
