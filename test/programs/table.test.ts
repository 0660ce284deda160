import { describe, expect, it } from 'vitest'
import stringWidth from 'string-width'
import { table } from '../../src/programs/table.ts'

const ID = '5b0c2f34-5d5a-4c0e-9a39-0d6f3f0b7c11'
const HEAD = ['created', 'payment job', 'order', 'point of sale']
function row(order: string, shop: string) {
  return ['2026-01-31 14:02:07', ID, order, shop]
}
function linesOf(text: string) {
  return text.split('\n')
}
function widest(text: string) {
  return Math.max(...linesOf(text).map((line) => stringWidth(line)))
}

describe('a table', () => {
  it('has columns as wide as their widest cell, where nothing says how wide it may be', () => {
    expect(
      linesOf(
        table(
          ['a', 'bcd'],
          [
            ['1234', ''],
            ['1', '2'],
          ],
        ),
      ),
    ).toEqual(['a     bcd', '----  ---', '1234', '1     2'])
  })

  it.each([95, 110, 140])('of a terminal of %i columns cuts long texts, and no id or time', (width) => {
    const text = table(HEAD, [row('A-1', 'A shop with a name that is longer than any terminal '.repeat(3))], {
      width,
    })
    expect(widest(text)).toBeLessThanOrEqual(width)
    expect(text).toContain(`2026-01-31 14:02:07  ${ID}  A-1`)
    expect(text).toContain('…')
  })

  it('that does not fit even so becomes a block of lines for each row', () => {
    expect(linesOf(table(HEAD, [row('A-1', 'Shop'), row('A-2', '')], { width: 60 }))).toEqual([
      'created        2026-01-31 14:02:07',
      `payment job    ${ID}`,
      'order          A-1',
      'point of sale  Shop',
      '',
      'created        2026-01-31 14:02:07',
      `payment job    ${ID}`,
      'order          A-2',
    ])
  })

  it('counts the columns that a letter takes, not its code units', () => {
    const text = table(
      ['name', 'x'],
      [
        ['日本語の店', '1'],
        ['e\u0301👩‍👩‍👧', '2'],
      ],
    )
    expect(
      linesOf(text)
        .slice(2)
        .map((line) => stringWidth(line)),
    ).toEqual([13, 13])
    const short = table(['name', 'amount'], [['日本語の店'.repeat(9), '1']], { width: 30 })
    expect(widest(short)).toBeLessThanOrEqual(30)
  })

  it('paints a cell without changing where the next begins', () => {
    const paint = (cell: string) => (cell.trim() === 'FAILURE' ? `<${cell}>` : cell)
    expect(
      linesOf(
        table(
          ['status', 'n'],
          [
            ['FAILURE', '1'],
            ['SUCCESS!', '2'],
          ],
          { paint },
        ),
      ).slice(2),
    ).toEqual(['<FAILURE >  1', 'SUCCESS!  2'])
  })
})
