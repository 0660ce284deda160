// The Workers' runtime names currencies differently from Node.
import 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { LANGUAGES, type CustomerLanguage } from '../../../src/platform/http/headers.ts'
import { readableAmount, readableTime, shownText } from '../../../src/platform/pages/formats.ts'

/** Returns a text with plain spaces instead of those that keep it on one line. */
function plain(text: string): string {
  return text.replaceAll(/[\u00a0\u202f]/g, ' ')
}

describe('an amount', () => {
  it.each<[CustomerLanguage, string]>([
    ['nl', '€ 1.234.567,50'],
    ['en', '€1,234,567.50'],
    ['de', '1.234.567,50 €'],
    ['fr', '1 234 567,50 €'],
    ['es', '1.234.567,50 €'],
    ['it', '1.234.567,50 €'],
    ['pt', '1 234 567,50 €'],
    ['pl', '1 234 567,50 €'],
    ['da', '1.234.567,50 €'],
    ['sv', '1 234 567,50 €'],
    ['nb', '1 234 567,50 €'],
    ['fi', '1 234 567,50 €'],
    ['cs', '1 234 567,50 €'],
    ['el', '1.234.567,50 €'],
  ])('is written in %s as people there write it: %s', (language, written) => {
    expect(plain(readableAmount(123_456_750, 'EUR', language))).toBe(written)
  })

  it.each([
    [1250, 'EUR', '12,50 €'],
    [0, 'EUR', '0,00 €'],
    [1250, 'JPY', '1.250 ¥'],
    // Intl writes it without decimals.
    [1250, 'HUF', '12,50 HUF'],
    [1250, 'KWD', '1,250 KWD'],
    [1, 'CLF', '0,0001 CLF'],
    // A code that is newer than the runtime's own data.
    [1250, 'XCG', '12,50 XCG'],
  ])('of %i minor units of %s has the decimals of ISO 4217', (minor, currency, written) => {
    expect(plain(readableAmount(minor, currency, 'de'))).toBe(written)
  })

  it.each<[string, CustomerLanguage, string, string]>([
    ['en-US', 'en', 'USD', '$1,234.50'],
    ['en_US', 'en', 'USD', '$1,234.50'],
    ['en-Latn-US', 'en', 'USD', '$1,234.50'],
    ['en', 'en', 'USD', 'US$1,234.50'],
    ['de-CH', 'de', 'CHF', 'CHF 1’234.50'],
    ['de-CH-1996', 'de', 'CHF', 'CHF 1’234.50'],
    ['de-1996', 'de', 'EUR', '1.234,50 €'],
    ['pt-BR', 'pt', 'BRL', 'R$ 1.234,50'],
    ['pt', 'pt', 'EUR', '1234,50 €'],
    ['es-419', 'es', 'USD', 'USD 1,234.50'],
    ['nl_NL', 'nl', 'EUR', '€ 1.234,50'],
    ['no-NO', 'nb', 'EUR', '1 234,50 €'],
    // The page speaks another language than the order: words and amounts agree.
    ['ar-EG', 'en', 'EUR', '€1,234.50'],
    ['de-CH', 'en', 'CHF', 'CHF 1,234.50'],
    ['fur', 'it', 'EUR', '1234,50 €'],
    ['en-u-nu-arab', 'en', 'EUR', '€1,234.50'],
    ['en-US-u-nu-arab', 'en', 'USD', '$1,234.50'],
    ['en-x-US', 'en', 'USD', 'US$1,234.50'],
    ['en-!!', 'en', 'EUR', '€1,234.50'],
    ['', 'en', 'EUR', '€1,234.50'],
  ])('for an order in %s, on a page in %s, in %s', (tag, language, currency, written) => {
    // Releases of Unicode's data differ in the apostrophe of Switzerland.
    expect(plain(readableAmount(123_450, currency, language, tag)).replace("'", '’')).toBe(written)
  })

  it('of fifteen digits is exact', () => {
    expect(readableAmount(999_999_999_999_999, 'CLF', 'de')).toContain('99.999.999.999,9999')
    expect(readableAmount(123_456_789_012_347, 'CLF', 'de')).toContain('12.345.678.901,2347')
    expect(readableAmount(9_999_999_999_999, 'EUR', 'en')).toBe('€99,999,999,999.99')
  })

  it.each(LANGUAGES)('does not break in the middle, in %s', (language) => {
    expect(readableAmount(123_456_750, 'EUR', language)).not.toMatch(/[ \t\n]/)
  })
})

describe('a time', () => {
  it.each<[CustomerLanguage, string, string]>([
    ['en', 'UTC', '9 Feb 2026, 14:05 UTC'],
    ['nl', 'Europe/Amsterdam', '9 feb 2026, 15:05 CET'],
    ['de', 'Europe/Berlin', '9. Feb. 2026, 15:05 MEZ'],
    ['en', 'America/New_York', '9 Feb 2026, 09:05 GMT-5'],
  ])('is written in %s, in the zone %s, which it names', (language, zone, written) => {
    expect(plain(readableTime(Date.UTC(2026, 1, 9, 14, 5, 59), language, zone))).toBe(written)
  })
})

describe('a text of a point of sale, as pages show it', () => {
  it.each([
    ['plain', 'A-1001', 'A-1001'],
    ['with an override, which would show it in reverse', '\u202eGPJ.1001', 'GPJ.1001'],
    [
      'with every character that turns text',
      'a\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u061cb',
      'ab',
    ],
    ['in Hebrew', 'חנות 7', 'חנות 7'],
    ['with a joined emoji, whose joiner stays', '👩\u200d🍳', '👩\u200d🍳'],
    ['of only marks', '\u202e\u200f', ''],
    ['that is invisible', '\u200b\u00ad\u3164\u2800 \u00a0\u2060', ''],
  ])('%s', (_, text, shown) => {
    expect(shownText(text)).toBe(shown)
  })
})

describe('a currency of which Latin letters are a part', () => {
  it.each(['USD', 'GBP', 'CAD', 'HKD', 'BRL', 'JPY', 'CNY'])(
    '%s keeps its sign after them in an Arabic line',
    (currency) => {
      const written = readableAmount(123_450, currency, 'ar')
      const [, after] = /\p{Script=Latin}\p{Sc}(.?)/u.exec(written) ?? []
      expect([undefined, '\u200e']).toContain(after)
      expect(readableAmount(123_450, currency, 'en')).not.toContain('\u200e')
    },
  )
})
