/** Why Stripe refuses a request: https://docs.stripe.com/api/errors */
export type Problem = { message: string; type?: string; code?: string; param?: string }

/** The parameters of a form as Stripe writes them, such as `a[b][0]`, in the order of the request. */
export type Form = ReadonlyMap<string, string>

type Rule = (value: string, param: string) => Problem | null

/** https://docs.stripe.com/currencies, without American Express. */
const CURRENCIES = new Set(
  (
    'aed afn all amd ang aoa ars aud awg azn bam bbd bdt bhd bif bmd bnd bob brl bsd bwp byn bzd cad cdf chf clp ' +
    'cny cop crc cve czk djf dkk dop dzd egp etb eur fjd fkp gbp gel ghs gip gmd gnf gtq gyd hkd hnl htg huf idr ' +
    'ils inr isk jmd jod jpy kes kgs khr kmf krw kwd kyd kzt lak lbp lkr lrd lsl mad mdl mga mkd mmk mnt mop mur ' +
    'mvr mwk mxn myr mzn nad ngn nio nok npr nzd omr pab pen pgk php pkr pln pyg qar ron rsd rub rwf sar sbd scr ' +
    'sek sgd shp sle sos srd std szl thb tjs tnd top try ttd twd tzs uah ugx usd uyu uzs vnd vuv wst xaf xcd xcg ' +
    'xof xpf yer zar zmw'
  ).split(' '),
)
const FRACTIONLESS = new Set(['isk', 'ugx'])
const THREE_DECIMALS = new Set(['bhd', 'jod', 'kwd', 'omr', 'tnd'])

const LOCALES =
  'auto bg cs da de el en en-GB es es-419 et fi fil fr fr-CA hi-IN hr hu id it ja ko lt lv ms mt nb nl pl pt pt-BR ro ru sk sl sv th tr vi zh zh-HK zh-TW'

const METHODS =
  'acss_debit affirm afterpay_clearpay alipay alma amazon_pay au_becs_debit bacs_debit bancontact billie bizum blik ' +
  'boleto card cashapp crypto customer_balance eps fpx giropay grabpay ideal kakao_pay klarna konbini kr_card link ' +
  'mb_way mobilepay multibanco naver_pay nz_bank_account oxxo p24 pay_by_bank payco paynow paypal paypay payto pix ' +
  'promptpay revolut_pay samsung_pay satispay scalapay sepa_debit sequra sofort sunbit swish twint upi ' +
  'us_bank_account wechat_pay zip'

export function text(longest: number): Rule {
  return (value, param) => {
    if (value === '')
      return { code: 'parameter_invalid_empty', param, message: `You passed an empty string for '${param}'.` }
    return Array.from(value).length > longest
      ? {
          param,
          message: `Invalid string: ${value.slice(0, 10)}...${value.slice(-10)}; must be at most ${longest} characters`,
        }
      : null
  }
}

export function oneOf(values: string): Rule {
  const known = values.split(' ')
  return (value, param) =>
    known.includes(value) ? null : { param, message: `Invalid ${param}: must be one of ${known.join(', ')}` }
}

export function integer(least: number): Rule {
  return (value, param) =>
    /^\d{1,15}$/.test(value) && Number(value) >= least
      ? null
      : { code: 'parameter_invalid_integer', param, message: `Invalid integer: ${value}` }
}

