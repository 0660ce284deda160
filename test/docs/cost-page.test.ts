import { expect, it } from 'vitest'
import { PRICES_READ_ON } from '../cost/prices.ts'
import { read, rowsUnder } from './documents.ts'

const page = read('docs/cost.md')

/** Returns a limit that another test checks. */
function limitIn(path: string, pattern: RegExp): number {
  return Number(pattern.exec(read(path))?.[1])
}

it('docs/cost.md has the prices of the program', () => {
  expect(page).toContain(PRICES_READ_ON)
})

it('docs/cost.md says that a payment costs at most what test/cost allows', () => {
  const limit = limitIn('test/cost/cost.test.ts', /cost\)\.toBeLessThanOrEqual\(([\d.]+)\)/)
  const payments = rowsUnder(page, '## Cost').filter(([what]) => what?.startsWith('a million whole payments'))
  expect(payments).toHaveLength(2)
  for (const [, usd] of payments) expect(Number(usd)).toBeLessThanOrEqual(limit)
})

it('docs/cost.md says that the Worker is within the limit of test/bench', () => {
  const [, kib] = /Worker was ([\d.]+) KiB/.exec(page) ?? []
  const limit = limitIn('test/bench/bundle.test.ts', /toBeLessThanOrEqual\((\d+) \* 1024\)/)
  expect(Number(kib)).toBeLessThanOrEqual(limit)
})
