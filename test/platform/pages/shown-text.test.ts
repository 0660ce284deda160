import { describe, expect, it } from 'vitest'
import { shownText } from '../../../src/platform/pages/formats.ts'

describe('a text of a point of sale, as pages show it', () => {
  it.each([
    ['plain', 'A-1001', 'A-1001'],
    ['with an override, which would show it in reverse', '\u202eGPJ.1001', 'GPJ.1001'],
    [
      'with every character that turns text',
      'a\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u061cb',
      'ab',
    ],
    ['in Hebrew', 'חנות 7', 'חנות 7'],
    ['with a joined emoji, whose joiner stays', '👩\u200d🍳', '👩\u200d🍳'],
    ['of marks alone', '\u202e\u200f', ''],
    ['that nobody can see', '\u200b\u00ad\u3164\u2800 \u00a0\u2060', ''],
  ])('%s', (_, text, shown) => {
    expect(shownText(text)).toBe(shown)
  })
})
