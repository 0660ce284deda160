// The Workers' runtime has other language data than Node.
import 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { closestLocale } from '../../src/contract/language.ts'

describe('a reader gets a locale in their own script, or none', () => {
  it.each([
    ['zh zh-TW', 'zh-HK zh-MO zh-TW zh-Hant zh_Hant_HK zh-hant-cn yue', 'zh-TW'],
    ['zh zh-TW', 'zh zh-CN zh-SG zh-Hans zh_Hans_HK cmn yue-CN', 'zh'],
    ['zh-TW', 'zh zh-CN zh-Hans-TW zh-Latn', undefined],
    ['zh_CN', 'zh-HK zh-MO zh_TW zh-Hant zh-Bopo', undefined],
    ['sr sr-Latn', 'sr sr-RS sr_Cyrl_ME', 'sr'],
    ['sr sr-Latn', 'sr-Latn sr-ME sh', 'sr-Latn'],
    ['sr', 'sr-Latn sr-ME', undefined],
    ['az', 'az-Cyrl az-IR', undefined],
    ['az', 'az az-AZ az-Latn-AZ', 'az'],
    ['pa', 'pa pa-IN pa-Guru', 'pa'],
    ['pa', 'pa-PK pa-Arab', undefined],
    ['uz', 'uz-AF uz-Cyrl', undefined],
  ])('of %s, %s read %s', (list, readers, locale) => {
    for (const reader of readers.split(' ')) expect(closestLocale(list)(reader), reader).toBe(locale)
  })
})

describe('a reader gets the form of their own region', () => {
  it.each([
    ['en en-GB', 'en-GB en-AU en-IE en-150 en_ZA', 'en-GB'],
    ['en en-GB', 'en en-US en-PH en_CA', 'en'],
    ['es es-419', 'es-MX es_AR es-US es-419', 'es-419'],
    ['es es-419', 'es es-ES es-DE es-GQ', 'es'],
    ['pt-BR pt-PT', 'pt pt-PT pt-AO pt_MZ', 'pt-PT'],
    ['pt-PT pt-BR', 'pt-BR pt-US', 'pt-BR'],
    ['pt pt-BR', 'pt pt-AO', 'pt'],
    ['zh-TW zh-HK', 'zh-HK zh-MO zh-Hant-MO', 'zh-HK'],
    ['zh-HK zh-TW', 'zh-TW zh-Hant zh-US', 'zh-TW'],
    ['nb', 'no nn nb nn_NO no-NO', 'nb'],
    ['no-NO', 'no nn nb', 'no-NO'],
    ['de-AT de-CH', 'de de-LI de-DE', 'de-AT'],
  ])('of %s, %s read %s', (list, readers, locale) => {
    for (const reader of readers.split(' ')) expect(closestLocale(list)(reader), reader).toBe(locale)
  })

  it.each(['', '_', 'e', 'english', 'und', 'und-Latn', 'root', 'en!', 'x-en'])(
    '%j is not a language',
    (tag) => {
      expect(closestLocale('en en-GB')(tag)).toBeUndefined()
    },
  )
})
