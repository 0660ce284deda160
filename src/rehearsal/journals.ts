import { join } from 'node:path'
import canonicalize from 'canonicalize'
import * as v from 'valibot'
import { JobLine, type StoredJob } from '../contract/backup.ts'
import { DAY } from '../contract/timestamp.ts'
import type { replay } from '../job/core/replay.ts'
import { linesOf as linesOfFile, readManifest } from '../backup/folder.ts'

/** A journal of a backup, or the place of a line that is not one. */
type FoundJournal = { id: string; entries: StoredJob['stored'] } | { wrong: string }

const Line = v.pipe(v.string(), v.parseJson(), JobLine)

/** The keys of entries are digits; all other keys of a job begin with letters. */
const IS_ENTRY = /^\d/

/** Reads the journals of a backup, or that of one job, file by file and line by line. */
export async function* journalsOf(folder: string, job: string | undefined): AsyncGenerator<FoundJournal> {
  const files = (await readManifest(folder))?.files ?? []
  for (const { name } of files.filter((file) => file.name.startsWith('jobs-')))
    for await (const found of journalsIn(join(folder, name)))
      if (job === undefined || ('id' in found && found.id === job)) yield found
}

async function* journalsIn(path: string): AsyncGenerator<FoundJournal> {
  let number = 0
  try {
    for await (const line of linesOfFile(path)) {
      number += 1
      const { success, output } = v.safeParse(Line, line)
      if (!success) yield { wrong: `${path}, line ${number}: it is not a job of a backup.` }
      else if ('id' in output) {
        const entries = output.stored.filter(({ key }) => IS_ENTRY.test(key))
        if (entries.length > 0) yield { id: output.id, entries }
      }
    }
  } catch {
    yield { wrong: `${path} cannot be read.` }
  }
}

const RETENTION = 400 * DAY

/**
 * Plays a journal of a backup: a line for each entry, `[job, entry, seen]` in the form of RFC
 * 8785, which has one text for each value. `[null, 0, …]` is a line that is not a job.
 */
export function* linesOf(found: FoundJournal, play: typeof replay): Generator<string> {
  if ('wrong' in found) yield JSON.stringify([null, 0, found.wrong])
  else {
    let entry = 0
    for (const seen of play(found.entries, RETENTION))
      yield canonicalize([found.id, (entry += 1), seen]) ?? ''
  }
}
