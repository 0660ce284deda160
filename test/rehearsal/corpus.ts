import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { StoredJob } from '../../src/contract/backup.ts'

/** The releases whose journals are in the corpus, the newest first. */
export const RELEASES = ['1.1.0', '1.0.0']

/**
 * Returns the file of what a release stored: the journals of its simulation and, of 1.0.0, the fixtures of
 * test/stored or, of later releases, some situations of a payment.
 */
export function journalsOf(release: string): string {
  return join(import.meta.dirname, `journals-${release}.ndjson.gz`)
}

/** What the newest release made of each entry of `part()`, so that no test needs its code. */
export const SEEN = join(import.meta.dirname, 'seen.ndjson.gz')

function linesIn(path: string): string[] {
  return gunzipSync(readFileSync(path)).toString().split('\n').filter(Boolean)
}

type Journal = { id: string; entries: StoredJob['stored'] }

/** Returns the journals of the corpus, those of the newest release first. */
export function corpus(): Journal[] {
  return RELEASES.flatMap((release) => linesIn(journalsOf(release))).map((line) => {
    const { id, stored } = JSON.parse(line) as StoredJob
    return { id, entries: stored }
  })
}

/** Returns the journals that each run of the tests plays. `npm run test:slow` plays all. */
export function part(): Journal[] {
  return corpus().filter((_, place) => place % 8 === 0)
}

/** Returns the lines of a backup. */
export function backedUp(journals: readonly Journal[]): string {
  return journals.map(({ id, entries }) => `${JSON.stringify({ id, stored: entries })}\n`).join('')
}

/** Returns what the newest release made of `part()`, a line for each entry. */
export async function* seenBefore(): AsyncGenerator<string, undefined> {
  yield* linesIn(SEEN)
}
