import { expect, it } from 'vitest'
import { announced } from './at-adyen.ts'

it.each([
  ['nl', 'nl-NL'],
  ['nl_BE', 'nl-NL'],
  ['en', 'en-US'],
  ['en-GB', 'en-US'],
  ['de-AT', 'de-DE'],
  ['fr-BE', 'fr-FR'],
  ['es-MX', 'es-ES'],
  ['ca', 'ca-ES'],
  ['pt', 'pt-PT'],
  ['pt_BR', 'pt-BR'],
  ['nb', 'no-NO'],
  ['nn-NO', 'no-NO'],
  ['sv', 'sv-SE'],
  ['el', 'el-GR'],
  ['ar-MA', 'ar'],
  ['zh', 'zh-CN'],
  ['zh-Hant-TW', 'zh-TW'],
  ['ja', 'ja-JP'],
])('shows a customer of language %s the page in %s', async (language, locale) => {
  expect(await announced({ language })).toHaveProperty('shopperLocale', locale)
})

it.each(['tr', 'fil', 'english', '', '_'])(
  'names no locale for %j, which Adyen does not have',
  async (language) => {
    expect(await announced({ language })).not.toHaveProperty('shopperLocale')
  },
)
