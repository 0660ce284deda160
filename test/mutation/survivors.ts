import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** What became of a mutant. */
export type Found = {
  readonly file: string
  readonly line: number
  /** The line of the file that it begins in. */
  readonly at: string
  readonly from: string
  readonly to: string
  readonly isKilled: boolean
  /** The test that killed it, or why there is none. */
  readonly by: string
}

/** A mutant that was looked at and may live. Known by its texts, `at` is the line it begins in: numbers of lines change. */
export type Known = Readonly<Record<'file' | 'at' | 'from' | 'to' | 'why', string>>

function onOneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim().slice(0, 80)
}

function isSame(known: Known, { file, at, from, to }: Found): boolean {
  return (
    known.file === file &&
    known.at === at.trim() &&
    known.from === onOneLine(from) &&
    known.to === onOneLine(to)
  )
}

export async function readKnown(): Promise<Known[]> {
  return JSON.parse(await readFile(join(import.meta.dirname, 'survivors.json'), 'utf8')) as Known[]
}

/** What becomes of each mutant that lives. New: it is not in the list. Stale: it is in the list, and does not live. */
export function compare(found: readonly Found[], known: readonly Known[]) {
  const alive = found.filter(({ isKilled }) => !isKilled)
  const isKnown = (mutant: Found): boolean => known.some((entry) => isSame(entry, mutant))
  return {
    listed: alive.filter(isKnown),
    new: alive.filter((mutant) => !isKnown(mutant)),
    stale: known.filter(
      (entry) =>
        found.some((mutant) => isSame(entry, mutant)) && !alive.some((mutant) => isSame(entry, mutant)),
    ),
  }
}

export function tellAs({ file, line, from, to, by }: Found): string {
  return `${file}:${line}  ${onOneLine(from)}  ->  ${onOneLine(to) || 'nothing'}${by === '' ? '' : `  (${by})`}`
}
