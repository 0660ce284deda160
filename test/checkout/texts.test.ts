import { describe, expect, it } from 'vitest'
import { SENTENCES, textsIn, type Texts } from '../../src/checkout/texts.ts'
import { LANGUAGES } from '../../src/platform/http/headers.ts'

/**
 * A text may be the same in two related languages: `Kvittering`. None is the same as in English.
 */
const NEIGHBOURS: readonly (readonly [string, string])[] = [
  ['da', 'nb'],
  ['da', 'sv'],
  ['nb', 'sv'],
  ['nl', 'de'],
  ['es', 'it'],
  ['es', 'pt'],
  ['it', 'pt'],
  ['zh-Hans', 'zh-Hant'],
  ['ja', 'zh-Hant'],
]

const keys = Object.keys(textsIn('en')) as (keyof Texts)[]
const written = LANGUAGES.flatMap((language) => keys.map((key) => [language, key] as const))

describe.each(LANGUAGES)('the texts in %s', (language) => {
  const texts = textsIn(language)

  it('are complete, and neither empty nor surrounded by spaces', () => {
    expect(Object.keys(texts).toSorted()).toEqual(keys.toSorted())
    for (const key of keys) expect(texts[key], key).toMatch(/^\S.*\S$/)
  })

  it('end with a full stop if they are sentences, and only then', () => {
    const sentences = new Set<string>(['test', 'ask', 'askAt', ...Object.values(SENTENCES).flat()])
    for (const key of keys) expect(/[.。]$/.test(texts[key]), key).toBe(sentences.has(key))
  })

  it('are all different', () => {
    expect(new Set(keys.map((key) => texts[key])).size).toBe(keys.length)
  })

  it('name the shop in two places, each once', () => {
    const naming = keys.filter((key) => texts[key].includes('{'))
    expect(naming.toSorted()).toEqual(['askAt', 'backTo'])
    for (const key of naming) expect(texts[key].split('{shop}')).toHaveLength(2)
  })
})

it('no text is in another language', () => {
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

it.each([
  ['el', /^[\p{Script=Greek}\p{P}\s]+$/u],
  ['uk', /^[\p{Script=Cyrillic}\p{P}\s]+$/u],
  ['ar', /^[\p{Script=Arabic}\p{M}\p{P}\s]+$/u],
  ['ja', /^[\p{Script=Han}\p{scx=Hira}\p{scx=Kana}\p{P}\d]+$/u],
  ['zh-Hans', /^[\p{Script=Han}\p{P} ]+$/u],
  ['zh-Hant', /^[\p{Script=Han}\p{P} ]+$/u],
] as const)('%s is written in its own letters', (language, letters) => {
  for (const key of keys) expect(textsIn(language)[key].replace('{shop}', ''), key).toMatch(letters)
})

// Characters that the two scripts write differently.
it('Chinese in one script has no character of the other', () => {
  const simplified = '这为单笔请问联时间额将会无开链过订银测试项'
  const traditional = '這為單筆請問聯時間額將會無開鏈過訂銀測試項'
  for (const key of keys) {
    expect(textsIn('zh-Hant')[key], key).not.toMatch(new RegExp(`[${simplified}]`))
    expect(textsIn('zh-Hans')[key], key).not.toMatch(new RegExp(`[${traditional}]`))
  }
})
