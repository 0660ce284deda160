import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decimalsOf } from '../../src/contract/money.ts'
import { readSearchedAmount, readTypedAmount } from '../../src/contract/typed-amount.ts'

describe('an amount that a person types', () => {
  it.each([
    ['7,50', 'EUR', 750],
    ['7.50', 'EUR', 750],
    [' 7,5 ', 'EUR', 750],
    ['1250', 'EUR', 125_000],
    ['1.250,00', 'EUR', 125_000],
    ['1,250.00', 'EUR', 125_000],
    ['1 250,00', 'EUR', 125_000],
    ['1\u00a0250,00', 'EUR', 125_000],
    ['1\u202f250.5', 'EUR', 125_050],
    ["1'250.00", 'CHF', 125_000],
    ['1’250.00', 'CHF', 125_000],
    ['1 250', 'EUR', 125_000],
    ['1.250.000', 'EUR', 125_000_000],
    ['1,250,000.50', 'EUR', 125_000_050],
    ['0.500', 'EUR', 50],
    ['1250.000', 'EUR', 125_000],
    ['1250', 'JPY', 1250],
    ['1.250', 'JPY', 1250],
    ['1,250', 'JPY', 1250],
    ['1250.00', 'JPY', 1250],
    ['1.250', 'KWD', 1250],
    ['1,250', 'TND', 1250],
    ['1.250,500', 'TND', 1_250_500],
    ['1.2500', 'CLF', 12_500],
    ['１２，５０', 'EUR', 1250],
    ['١٢٫٥٠', 'EUR', 1250],
    ['١٬٢٥٠٫٠٠', 'EUR', 125_000],
    ['۱۲٫۵۰', 'EUR', 1250],
  ])('%s %s is %i', (typed, currency, minor) => {
    expect(readTypedAmount(typed, currency)).toEqual({ ok: true, value: minor })
  })

  it.each([
    ['1.250', 'EUR', /could be 1250 or 1\.250/],
    ['12,505', 'EUR', /could be 12505 or 12\.505/],
    ['1.250', 'CLF', /could be 1250 or 1\.250/],
    ['1.250.50', 'EUR', /such as/],
    ['1,25,000', 'EUR', /such as/],
    ['1 25,00', 'EUR', /such as/],
    ['1.250 000', 'EUR', /such as/],
    ['7,5,0', 'EUR', /such as/],
    ['7,', 'EUR', /such as/],
    [',50', 'EUR', /such as/],
    ['', 'EUR', /such as/],
    ['-5', 'EUR', /such as/],
    ['5 EUR', 'EUR', /such as/],
    ['1e3', 'EUR', /such as/],
    ['0,00', 'EUR', /more than zero/],
    ['7,50', 'JPY', /more decimals than JPY/],
    ['1.250,505', 'EUR', /more decimals than EUR/],
    ['1.250.000.000.000', 'EUR', /digits/],
  ])('%s %s is refused', (typed, currency, why) => {
    const error: unknown = expect.stringMatching(why)
    expect(readTypedAmount(typed, currency)).toEqual({ ok: false, error })
  })

  it('is what Intl writes in any language, without its symbol', () => {
    const locales = ['en-GB', 'de-DE', 'fr-FR', 'nl-NL', 'de-CH', 'pl-PL', 'fi-FI', 'pt-PT', 'ja-JP', 'ar-EG']
    const money = fc.record({
      minor: fc.integer({ min: 1, max: 9_999_999_999 }),
      currency: fc.constantFrom('EUR', 'JPY', 'KWD'),
      locale: fc.constantFrom(...locales),
    })
    fc.assert(
      fc.property(money, ({ minor, currency, locale }) => {
        const decimals = decimalsOf(currency)
        const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals }
        const written = new Intl.NumberFormat(locale, digits).format(minor / 10 ** decimals)
        expect(readTypedAmount(written, currency)).toEqual({ ok: true, value: minor })
      }),
    )
  })
})

describe('an amount to search by, of any currency', () => {
  it.each([
    ['9,95', { ok: true, value: '9.95' }],
    ['1 250,00', { ok: true, value: '1250' }],
    ['0.0001', { ok: true, value: '0.0001' }],
    ['0', { ok: true, value: '0' }],
    ['1.250', { ok: false, error: expect.stringContaining('could be') }],
  ])('%s', (typed, read) => expect(readSearchedAmount(typed)).toEqual(read))
})
