import { type ArgsDef, parseArgs } from 'citty'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkWords } from '../../src/tools/check-words.ts'
import { command } from '../../src/tools/command.ts'
import { nearest } from '../../src/platform/nearest.ts'
import { wholeNumber } from '../../src/tools/whole-number.ts'

const ARGS = {
  id: { type: 'positional', required: true },
  'some-name': { type: 'string' },
  mode: { type: 'enum', options: ['live', 'test'] },
  live: { type: 'boolean' },
} satisfies ArgsDef
const sample = command({ name: 'sample', does: '', example: '', args: ARGS, run: async () => 0 })

/** What citty makes of words that were checked. */
function read(...words: string[]) {
  const {
    id,
    'some-name': name,
    mode,
    live,
    _: all,
  } = parseArgs<typeof ARGS>(checkWords(sample, words), ARGS)
  return { id, name, mode, live, all }
}

describe('checked words', () => {
  it('are read as they were meant, wherever the flags stand', () => {
    const meant = { id: 'x', name: 'Shop 1', mode: 'test', live: true, all: ['x'] }
    expect(read('x', '--some-name', 'Shop 1', '--mode=test', '--live')).toEqual(meant)
    expect(read('--live', '--mode', 'test', '--some-name=Shop 1', '--', 'x')).toEqual(meant)
  })

  it.each(['-5', '-', '5', '007', '1e3', '-x=y', 'true', ''])('take %j as a value, unchanged', (value) => {
    expect(read('x', '--some-name', value).name).toBe(value)
  })

  it('take any value after =, and any word after --, as it is', () => {
    const holds = (value: string, word: string, live: boolean) => {
      const words = [`--some-name=${value}`, ...(live ? ['--live'] : []), '--', word]
      expect(read(...words)).toMatchObject({ id: word, name: value, all: [word] })
      expect(read(...words).live ?? false).toBe(live)
    }
    fc.assert(fc.property(fc.string(), fc.string({ minLength: 1 }), fc.boolean(), holds), {
      examples: [['--no-live', '--live', false]],
    })
  })
})

it.each([
  ['creat', 'create'],
  ['craete', 'create'],
  ['cr', 'create'],
  ['list', 'list'],
  ['lst', 'list'],
  ['delete', null],
  ['', 'create'],
])('the nearest to %j of create and list is %j', (word, expected) => {
  expect(nearest(word, ['create', 'list'])).toBe(expected)
})

it.each(['', ' 5', '0', '6', '2.5', '1e0', '0x2', '-1', '9'.repeat(400)])(
  '%j is no whole number from 1 to 5',
  (given) => {
    expect(() => wholeNumber('--n', given, 1, 5)).toThrow('--n must be a whole number from 1 to 5')
  },
)

it('a whole number is read', () => {
  expect(wholeNumber('--n', '5', 1, 5)).toBe(5)
})
