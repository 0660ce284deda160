import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  CURRENCIES,
  decimalsOf,
  formatAmount,
  parseAmount,
  parseAmountNumber,
  toDecimal,
  isCurrency,
} from '../../src/contract/money.ts'

function minorOf(text: string, currency: string): number {
  const parsed = parseAmount(text, currency)
  if (!parsed.ok) throw new Error(`${text} ${currency} ${parsed.error}`)
  return parsed.value
}

describe('an amount in text becomes minor units', () => {
  it.each([
    ['10.00', 'EUR', 1000],
    ['10.5', 'EUR', 1050],
    ['0.01', 'EUR', 1],
    ['0', 'EUR', 0],
    ['00012.30', 'EUR', 1230],
    ['100', 'JPY', 100],
    ['100.00', 'JPY', 100],
    ['1.234', 'KWD', 1234],
    ['1.2345', 'CLF', 12_345],
    ['99999999999.99', 'EUR', 9_999_999_999_999],
    ['99999999999.9999', 'UYW', 999_999_999_999_999],
    ['000000000000000000001.00', 'EUR', 100],
    ['12.5000', 'EUR', 1250],
    ['1.2340000', 'KWD', 1234],
  ])('%s %s is %i', (text, currency, minor) => {
    expect(parseAmount(text, currency)).toEqual({ ok: true, value: minor })
  })
})

describe('an amount is refused', () => {
  it.each(['BGN', 'XYZ', 'eur', ''])('in %j, which is no active currency', (currency) => {
    expect(parseAmount('1.00', currency).ok).toBe(false)
  })

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
    ['1000000000000.001', 'must have at most 11 digits before the point'],
    ['100000000001.001', 'must have at most 11 digits before the point'],
    ['10.001', 'has more decimals than EUR has (2)'],
    ['10.0010', 'has more decimals than EUR has (2)'],
    ['59.699999999999996', 'has more decimals than EUR has (2)'],
    ['10.000000000000000001', 'has more decimals than EUR has (2)'],
  ])('%j: it %s', (text, error) => {
    expect(parseAmount(text, 'EUR')).toEqual({ ok: false, error })
  })

  it.each([
    ['100.10', 'JPY', 0],
    ['100.01', 'JPY', 0],
    ['100.001', 'JPY', 0],
    ['1.2345', 'KWD', 3],
    ['1.23456', 'CLF', 4],
  ])('%s %s, which has %i decimals, instead of being rounded', (text, currency, decimals) => {
    expect(parseAmount(text, currency)).toEqual({
      ok: false,
      error: `has more decimals than ${currency} has (${decimals})`,
    })
  })
})

