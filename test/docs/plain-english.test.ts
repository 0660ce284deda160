import { expect, it } from 'vitest'
import { DOCUMENTS, proseOf } from './documents.ts'

/** Words that this project once used in a meaning of its own. */
const PRIVATE =
  /\b(doors?|ledgers?|owe[sd]?|owing|born|bears?|keepers?|forgotten|in flight|doubles, losses)\b/gi

it.each(DOCUMENTS)('$path has no private words', ({ text }) => {
  expect(proseOf(text).match(PRIVATE) ?? []).toEqual([])
})
