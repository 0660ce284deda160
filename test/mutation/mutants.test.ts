import { runInThisContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { PROJECT } from '../../src/tools/wrangler.ts'
import { compiling } from './shell/compiling.ts'
import { switchable } from './shell/mutants.ts'

type Switched = { __mutant?: (id: string) => boolean }

/** What a function of one number gives with each of its mutants on, and first without any. */
function played(body: string, argument: unknown): unknown[] {
  const { mutants, code } = switchable('x.ts', `const f = (n) => { ${body} }`)
  const f = runInThisContext(`(() => { ${code}\nreturn f })()`) as (given: unknown) => unknown
  const shared = globalThis as Switched
  return ['', ...mutants.map(({ id }) => id)].map((active) => {
    shared.__mutant = (id) => id === active
    try {
      return f(argument)
    } catch (error) {
      return (error as Error).message
    } finally {
      delete shared.__mutant
    }
  })
}

describe('a file with its mutants compiled in', () => {
  it.each([
    ['a bound', 'return n < 3', 3, [false, null, true]],
    ['an equality', 'if (n === 3) return 1; return 2', 3, [1, 1, 2, 2]],
    ['a default', 'return n ?? 7', null, [7, null, null, 7]],
    ['a condition of two', 'return n > 1 && n < 9', 0, [false, null, true, false, false]],
    ['a choice', "return n ? 'yes' : 'no'", 1, ['yes', null, 'yes', 'no', '', 'yes']],
    ['a truth', 'return true', 1, [true, false]],
    ['a list', 'return [n].length', 1, [1, null]],
    ['a statement', 'let sum = 1; sum += n; return sum', 2, [3, 1, null]],
    [
      'a statement that is all of a condition',
      'const all = []; if (n) all.push(n); return all.length',
      1,
      [1, 1, 0, 0, null],
    ],
    ['an error that is thrown', "if (n) throw new Error('no'); return 1", 1, ['no', 'no', 1, 1]],
    ['a sum, but no text that is put together', "return 'a' + (n + 1)", 4, ['a5', null, '5', 'a3']],
  ])('has, for %s, the mutants of it and nothing else', (_, body, argument, results) => {
    expect(played(body, argument)).toEqual(results)
  })

  it('leaves what runs when the module is loaded, types and imports as they are', () => {
    const source = "import { a } from 'b'\ntype T = 'x' | 'y'\nexport const SEVEN = a ?? 7\n"
    expect(switchable('x.ts', source)).toEqual({ mutants: [], code: source })
  })

  it('tells where each mutant is, and what it does', () => {
    const { mutants } = switchable('src/x.ts', 'export const f = (n: number) => {\n  return n < 3\n}\n')
    const THERE = { file: 'src/x.ts', line: 2, at: '  return n < 3', from: 'n < 3' }
    const PLACE = { start: 43, end: 48 }
    expect(mutants).toEqual([
      { ...THERE, id: 'src/x.ts#0', to: 'null', replaced: { ...PLACE, by: 'null' } },
      { ...THERE, id: 'src/x.ts#1', to: '(n) <= (3)', replaced: { ...PLACE, by: '(n) <= (3)' } },
    ])
  })

  it('has another text in place of one, and of none', () => {
    const { mutants } = switchable('src/x.ts', "export const f = () => [g('yes'), g('')]")
    expect(mutants.map(({ from, to }) => [from, to])).toEqual(
      expect.arrayContaining([
        ["'yes'", "''"],
        ["''", "'other'"],
      ]),
    )
  })
})

it('of the mutants of a file those are played that compile', async () => {
  const source = "export const f = (n: number): 'few' | 'many' => { return n < 3 ? 'few' : 'many' }\n"
  const { mutants } = switchable('src/x.ts', source)
  expect(mutants.map(({ to }) => to)).toEqual(['null', 'true', 'false', '(n) <= (3)', "''", "''"])
  const left = await compiling(PROJECT, mutants, new Map([['src/x.ts', source]]))
  expect(left.map(({ to }) => to)).toEqual(['true', 'false', '(n) <= (3)'])
})
