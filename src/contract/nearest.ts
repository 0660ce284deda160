import { thereAre } from './body-members.ts'

/** Returns advice about an unknown word: the known one that it probably means, or all of them. */
export function advice(word: string, known: readonly string[]): string {
  const meant = nearest(word, known)
  return meant === null ? thereAre(known) : `did you mean ${meant}?`
}

/**
 * Returns the candidate that a mistyped word probably means, or null. A third of the letters may be
 * wrong.
 */
export function nearest(word: string, candidates: readonly string[]): string | null {
  const [best] = candidates
    .map((candidate) => ({ candidate, mistakes: distance(word, candidate) }))
    .toSorted((one, other) => one.mistakes - other.mistakes)
  if (best && best.mistakes <= Math.max(1, Math.floor(word.length / 3))) return best.candidate
  return candidates.find((candidate) => candidate.startsWith(word)) ?? null
}

/** Counts the letters added, left out, replaced or swapped (optimal string alignment). */
function distance(from: string, to: string): number {
  let [beforeLast, last]: number[][] = [[], Array.from({ length: to.length + 1 }, (_, column) => column)]
  for (let row = 1; row <= from.length; row++) {
    const current = [row]
    for (let column = 1; column <= to.length; column++) {
      const isSame = from[row - 1] === to[column - 1]
      const isSwap = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
      current[column] = Math.min(
        at(last, column) + 1,
        at(current, column - 1) + 1,
        at(last, column - 1) + (isSame ? 0 : 1),
        isSwap ? at(beforeLast, column - 2) + 1 : Infinity,
      )
    }
    ;[beforeLast, last] = [last, current]
  }
  return at(last, to.length)
}

function at(row: readonly number[] | undefined, column: number): number {
  return row?.[column] ?? Infinity
}
