import type { Units } from '../units.ts'

/** Mollie's payment methods, and other names for them: https://docs.mollie.com/reference/list-methods */
export const METHODS: ReadonlyMap<string, string> = new Map([
  ...(
    'alma applepay bacs bancomatpay bancontact banktransfer belfius billie bizum blik creditcard directdebit ' +
    'eps giftcard googlepay ideal in3 kbc klarna mbway mobilepay multibanco mybank paybybank paypal ' +
    'paysafecard przelewy24 riverty satispay swish trustly twint vipps voucher'
  )
    .split(' ')
    .map((name) => [name, name] as const),
  ['card', 'creditcard'],
  ['mistercash', 'bancontact'],
  ['p24', 'przelewy24'],
])

/** The locales Mollie has, the first of a language being its default. */
export const LOCALES =
  'en_US en_GB nl_NL nl_BE de_DE de_AT de_CH fr_FR fr_BE es_ES ca_ES pt_PT it_IT nb_NO sv_SE fi_FI da_DK is_IS hu_HU pl_PL lv_LV lt_LT'.split(
    ' ',
  )

/** Mollie's decimals where they are not those of ISO 4217: https://docs.mollie.com/docs/multicurrency */
export const UNITS: Units = { ISK: { decimals: 0 }, JPY: { decimals: 0 } }

/** Mollie refuses longer descriptions. */
export const DESCRIPTION_LENGTH = 255
