import { expect, it } from 'vitest'
import { LANGUAGES } from '../../src/platform/http/headers.ts'
import { read } from './documents.ts'

const ENGLISH = new Intl.DisplayNames('en', { type: 'language' })

it.each(LANGUAGES)("the page about customers' pages names the language %s", (code) => {
  // The page may have the script apart from "Chinese", and calls Norwegian Bokmål "Norwegian".
  const words = (ENGLISH.of(code) ?? code).replace(' Bokmål', '').split(' ')
  for (const word of words) expect(read('docs/pos/customer-pages.md')).toContain(word)
})
