import { describe, expect, it } from 'vitest'
import { SENTENCES, textsIn, type Texts } from '../../src/checkout/texts.ts'
import { LANGUAGES } from '../../src/platform/http/headers.ts'

/**
 * A text may be the same in two languages that are near to each other: `Kvittering`. None is the
 * same as in English.
 */
const NEIGHBOURS: readonly (readonly [string, string])[] = [
  ['da', 'nb'],
  ['da', 'sv'],
  ['nb', 'sv'],
  ['nl', 'de'],
  ['es', 'it'],
  ['es', 'pt'],
  ['it', 'pt'],
]

const keys = Object.keys(textsIn('en')) as (keyof Texts)[]
const written = LANGUAGES.flatMap((language) => keys.map((key) => [language, key] as const))

describe.each(LANGUAGES)('the texts in %s', (language) => {
  const texts = textsIn(language)

  it('are all there, and neither empty nor with spaces around', () => {
    expect(Object.keys(texts).toSorted()).toEqual(keys.toSorted())
    for (const key of keys) expect(texts[key], key).toMatch(/^\S.*\S$/)
  })

  it('end with a full stop where they are sentences, and without one where they are not', () => {
    const sentences = new Set<string>(['test', ...Object.values(SENTENCES).flat()])
    for (const key of keys) expect(texts[key].endsWith('.'), key).toBe(sentences.has(key))
  })

  it('say no two things in the same words, but for the way back', () => {
    const others = keys.filter((key) => key !== 'backTo').map((key) => texts[key])
    expect(new Set(others).size).toBe(others.length)
  })
})

it('no text is left in another language', () => {
  const same = written.flatMap(([language, key]) =>
    LANGUAGES.filter(
      (other) =>
        other < language &&
        textsIn(other)[key] === textsIn(language)[key] &&
        !NEIGHBOURS.some((pair) => pair.includes(other) && pair.includes(language)),
    ).map((other) => `${key}: ${language} as ${other}`),
  )
  expect(same).toEqual([])
})

it('Greek is written in Greek letters', () => {
  for (const key of keys) expect(textsIn('el')[key], key).toMatch(/^[\p{Script=Greek}\p{P}\s]+$/u)
})
