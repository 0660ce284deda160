import { describe, expect, it } from 'vitest'
import { canonicalLanguage } from '../../src/domain/language.ts'

describe('a language is read in every form that clients write', () => {
  it.each([
    ['nl', 'nl'],
    ['NL', 'nl'],
    ['nl-NL', 'nl-NL'],
    ['nl_NL', 'nl-NL'],
    ['nl-nl', 'nl-NL'],
    ['NL_be', 'nl-BE'],
    ['zh_Hans_CN', 'zh-Hans-CN'],
    ['zh-hant', 'zh-Hant'],
    ['es-419', 'es-419'],
    ['nld', 'nl'],
    ['iw', 'he'],
    ['fy', 'fy'],
    ['en-u-ca-gregory', 'en-u-ca-gregory'],
  ])('%s is %s', (text, tag) => {
    expect(canonicalLanguage(text)).toBe(tag)
  })
})

describe('a text is no language', () => {
  it.each([
    ['empty', ''],
    ['only a separator', '_'],
    ['one letter', 'n'],
    ['a name', 'dutch'],
    ['unknown', 'xx'],
    ['undetermined', 'und'],
    ['for private use', 'x-shop'],
    ['with a space', 'nl '],
    ['ending in a dash', 'nl-'],
    ['with two dashes', 'nl--NL'],
    ['with a code set, as POSIX writes it', 'nl_NL.UTF-8'],
    ['a POSIX locale', 'C'],
    ['too long', 'abcdefghi'],
    ['a list', 'nl,en'],
    ['markup', '<nl>'],
  ])('%s: %j', (_, text) => {
    expect(canonicalLanguage(text)).toBeUndefined()
  })
})
