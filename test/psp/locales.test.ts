import { describe, expect, it } from 'vitest'
import { announced as atAdyen } from './adyen/at-adyen.ts'
import { announced as atMollie } from './mollie/at-mollie.ts'
import { announced as atMultiSafepay } from './multisafepay/at-multisafepay.ts'
import { announced as atStripe } from './stripe/at-stripe.ts'

/**
 * `shown`: a customer's languages, each with the locale that the PSP gets, in the member `as`.
 * `none`: languages that the PSP does not have, for which it uses those of the browser.
 */
const PSPS = {
  Adyen: {
    announced: atAdyen,
    as: 'shopperLocale',
    shown:
      'nl:nl-NL nl_BE:nl-NL en:en-US en-GB:en-US de-AT:de-DE fr-BE:fr-FR es-MX:es-ES ca:ca-ES ' +
      'pt:pt-PT pt_BR:pt-BR nb:no-NO nn-NO:no-NO sv:sv-SE el:el-GR ar-MA:ar zh:zh-CN ' +
      'zh-Hans_SG:zh-CN zh-Hant-TW:zh-TW zh-HK:zh-TW zh-MO:zh-TW zh_Hant_HK:zh-TW zh_Hans_HK:zh-CN ' +
      'yue:zh-TW ja:ja-JP pt-AO:pt-PT',
    none: 'tr fil sr-Latn ja-Latn und english _',
  },
  Mollie: {
    announced: atMollie,
    as: 'locale',
    shown:
      'nl:nl_NL nl-NL:nl_NL nl_BE:nl_BE nl-be:nl_BE nl-Latn-BE:nl_BE nl-SR:nl_NL en:en_US ' +
      'en-GB:en_GB EN_us:en_US en-BE:en_BE en-NL:en_NL en-AU:en_GB en-CA:en_US de:de_DE de_AT:de_AT ' +
      'de-CH:de_CH de-LU:de_LU de-LI:de_DE fr:fr_FR fr-BE:fr_BE fr-LU:fr_LU fr-CA:fr_FR ' +
      'es:es_ES es-MX:es_ES ca:ca_ES pt:pt_PT pt-BR:pt_PT it-CH:it_IT nb:nb_NO nb-NO:nb_NO ' +
      'sv:sv_SE fi:fi_FI da:da_DK is:is_IS hu:hu_HU pl:pl_PL cs:cs_CZ sk:sk_SK lv:lv_LV lt:lt_LT',
    none: 'zh zh-Hant-TW ja tr ar-MA fil english _',
  },
  MultiSafepay: {
    announced: atMultiSafepay,
    as: 'customer.locale',
    shown:
      'nl:nl_NL nl_BE:nl_BE nl-be:nl_BE nl-SR:nl_NL en:en_US en-GB:en_US de:de_DE de_AT:de_AT ' +
      'de-CH:de_DE fr:fr_FR fr-BE:fr_BE fr-CA:fr_FR cs:cs_CZ es-MX:es_ES fi:fi_FI it-CH:it_IT ' +
      'pl:pl_PL sv:sv_SE zh:zh_CN zh-SG:zh_CN zh-Hans-TW:zh_CN',
    none: 'da pt-BR tr ar-MA zh-TW zh-HK zh-MO zh-Hant zh_Hant_HK yue english _',
  },
  Stripe: {
    announced: atStripe,
    as: 'locale',
    shown:
      'nl:nl nl_BE:nl en:en en-GB:en-GB en_gb:en-GB EN-us:en de-AT:de fr:fr fr-BE:fr fr-CA:fr-CA ' +
      'es:es es-419:es-419 es-MX:es-419 es-GQ:es pt:pt pt-BR:pt-BR pt-AO:pt no:nb nn-NO:nb hi:hi-IN ' +
      'en-AU:en-GB en-PH:en fil:fil tl:fil zh:zh zh-CN:zh zh-SG:zh zh-Hans:zh zh_Hans_HK:zh zh-TW:zh-TW ' +
      'zh-Hant:zh-TW zh-Hant-HK:zh-HK zh-MO:zh-HK zh-yue-HK:zh-HK',
    none: 'ar-MA ca is uk hi-Latn ru-Latn zh-Latn auto english _',
  },
}

describe.each(Object.entries(PSPS))('%s', (_, { announced, as, shown, none }) => {
  it.each(shown.split(' ').map((pair) => pair.split(':') as [string, string]))(
    'shows a customer with the language %s the page in %s',
    async (language, locale) => {
      expect(await announced({ language })).toHaveProperty(as, locale)
    },
  )

  it.each([...none.split(' '), ''])('gets no locale for %j', async (language) => {
    expect(await announced({ language })).not.toHaveProperty(as)
  })
})

/** The locale is "Required for: Bancontact": https://docs.multisafepay.com/reference/createorder */
it('shows Bancontact in English to a customer whose language MultiSafepay does not have', async () => {
  expect(await atMultiSafepay({ language: 'tr', paymentMethod: 'bancontact' })).toMatchObject({
    gateway: 'MISTERCASH',
    customer: { locale: 'en_US', ip_address: '203.0.113.7' },
  })
})
