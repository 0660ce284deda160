import { expect, it } from 'vitest'
import page from '../../docs/psps.md?raw'
import { PAYMENT_METHODS } from '../../src/contract/payment-methods.ts'
import { ADAPTERS } from '../../src/psp/adapters.ts'

/** The tables of payment methods in docs/psps.md: the names at each PSP, and the days of reservation. */
const [table = '', reserved = ''] = Array.from(
  page.matchAll(/\n(\| `payment_method`.*?)\n\n/gs),
  ([, found = '']) => found,
)
function cellsOf(line: string): string[] {
  return line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim().replaceAll('`', ''))
}
const [head = [], , ...rows] = table.split('\n').map(cellsOf)
const psps = Object.keys(ADAPTERS)

it('docs/psps.md has a column for each PSP', () => {
  expect(head).toEqual(['payment_method', ...psps])
})

/**
 * A method at a PSP: its names there, 422 if the hub cannot send what it needs, or a dash if it does not
 * exist.
 */
function atPsp(psp: string, name: string): string {
  const { methods, unsupported = new Map<string, string>() } = ADAPTERS[psp] ?? {}
  return unsupported?.has(name) ? '422' : [methods?.get(name) ?? '–'].flat().join(', ')
}

it.each(rows)('docs/psps.md says what %s is called at each PSP', (names, ...cells) => {
  for (const name of names?.split(', ') ?? []) {
    const theirs = psps.map((psp) => atPsp(psp, name))
    expect([name, ...cells]).toEqual([name, ...theirs])
  }
})

it('docs/psps.md has exactly the payment methods of test mode', () => {
  const told = rows.flatMap(([names = '']) => names.split(', '))
  expect(told).toEqual(PAYMENT_METHODS)
})

it('docs/psps.md says which methods each PSP can reserve, for how many days, and in how many captures', () => {
  const [reservedHead, , ...reservedRows] = reserved.split('\n').map(cellsOf)
  expect(reservedHead).toEqual(head)
  const [captures, ...methods] = reservedRows.toReversed()
  expect(captures).toEqual(['captures', ...psps.map((psp) => ADAPTERS[psp]?.reserves.captures)])
  const told = methods.flatMap(([names = '', ...cells]) => names.split(', ').map((name) => [name, ...cells]))
  const known = new Set(psps.flatMap((psp) => Array.from(ADAPTERS[psp]?.reserves.days.keys() ?? [])))
  const daysOf = (name: string) => psps.map((psp) => String(ADAPTERS[psp]?.reserves.days.get(name) ?? '–'))
  expect(told.toSorted()).toEqual([...known].map((name) => [name, ...daysOf(name)]).toSorted())
})

it('each PSP has its names by names in lower case', () => {
  for (const { methods, unsupported = new Map<string, string>() } of Object.values(ADAPTERS)) {
    for (const name of [...methods.keys(), ...unsupported.keys()]) expect(name).toBe(name.toLowerCase())
    expect([...methods.keys()].filter((name) => unsupported.has(name))).toEqual([])
  }
})
