import { type Result, ok, refuse } from './result.ts'

/**
 * The active codes of ISO 4217, list one, that have a minor unit, as of 2026-01-01 (without BGN, with
 * XCG): https://www.six-group.com/en/products-services/financial-information/data-standards.html.
 * Intl cannot replace this list: its decimals are those of CLDR, and its codes lag (HUF, IDR,
 * COP and XCG differ).
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

/**
 * Returns how many decimals a currency's minor unit has (EUR 2, JPY 0, KWD 3). Throws for a code
 * that `isCurrency` refuses.
 */
export function decimalsOf(currency: string): number {
  const decimals = DECIMALS.get(currency)
  if (decimals === undefined) throw new Error(`${currency} is not an active ISO 4217 code`)
  return decimals
}

/** The most whole digits of an amount: with four decimals more it is still exact in a double. */
const WHOLE_DIGITS = 11
/** How many millionths a minor unit has. */
const MILLIONTHS = 1_000_000n

/**
 * Reads a decimal amount into minor units of its currency, digit by digit, without floating point.
 * Refuses more decimals than the currency has, unless they are zeros: `12.5000` EUR is 1250. Refuses a
 * currency that `isCurrency` refuses. Never rounds. `decimals`: those of a PSP, if they are not the currency's.
 */
export function parseAmount(text: string, currency: string, decimals?: number): Result<number, string> {
  return toMinor(text, currency, 0n, decimals)
}

/**
 * Reads the digits of a JSON number. Programs with floating point send 59.699999999999996 for 19.90
 * times 3, so a number within a millionth of a minor unit counts as that amount. Refuses any other
 * difference: nothing is rounded.
 */
export function parseAmountNumber(digits: string, currency: string): Result<number, string> {
  return toMinor(digits, currency, 1n)
}

/** `tolerance` is in millionths of a minor unit. */
function toMinor(
  text: string,
  currency: string,
  tolerance: bigint,
  counted?: number,
): Result<number, string> {
  const [, whole, fraction = ''] = /^(\d+)(?:\.(\d+))?$/.exec(text) ?? []
  if (whole === undefined) return refuse('must be a decimal number such as 10.00')
  if (whole.replace(/^0+/, '').length > WHOLE_DIGITS) return tooLong
  if (!isCurrency(currency)) return refuse('must be in an active currency of ISO 4217')
  const decimals = counted ?? decimalsOf(currency)
  const unit = 10n ** BigInt(Math.max(fraction.length - decimals, 0))
  const digits = BigInt(whole + fraction.padEnd(decimals, '0'))
  const above = digits % unit
  const allowed = (unit * tolerance) / MILLIONTHS
  const roundedUp = unit - above <= allowed
  if (above > allowed && !roundedUp) return refuse(`has more decimals than ${currency} has (${decimals})`)
  const minor = digits / unit + (roundedUp ? 1n : 0n)
  return minor < 10n ** BigInt(WHOLE_DIGITS + decimals) ? ok(Number(minor)) : tooLong
}

const tooLong = refuse(`must have at most ${WHOLE_DIGITS} digits before the point`)

/** Writes minor units with a number of decimals: `(1050, 2)` → `10.50`, `(100, 0)` → `100`. */
export function toDecimal(minor: number, decimals: number): string {
  if (decimals === 0) return String(minor)
  const digits = String(minor).padStart(decimals + 1, '0')
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}

/** Writes an amount as the API does: two decimals, or more if the currency has more. */
export function formatAmount(minor: number, currency: string): string {
  const decimals = decimalsOf(currency)
  return decimals === 0 ? `${minor}.00` : toDecimal(minor, decimals)
}

/** Writes an amount of the API as people read it: yen have no decimals. */
export function plainAmount(amount: string, currency: string): string {
  return DECIMALS.get(currency) === 0 ? amount.replace(/\.0+$/, '') : amount
}

/** Writes minor units with their currency as people read them: `EUR 10.50`, `JPY 100`. */
export function moneyText(minor: number, currency: string): string {
  return `${currency} ${plainAmount(formatAmount(minor, currency), currency)}`
}

/** Writes an amount like `formatAmount`; the amount may be negative. */
export function signedAmount(minor: number, currency: string): string {
  return (minor < 0 ? '-' : '') + formatAmount(Math.abs(minor), currency)
}
