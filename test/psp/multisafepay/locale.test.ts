import { expect, it } from 'vitest'
import { announced } from './at-multisafepay.ts'

it.each([
  ['nl', 'nl_NL'],
  ['nl_BE', 'nl_BE'],
  ['nl-be', 'nl_BE'],
  ['nl-SR', 'nl_NL'],
  ['en', 'en_US'],
  ['en-GB', 'en_US'],
  ['de', 'de_DE'],
  ['de_AT', 'de_AT'],
  ['de-CH', 'de_DE'],
  ['fr', 'fr_FR'],
  ['fr-BE', 'fr_BE'],
  ['fr-CA', 'fr_FR'],
  ['cs', 'cs_CZ'],
  ['es-MX', 'es_ES'],
  ['fi', 'fi_FI'],
  ['it-CH', 'it_IT'],
  ['pl', 'pl_PL'],
  ['sv', 'sv_SE'],
  ['zh', 'zh_CN'],
])('shows a customer of language %s the page in %s', async (language, locale) => {
  expect(await announced({ language })).toHaveProperty('customer.locale', locale)
})

it.each(['da', 'pt-BR', 'tr', 'ar-MA', 'english', '', '_'])(
  'names no locale for %j, which MultiSafepay does not have',
  async (language) => {
    expect(await announced({ language })).not.toHaveProperty('customer.locale')
  },
)

/**
 * https://docs.multisafepay.com/reference/createorder: the locale is "Required for: Bancontact".
 */
it('shows Bancontact in English to a customer whose language MultiSafepay does not have', async () => {
  expect(await announced({ language: 'tr', paymentMethod: 'bancontact' })).toMatchObject({
    gateway: 'MISTERCASH',
    customer: { locale: 'en_US', ip_address: '203.0.113.7' },
  })
})
