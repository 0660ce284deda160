import { describe, expect, it } from 'vitest'
import { CURRENCIES, decimalsOf, isCurrency } from '../../src/contract/money.ts'

describe('the decimals of a currency', () => {
  it.each([
    ['EUR', 2],
    ['USD', 2],
    // CLDR shows these four without decimals, ISO 4217 gives them two.
    ['HUF', 2],
    ['IDR', 2],
    ['COP', 2],
    ['RSD', 2],
    ['MGA', 2],
    ['XCG', 2],
    ['JPY', 0],
    ['KRW', 0],
    ['CLP', 0],
    ['ISK', 0],
    ['UGX', 0],
    ['VND', 0],
    ['KWD', 3],
    ['BHD', 3],
    ['TND', 3],
    ['IQD', 3],
    ['CLF', 4],
    ['UYW', 4],
  ])('of %s are %i', (code, decimals) => {
    expect(isCurrency(code)).toBe(true)
    expect(decimalsOf(code)).toBe(decimals)
  })

  it('are two for 139, none for 17, three for 7 and four for 2', () => {
    const counts = Map.groupBy(CURRENCIES, decimalsOf)
    expect([0, 2, 3, 4].map((decimals) => counts.get(decimals)?.length)).toEqual([17, 139, 7, 2])
    expect([...counts.keys()].toSorted()).toEqual([0, 2, 3, 4])
  })
})

describe('a code is no currency', () => {
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
    expect(() => decimalsOf(code)).toThrow(`${code} is no active ISO 4217 code`)
  })
})

it('lists each code once, in order, in three capitals', () => {
  expect(CURRENCIES).toEqual([...new Set(CURRENCIES)].toSorted())
  expect(CURRENCIES.filter((code) => !/^[A-Z]{3}$/.test(code))).toEqual([])
})
