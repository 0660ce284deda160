import { describe, expect, it } from 'vitest'
import { LANGUAGES, customerLanguage, preferredLanguage } from '../../../src/platform/http/headers.ts'

describe('the language of texts for customers', () => {
  it.each([
    ['nl', 'nl'],
    ['nl-BE', 'nl'],
    ['de_AT', 'de'],
    ['PT-br', 'pt'],
    ['el-GR', 'el'],
    ['nb-NO', 'nb'],
    ['no', 'nb'],
    ['nn_NO', 'nb'],
    ['pt_PT_ao90', 'pt'],
  ])('for the tag %s is %s', (tag, language) => {
    expect(customerLanguage(tag, LANGUAGES)).toBe(language)
  })

  it.each(['fil', 'fur', 'ja', 'noe', 'n', ''])('for the tag %j is none that they are written in', (tag) => {
    expect(customerLanguage(tag, LANGUAGES)).toBeUndefined()
  })

  it('is one of those that there are', () => {
    expect(customerLanguage('it', ['en', 'nl'])).toBeUndefined()
  })

  it.each([
    ['it-IT,it;q=0.9,en;q=0.8', 'it'],
    ['ja,no;q=0.5', 'nb'],
    ['ja', 'en'],
    ['*', 'en'],
    ['', 'en'],
    ['nl;q=0.2,fr;q=0.9', 'fr'],
    ['de;q=0,ja', 'en'],
  ])('for a browser that asks for %j is %s', (asked, language) => {
    const request = new Request('https://hub.test/', { headers: { 'accept-language': asked } })
    expect(preferredLanguage(request, LANGUAGES)).toBe(language)
  })
})