describe('a JSON number may carry the error of floating point', () => {
  it.each([
    ['59.699999999999996', 'EUR', 5970],
    ['0.30000000000000004', 'EUR', 30],
    ['10.000000000000000001', 'EUR', 1000],
    ['9.999999999999999', 'EUR', 1000],
    ['0.00999999999', 'EUR', 1],
    ['99.99999999', 'JPY', 100],
    ['100.000001', 'JPY', 100],
    ['99.999999', 'JPY', 100],
    ['3.3000000000000003', 'KWD', 3300],
    ['12.50', 'EUR', 1250],
    ['7', 'EUR', 700],
  ])('%s %s is %i', (number, currency, minor) => {
    expect(parseAmountNumber(number, currency)).toEqual({ ok: true, value: minor })
  })

  it.each([
    ['1.005', 'EUR', 2],
    ['1.00499999', 'EUR', 2],
    ['1.0000001', 'EUR', 2],
    ['0.0099999', 'EUR', 2],
    ['100.0000011', 'JPY', 0],
    ['0.5', 'JPY', 0],
  ])('but %s %s differs by more than a millionth from a whole minor unit', (number, currency, decimals) => {
    expect(parseAmountNumber(number, currency)).toEqual({
      ok: false,
      error: `has more decimals than ${currency} has (${decimals})`,
    })
  })

  it.each(['-1', '-59.699999999999996', '1e3', 'Infinity', ''])('%j is not an amount', (number) => {
    expect(parseAmountNumber(number, 'EUR')).toEqual({
      ok: false,
      error: 'must be a decimal number such as 10.00',
    })
  })

  it('and the result has at most eleven digits before the point, rounded up or not', () => {
    expect(parseAmountNumber('99999999999.9999999999', 'EUR')).toEqual({
      ok: false,
      error: 'must have at most 11 digits before the point',
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
          // Builds the digits as text, so that the test does not repeat the arithmetic that it checks.
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

  it('reads what shops compute with floating point: price times quantity', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1_000_000 }), fc.integer({ min: 1, max: 99 }), (price, count) => {
        for (const currency of ['EUR', 'JPY', 'KWD']) {
          const computed = (price / 10 ** decimalsOf(currency)) * count
          expect(parseAmountNumber(String(computed), currency)).toEqual({ ok: true, value: price * count })
        }
      }),
      { numRuns: 500 },
    )
  })

  it('reads a number like the same digits in text, and moves none by a millionth or more', () => {
    fc.assert(
      fc.property(wholes, fc.bigInt({ min: 0n, max: 10n ** 12n - 1n }), (whole, tail) => {
        const fraction = tail.toString().padStart(12, '0')
        const read = parseAmountNumber(`${whole}.${fraction}`, 'EUR')
        const text = parseAmount(`${whole}.${fraction}`, 'EUR')
        if (text.ok) expect(read).toEqual(text)
        const exact = BigInt(`${whole}${fraction}`)
        const near = [0n, 10_000n].some((distance) => {
          const rest = exact % 10n ** 10n
          return distance === 0n ? rest <= 10_000n : rest >= 10n ** 10n - distance
        })
        expect(read.ok).toBe(near)
      }),
      { numRuns: 500 },
    )
  })
})

describe('the decimals of a currency', () => {
  it.each([
    // CLDR shows the first few without decimals; ISO 4217 gives them two.
    [2, 'EUR USD HUF IDR COP RSD MGA XCG'],
    [0, 'JPY KRW CLP ISK UGX VND'],
    [3, 'KWD BHD TND IQD'],
    [4, 'CLF UYW'],
  ])('are %i: %s', (decimals, codes) => {
    for (const code of codes.split(' ')) {
      expect(isCurrency(code)).toBe(true)
      expect(decimalsOf(code)).toBe(decimals)
    }
  })

  it('are two for 139, none for 17, three for 7 and four for 2', () => {
    const counts = Map.groupBy(CURRENCIES, decimalsOf)
    expect([0, 2, 3, 4].map((decimals) => counts.get(decimals)?.length)).toEqual([17, 139, 7, 2])
    expect([...counts.keys()].toSorted()).toEqual([0, 2, 3, 4])
  })
})

describe('a code is not a currency', () => {
  it.each([
    ['in lower case', 'eur'],
    ['empty', ''],
    ['too long', 'EURO'],
    ['with a space', 'EUR '],
    ['withdrawn: Croatia has the euro', 'HRK'],
    ['withdrawn: Bulgaria has the euro', 'BGN'],
    ['withdrawn: Curaçao has XCG', 'ANG'],
    ['withdrawn: Sierra Leone has SLE', 'SLL'],
    ['withdrawn: Zimbabwe has ZWG', 'ZWL'],
    ['a metal', 'XAU'],
    ['for tests', 'XTS'],
    ['no currency at all', 'XXX'],
    ['a member that every object has', 'toString'],
    ['the prototype', '__proto__'],
  ])('%s: %j', (_, code) => {
    expect(isCurrency(code)).toBe(false)
    expect(() => decimalsOf(code)).toThrow(`${code} is not an active ISO 4217 code`)
  })
})

it('lists each code once, in order, in three capitals', () => {
  expect(CURRENCIES).toEqual([...new Set(CURRENCIES)].toSorted())
  expect(CURRENCIES.filter((code) => !/^[A-Z]{3}$/.test(code))).toEqual([])
})