const url: Rule = (value, param) => {
  if (!/^https?:\/\//.test(value) || !URL.canParse(value))
    return { code: 'url_invalid', param, message: 'Not a valid URL' }
  return value.length > 5000 ? { param, message: 'Invalid URL: URL must be 5000 characters or less.' } : null
}

export const currency: Rule = (value, param) =>
  CURRENCIES.has(value)
    ? null
    : { param, message: `Invalid currency: ${value}. Stripe currently supports these currencies: …` }

/** Between half an hour and a day from now. */
const expiry: Rule = (value, param) => {
  const seconds = Number(value) - Date.now() / 1000
  return /^\d+$/.test(value) && seconds >= 1790 && seconds <= 86_410
    ? null
    : {
        param,
        message:
          'The `expires_at` timestamp must be between 30 minutes and 24 hours from Checkout Session creation.',
      }
}

const ITEM = 'line_items[*]'
/**
 * The parameters that this Stripe accepts, a part of those in the types of API version 2026-10-28.endive. `*`
 * stands for an index, `?` for a name.
 */
const RULES: Readonly<Record<string, Rule>> = {
  mode: oneOf('payment setup subscription'),
  client_reference_id: text(200),
  success_url: url,
  cancel_url: url,
  locale: oneOf(LOCALES),
  submit_type: oneOf('auto book donate pay subscribe'),
  customer_email: text(800),
  expires_at: expiry,
  'allowed_payment_method_types[*]': oneOf(METHODS),
  [`${ITEM}[quantity]`]: integer(1),
  [`${ITEM}[price_data][currency]`]: currency,
  [`${ITEM}[price_data][unit_amount]`]: integer(0),
  [`${ITEM}[price_data][product_data][name]`]: text(250),
  [`${ITEM}[price_data][product_data][description]`]: text(40_000),
  'payment_method_options[wechat_pay][client]': oneOf('android ios web'),
  'shipping_address_collection[allowed_countries][*]': oneOf('AU CA GB NZ US'),
  'metadata[?]': text(500),
  'payment_method_options[card][request_multicapture]': oneOf('if_available never'),
  'payment_intent_data[capture_method]': oneOf('automatic automatic_async manual'),
  'payment_intent_data[description]': text(1000),
  'payment_intent_data[metadata][?]': text(500),
  'expand[*]': text(200),
}

/** The methods of `METHODS` whose options include `capture_method`. */
const RESERVABLE =
  'affirm afterpay_clearpay alma amazon_pay billie card cashapp kakao_pay klarna kr_card link mobilepay naver_pay payco ' +
  'paypal revolut_pay samsung_pay satispay scalapay sequra sunbit'

/** Refuses to reserve money with a method that does not support it. */
function refuseReservation(form: Form): Problem | null {
  if (form.get('payment_intent_data[capture_method]') !== 'manual') return null
  const method = form.get('allowed_payment_method_types[0]')
  return method === undefined || RESERVABLE.split(' ').includes(method)
    ? null
    : {
        param: 'allowed_payment_method_types',
        message: `The payment method ${method} cannot be used with capture_method manual.`,
      }
}

const REQUIRED = ['mode', 'line_items', 'success_url']
const REQUIRED_OF_AN_ITEM = [
  '[quantity]',
  '[price_data][currency]',
  '[price_data][unit_amount]',
  '[price_data][product_data][name]',
]

function patternOf(param: string): string {
  return param
    .replaceAll(/\[\d*\]/g, '[*]')
    .replace(/^((?:payment_intent_data\[)?metadata\]?)\[[^\][]{1,40}\]$/, '$1[?]')
}

/** Reads a form. Refuses a repeated parameter. */
export function readForm(body: string): Form | Problem {
  const form = new Map<string, string>()
  for (const [param, value] of new URLSearchParams(body)) {
    if (form.has(param) && !param.endsWith('[]'))
      return { param, message: `Invalid request: duplicate parameter ${param}` }
    form.set(param, value)
  }
  return form
}

/** Why Stripe refuses a request for a Checkout Session; null if it accepts it. */
export function refuseSession(form: Form): Problem | null {
  for (const [param, value] of form) {
    if (param.startsWith('payment_method_types')) {
      const message = 'payment_method_types is no longer supported. Use allowed_payment_method_types instead.'
      return { code: 'payment_method_types_no_longer_supported', param: 'payment_method_types', message }
    }
    const rule = RULES[patternOf(param)]
    if (!rule) return { code: 'parameter_unknown', param, message: `Received unknown parameter: ${param}` }
    const problem = rule(value, param)
    if (problem) return problem
  }
  return missing(form) ?? refuseAmount(form) ?? refuseReservation(form)
}

function missing(form: Form): Problem | null {
  const params = [...form.keys()]
  const items = [...new Set(params.flatMap((param) => /^line_items\[\d+\]/.exec(param)?.[0] ?? []))]
  const wanted = [...REQUIRED, ...items.flatMap((item) => REQUIRED_OF_AN_ITEM.map((member) => item + member))]
  const param = wanted.find((name) => !params.some((given) => given === name || given.startsWith(`${name}[`)))
  return param === undefined
    ? null
    : { code: 'parameter_missing', param, message: `Missing required param: ${param}.` }
}

function refuseAmount(form: Form): Problem | null {
  const param = 'line_items[0][price_data][unit_amount]'
  const amount = Number(form.get(param))
  const code = form.get('line_items[0][price_data][currency]') ?? ''
  if (FRACTIONLESS.has(code) && amount % 100 !== 0) {
    const message = `Invalid amount. Currency ${code.toUpperCase()} has become effectively zero-decimal and charged amounts must be evenly divisible by 100. See https://stripe.com/docs/currencies#special-cases for more information.`
    return { code: 'invalid_charge_amount_no_decimal_compatible', param, message }
  }
  if (THREE_DECIMALS.has(code) && amount % 10 !== 0) {
    return {
      param,
      message: `Invalid amount. The last digit of an amount in ${code.toUpperCase()} must be 0.`,
    }
  }
  return amount > 999_999_999_999
    ? { code: 'amount_too_large', param, message: 'Amount must be no more than 999999999999' }
    : null
}
