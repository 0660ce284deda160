import { describe, expect, it } from 'vitest'
import { printable, printableJson, printableOutput, viewOf } from '../../src/programs/view.ts'

const at = '2026-07-31T12:02:07.123456Z'

it('what a program prints keeps its lines and, in colours, those of a view', () => {
  const printed = '\rbar\u001b[32mok\u001b[39m\tx\r\ny\u001b[2J\u0007\r\u202ez\n'
  expect(printableOutput(printed, true)).toBe(
    '\rbar\u001b[32mok\u001b[39m\tx\r\ny\uFFFD[2J\uFFFD\uFFFD\uFFFDz\n',
  )
  expect(printableOutput('\u001b[32mok', false)).toBe('\uFFFD[32mok')
})

describe('the view of an answer', () => {
  it('shows a time in UTC with a Z, and else in the zone of the machine', () => {
    expect(viewOf(process.stdout, true).time(at)).toBe('2026-07-31 12:02:07Z')
    const local = new Date(at)
    const shown = viewOf(process.stdout, false).time(at)
    expect(new Date(shown.replace(' ', 'T')).getTime()).toBe(Math.floor(local.getTime() / 1000) * 1000)
    expect(viewOf(process.stdout, true).time(null)).toBe('')
  })

  it('shows control characters and those that turn a text as marks, and keeps all else', () => {
    const hostile = { order: 'A\u001b[2J\u202e1\n', amounts: [1, null, 'é日 👩‍👧'] }
    expect(printable(hostile)).toEqual({ order: 'A\uFFFD[2J\uFFFD1\uFFFD', amounts: [1, null, 'é日 👩‍👧'] })
  })

  it.each(['\u200b', '\u200d', '\ufe0f', '\u00ad', '\u2060', '\u3164'])(
    'shows a mark for the invisible %j: two orders look different',
    (unseen) => expect(printable(`A-${unseen}1`)).toBe('A-\uFFFD1'),
  )

  it('escapes in JSON what could attack the terminal, and changes no value', () => {
    const hostile = { order: 'A\u009b2J\u202e1\u{e0041}', emoji: '👩‍👧 ❤️' }
    const json = printableJson(hostile)
    expect(json).not.toMatch(/[\u007f-\u009f\u202e\u{e0000}-\u{e007f}]/u)
    expect(JSON.parse(json)).toEqual(hostile)
    expect(json).toContain('👩‍👧 ❤️')
  })

  it('shows a member a line by its name, in words', () => {
    const { answer } = viewOf(process.stdout, true)
    const account = { id: 'a', sealingKey: 'k', isOn: true, currencies: null, error: null, created: at }
    const lines = ['id           a', 'sealing key  k', 'on           yes', 'currencies   any']
    expect(answer(account)).toBe([...lines, 'created      2026-07-31 12:02:07Z'].join('\n'))
    expect(answer({ head: { number: 2 }, failed: ['a', 'b'] })).toBe('head number  2\nfailed       a, b')
  })

  it('shows a list as a table, live ones first, and names it if something else is shown too', () => {
    const { answer } = viewOf(process.stdout, true)
    const shops = [
      { name: 'Trial', mode: 'test' },
      { name: 'Bakery', mode: 'live' },
    ]
    const table = ['name    mode', '------  ----', 'Bakery  live', 'Trial   test'].join('\n')
    expect(answer(shops)).toBe(table)
    expect(answer({ pointsOfSale: shops })).toBe(table)
    expect(answer({ more: false, shops })).toBe(`more  no\n\nshops:\n${table}`)
    expect(answer({ pointsOfSale: [] })).toBe('There are no points of sale.')
    expect(answer({ more: false, shops: [] })).toBe('more   no\nshops  none')
  })
})
