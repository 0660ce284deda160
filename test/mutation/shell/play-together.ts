import type { Play } from '../player/switch.ts'
import { type Played, runPlays } from './run-plays.ts'

/** Again: it failed where the runtime was found broken afterwards, and this is how it ended in one of its own. */
export type Judged = Played & { readonly isAgain?: boolean }

/**
 * Plays mutants in one runtime, and last a control of each test file without a mutant. Where that fails, the runtime is broken, or the
 * file cannot be played twice in one: then its mutants that failed are played again, one of a file in a runtime.
 */
export async function playTogether(
  plays: readonly Play[],
  mutated: readonly string[],
  patience: number,
): Promise<Judged[]> {
  const files = [...new Set(plays.map(({ file }) => file))]
  const controls = files.map((file): Play => ({
    file,
    mutant: '',
    tests: [...new Set(plays.flatMap((play) => (play.file === file ? (play.tests ?? []) : [])))],
  }))
  const played = await runPlays({ mutated, patience, plays: [...plays, ...controls] })
  const results: Judged[] = [...played]
  const broken = new Set(files.filter((_, index) => results[plays.length + index]?.outcome !== 'passed'))
  const doubtful = [...plays.entries()].filter(
    ([index, { file }]) => broken.has(file) && results[index]?.outcome !== 'passed',
  )
  const byFile = [...Map.groupBy(doubtful, ([, { file }]) => file).values()]
  for (let turn = 0; byFile.some((of) => turn < of.length); turn++) {
    const again = byFile.flatMap((of) => of.slice(turn, turn + 1))
    const alone = await runPlays({ mutated, patience, plays: again.map(([, play]) => play) })
    for (const [at, one] of alone.entries()) results[again[at]?.[0] ?? 0] = { ...one, isAgain: true }
  }
  return results.slice(0, plays.length)
}
