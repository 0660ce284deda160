import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CURRENCIES, decimalsOf } from '../../src/domain/currency.ts'
import { formatAmount, parseAmount, toDecimal } from '../../src/domain/money.ts'

const minorOf = (text: string, currency: string): number => {
  const parsed = parseAmount(text, currency)
  if (!parsed.ok) throw new Error(`${text} ${currency} ${parsed.error}`)
  return parsed.value
}

describe('an amount in text becomes minor units', () => {
  it.each([
    ['10.00', 'EUR', 1000],
    ['10.5', 'EUR', 1050],
    ['10', 'EUR', 1000],
    ['0.01', 'EUR', 1],
    ['0', 'EUR', 0],
    ['00012.30', 'EUR', 1230],
    ['1.10', 'EUR', 110],
    ['100', 'JPY', 100],
    ['100.00', 'JPY', 100],
    ['100.0', 'JPY', 100],
    ['1.234', 'KWD', 1234],
    ['1.2', 'KWD', 1200],
    ['1.2345', 'CLF', 12_345],
    ['99999999999.99', 'EUR', 9_999_999_999_999],
    ['99999999999.9999', 'UYW', 999_999_999_999_999],
    ['000000000000000000001.00', 'EUR', 100],
  ])('%s %s is %i', (text, currency, minor) => {
    expect(parseAmount(text, currency)).toEqual({ ok: true, value: minor })
  })
})

describe('an amount is refused', () => {
  const form = 'must be a decimal number such as 10.00'
  it.each([
    ['', form],
    [' 1', form],
    ['1 ', form],
    ['1\n', form],
    ['-1', form],
    ['+1', form],
    ['1.', form],
    ['.5', form],
    ['1,50', form],
    ['1.000,50', form],
    ['1_000', form],
    ['1e3', form],
    ['0x10', form],
    ['NaN', form],
    ['Infinity', form],
    ['€1', form],
    ['١٢', form],
    ['1.2.3', form],
    ['100000000000', 'must have at most 11 digits before the point'],
    ['10.001', 'has more decimals than EUR has (2)'],
    ['10.000', 'has more decimals than EUR has (2)'],
    ['10.000000000000000001', 'has more decimals than EUR has (2)'],
  ])('%j: it %s', (text, error) => {
    expect(parseAmount(text, 'EUR')).toEqual({ ok: false, error })
  })

  it.each([
    ['100.10', 'JPY', 0],
    ['100.01', 'JPY', 0],
    ['100.000', 'JPY', 0],
    ['1.2345', 'KWD', 3],
    ['1.23456', 'CLF', 4],
  ])('%s %s, which has %i decimals, instead of being rounded', (text, currency, decimals) => {
    expect(parseAmount(text, currency)).toEqual({
      ok: false,
      error: `has more decimals than ${currency} has (${decimals})`,
    })
  })
})

describe('minor units are shown', () => {
  it.each([
    [1050, 'EUR', '10.50'],
    [0, 'EUR', '0.00'],
    [5, 'EUR', '0.05'],
    [100, 'JPY', '100.00'],
    [0, 'JPY', '0.00'],
    [1234, 'KWD', '1.234'],
    [1, 'KWD', '0.001'],
    [12_345, 'CLF', '1.2345'],
    [9_999_999_999_999, 'EUR', '99999999999.99'],
  ])('%i %s as %s', (minor, currency, text) => {
    expect(formatAmount(minor, currency)).toBe(text)
  })

  it.each([
    [1050, 2, '10.50'],
    [100, 0, '100'],
    [0, 0, '0'],
    [7, 3, '0.007'],
    [70, 1, '7.0'],
  ])('%i with %i decimals as %s', (minor, decimals, text) => {
    expect(toDecimal(minor, decimals)).toBe(text)
  })
})

describe('no amount is changed on its way', () => {
  const TEN_MILLION = 10_000_000n
  const wholes = fc.bigInt({ min: 0n, max: TEN_MILLION })
  const fractions = fc.bigInt({ min: 0n, max: 9999n }).map((digits) => digits.toString().padStart(4, '0'))

  it('gives back the text it read, in every currency', () => {
    fc.assert(
      fc.property(wholes, fractions, (whole, fraction) => {
        for (const currency of CURRENCIES) {
          const digits = fraction.slice(0, decimalsOf(currency))
          const minor = minorOf(`${whole}.${digits.padEnd(2, '0')}`, currency)
          // The digits are put together as text, so that no arithmetic of ours is checked against itself.
          expect(BigInt(minor)).toBe(BigInt(`${whole}${digits}`))
          expect(formatAmount(minor, currency)).toBe(`${whole}.${digits.padEnd(2, '0')}`)
        }
      }),
      { numRuns: 50 },
    )
  })

  it('reads a JSON number without the error of floating point', () => {
    fc.assert(
      fc.property(wholes, fractions, (whole, fraction) => {
        for (const currency of ['EUR', 'JPY', 'KWD', 'CLF']) {
          const decimals = decimalsOf(currency)
          const minor = Number(`${whole}${fraction.slice(0, decimals)}`)
          expect(minorOf(String(minor / 10 ** decimals), currency)).toBe(minor)
        }
      }),
      { numRuns: 500 },
    )
  })

  it.each([
    [0.07, 7],
    [1.1, 110],
    [8.2, 820],
    [64.1, 6410],
    [1.15, 115],
    [4.35, 435],
    [1_234_567.89, 123_456_789],
  ])('reads %d, which times a hundred is not exact, as %i', (number, minor) => {
    expect(minorOf(String(number), 'EUR')).toBe(minor)
  })
})
