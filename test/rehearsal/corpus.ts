import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { StoredJob } from '../../src/contract/backup.ts'

/**
 * What release 1.0.0 stored: journals of its simulation, and the fixtures of test/stored; and what 1.0.0 made
 * of each entry (`node test/rehearsal/record.ts`), so that no test needs its code.
 */
export const CORPUS = join(import.meta.dirname, 'journals-1.0.0.ndjson.gz')
export const SEEN = join(import.meta.dirname, 'seen-1.0.0.ndjson.gz')

export function textOf(path: string): string {
  return gunzipSync(readFileSync(path)).toString()
}

function linesIn(path: string): string[] {
  return textOf(path).split('\n').filter(Boolean)
}

/** Returns the journals of the corpus, the fixtures first. */
export function corpus(): { id: string; entries: StoredJob['stored'] }[] {
  return linesIn(CORPUS).map((line) => {
    const { id, stored } = JSON.parse(line) as StoredJob
    return { id, entries: stored }
  })
}

/** Returns what 1.0.0 made of the corpus, a line for each entry. */
export async function* seenBefore(): AsyncGenerator<string, undefined> {
  yield* linesIn(SEEN)
}
