/**
 * The active codes of ISO 4217 list one that have a minor unit, as of 2026-01-01 (BGN left, XCG came).
 * Intl is no source for this: its digits are CLDR's, and its codes lag (both differ for HUF, IDR, COP, XCG).
 */
const TWO_DECIMALS =
  'AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF ' +
  'CHW CNY COP COU CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL ' +
  'HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU ' +
  'MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR ' +
  'SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS VED ' +
  'VES WST XAD XCD XCG YER ZAR ZMW ZWG'
const NO_DECIMALS = 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'
const THREE_DECIMALS = 'BHD IQD JOD KWD LYD OMR TND'
const FOUR_DECIMALS = 'CLF UYW'

const DECIMALS: ReadonlyMap<string, number> = new Map(
  Object.entries({ [NO_DECIMALS]: 0, [TWO_DECIMALS]: 2, [THREE_DECIMALS]: 3, [FOUR_DECIMALS]: 4 }).flatMap(
    ([codes, decimals]) => codes.split(' ').map((code) => [code, decimals] as const),
  ),
)

export const CURRENCIES: readonly string[] = [...DECIMALS.keys()].toSorted()

export function isCurrency(code: string): boolean {
  return DECIMALS.has(code)
}

/** Decimals of the currency's minor unit (EUR 2, JPY 0, KWD 3). Throws for a code that `isCurrency` refuses. */
export function decimalsOf(currency: string): number {
  const decimals = DECIMALS.get(currency)
  if (decimals === undefined) throw new Error(`${currency} is no active ISO 4217 code`)
  return decimals
}
