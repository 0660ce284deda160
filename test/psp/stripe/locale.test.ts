import { expect, it } from 'vitest'
import { announced } from './at-stripe.ts'

it.each([
  ['nl', 'nl'],
  ['nl_BE', 'nl'],
  ['en', 'en'],
  ['en-GB', 'en-GB'],
  ['en_gb', 'en-GB'],
  ['EN-us', 'en'],
  ['de-AT', 'de'],
  ['fr', 'fr'],
  ['fr-BE', 'fr'],
  ['fr-CA', 'fr-CA'],
  ['es', 'es'],
  ['es-419', 'es-419'],
  ['pt', 'pt'],
  ['pt-BR', 'pt-BR'],
  ['no', 'nb'],
  ['nn-NO', 'nb'],
  ['hi', 'hi-IN'],
  ['fil', 'fil'],
  ['zh', 'zh'],
  ['zh-TW', 'zh-TW'],
  ['zh-Hant-HK', 'zh-HK'],
])('shows a customer of language %s the checkout in %s', async (language, locale) => {
  expect(await announced({ language })).toHaveProperty('locale', locale)
})

/** Without a locale, Checkout takes the browser's language. */
it.each(['ar-MA', 'ca', 'is', 'uk', 'auto', 'english', '', '_'])(
  'names no locale for %j, which Checkout does not have',
  async (language) => {
    expect(await announced({ language })).not.toHaveProperty('locale')
  },
)
