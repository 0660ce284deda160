import type { Found } from './survivors.ts'

/** What became of the mutants of a file, or of many. */
type Score = { readonly played: number; readonly killed: number; readonly listed: number }

/** What share of the mutants that a test can notice must be noticed (per cent): of the pure rules, and of what stands around them. */
const TARGET = { domain: 97, shell: 90 }

export function isDomain(file: string): boolean {
  return file.startsWith('src/domain/')
}

function scoreOf(found: readonly Found[], listed: readonly Found[]): Score {
  return {
    played: found.length,
    killed: found.filter(({ isKilled }) => isKilled).length,
    listed: found.filter((mutant) => listed.includes(mutant)).length,
  }
}

/** Those in the list do not count: no test can notice them. */
function shareOf({ played, killed, listed }: Score): number {
  return played === listed ? 100 : (100 * killed) / (played - listed)
}

/** Rounded down: a score that is told as the target has reached it. */
function told(share: number): string {
  return `${(Math.floor(share * 10) / 10).toFixed(1)} %`
}

/** A line for each file, and one for the whole of each part with its target. */
export function scoreTable(found: readonly Found[], listed: readonly Found[]) {
  const lineOf = (name: string, score: Score): string =>
    [score.played, score.killed, score.listed, score.played - score.killed - score.listed]
      .map((count) => String(count).padStart(8))
      .join('') + `${told(shareOf(score)).padStart(10)}  ${name}`
  const byFile = [...Map.groupBy(found, ({ file }) => file)]
    .toSorted(([one], [other]) => one.localeCompare(other))
    .map(([file, own]) => lineOf(file, scoreOf(own, listed)))
  const parts = (['domain', 'shell'] as const).flatMap((part) => {
    const own = found.filter(({ file }) => isDomain(file) === (part === 'domain'))
    return own.length === 0 ? [] : [{ part, score: scoreOf(own, listed) }]
  })
  const totals = parts.map(({ part, score }) =>
    lineOf(`all of the ${part}; wanted: ${TARGET[part]} %`, score),
  )
  return {
    lines: [' mutants  killed  listed   alive     score', ...byFile, ...totals],
    isReached: parts.every(({ part, score }) => shareOf(score) >= TARGET[part]),
  }
}
