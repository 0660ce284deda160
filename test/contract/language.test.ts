import { describe, expect, it } from 'vitest'
import { canonicalLanguage } from '../../src/contract/language-tag.ts'

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
    ['de_DE_formal', 'de-DE-formal'],
    ['de_CH_informal', 'de-CH-informal'],
    ['ca_valencia', 'ca-valencia'],
    ['pt_PT_ao90', 'pt-PT'],
    ['xx', 'xx'],
    ['und', 'und'],
  ])('%s is %s', (text, tag) => {
    expect(canonicalLanguage(text)).toBe(tag)
  })
})

// The runtime's language data has none of these, so only the form counts.
describe('a rare language is accepted', () => {
  it.each(
    (
      'arg arq ary as ast azb bo bre ceb ckb dsb dzo frp fur fuc gsw hat haz hsb kab kaa kir lij li lmo lo lug mai ' +
      'nqo oci os ory pcm pap_AW pap_CW rhg roh rue sah scn skr srd szl tah_PF tuk tzm vec wol yor'
    ).split(' '),
  )('%s', (text) => {
    expect(canonicalLanguage(text)).toBeDefined()
  })
})

describe('a text is not a language', () => {
  it.each([
    ['empty', ''],
    ['only a separator', '_'],
    ['one letter', 'n'],
    ['for private use', 'x-shop'],
    ['a name', 'klingonese'],
    ['with a space', 'nl '],
    ['ending in a dash', 'nl-'],
    ['with two dashes', 'nl--NL'],
    ['with a code set, as POSIX writes it', 'nl_NL.UTF-8'],
    ['a POSIX locale', 'C'],
    ['too long', 'abcdefghi'],
    ['a list', 'nl,en'],
    ['with the variant of WordPress in its middle', 'pt_ao90_PT'],
    ['markup', '<nl>'],
  ])('%s: %j', (_, text) => {
    expect(canonicalLanguage(text)).toBeUndefined()
  })
})
