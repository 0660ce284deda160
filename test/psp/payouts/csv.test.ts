import { describe, expect, it } from 'vitest'
import { readCsv } from '../../../src/psp/payouts/csv.ts'

function read(text: string) {
  return [...readCsv(text)].map((row) =>
    row.ok ? ['a', 'b'].map((name) => row.value.cell(name)) : { ...row.error },
  )
}

describe('a CSV file', () => {
  it('may have cells with quotation marks, commas and line breaks', () => {
    expect(read('a,b\n"1,""2""","3\n4"\n,""\n')).toEqual([
      ['1,"2"', '3\n4'],
      ['', ''],
    ])
  })

  it.each([
    ['ends within quotation marks', 'a,b\n"1,2\n', { line: 2, why: 'a quotation mark is never closed' }],
    [
      'is 20 MB of quotation marks',
      `a,b\n${'"'.repeat(20_000_001)}`,
      { line: 2, why: 'a quotation mark is never closed' },
    ],
    [
      'is in UTF-16',
      '\ufeffa,b\n1,2\n'.split('').join('\0'),
      { line: 1, why: 'the file is in UTF-16: save it as UTF-8' },
    ],
  ])('that %s is refused with its line', (_, text, fault) => {
    expect(read(text)).toMatchObject([fault])
  })

  it('of 5 MB in pairs of quotation marks is one cell', () => {
    const [cells] = read(`a,b\n"${'""'.repeat(2_500_000)}",2\n`)
    expect(Array.isArray(cells) ? cells.map(({ length }) => length) : cells).toEqual([2_500_000, 1])
  })
})
