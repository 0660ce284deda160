import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { PROJECT } from '../../src/programs/wrangler.ts'
import { DOCUMENTS, proseOf } from './documents.ts'

/** Words that this project once used in a meaning of its own. */
const PRIVATE = /\b(doors?|owe[sd]?|owing|born|bears?|keepers?|forgotten|in flight|doubles, losses)\b/gi

it.each(DOCUMENTS)('$path has no private words', ({ text }) => {
  expect(proseOf(text).match(PRIVATE) ?? []).toEqual([])
})

/** A comment that begins so names nobody: a stranger has to read it twice. */
const NAMES_NOBODY = /^ *(\/\*\*\s+(\* )?|\/\/ )(What|Who|Whose|Those|That|One that|None of)\b.*$/gm

it('a comment of the source names who acts', () => {
  const found = globSync('src/**/*.{ts,tsx}', { cwd: PROJECT }).flatMap((path) =>
    Array.from(
      readFileSync(join(PROJECT, path), 'utf8').matchAll(NAMES_NOBODY),
      ([comment]) => `${path}: ${comment.trim()}`,
    ),
  )
  expect(found).toEqual([])
})
