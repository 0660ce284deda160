import { expect, it } from 'vitest'
import { announced } from './at-mollie.ts'

it.each([
  ['nl', 'nl_NL'],
  ['nl-NL', 'nl_NL'],
  ['nl_BE', 'nl_BE'],
  ['nl-be', 'nl_BE'],
  ['nl-Latn-BE', 'nl_BE'],
  ['nl-SR', 'nl_NL'],
  ['en', 'en_US'],
  ['en-GB', 'en_GB'],
  ['EN_us', 'en_US'],
  ['en-BE', 'en_BE'],
  ['en-NL', 'en_NL'],
  ['en-AU', 'en_US'],
  ['de', 'de_DE'],
  ['de_AT', 'de_AT'],
  ['de-CH', 'de_CH'],
  ['de-LU', 'de_LU'],
  ['de-LI', 'de_DE'],
  ['fr', 'fr_FR'],
  ['fr-BE', 'fr_BE'],
  ['fr-LU', 'fr_LU'],
  ['fr-CA', 'fr_FR'],
  ['es', 'es_ES'],
  ['es-MX', 'es_ES'],
  ['ca', 'ca_ES'],
  ['pt', 'pt_PT'],
  ['pt-BR', 'pt_PT'],
  ['it-CH', 'it_IT'],
  ['nb', 'nb_NO'],
  ['nb-NO', 'nb_NO'],
  ['sv', 'sv_SE'],
  ['fi', 'fi_FI'],
  ['da', 'da_DK'],
  ['is', 'is_IS'],
  ['hu', 'hu_HU'],
  ['pl', 'pl_PL'],
  ['cs', 'cs_CZ'],
  ['sk', 'sk_SK'],
  ['lv', 'lv_LV'],
  ['lt', 'lt_LT'],
])('shows a customer of language %s the checkout in %s', async (language, locale) => {
  expect(await announced({ language })).toHaveProperty('locale', locale)
})

/** Without a locale, Mollie takes the browser's language. */
it.each(['zh', 'zh-Hant-TW', 'ja', 'tr', 'ar-MA', 'fil', 'english', '', '_'])(
  'names no locale for %j, which Mollie does not have',
  async (language) => {
    expect(await announced({ language })).not.toHaveProperty('locale')
  },
)
