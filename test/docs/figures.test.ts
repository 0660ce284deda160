import { describe, expect, it } from 'vitest'
import { PRICES_READ_ON } from '../cost/prices.ts'
import { read, rowsUnder } from './documents.ts'

const page = read('docs/cost.md')
function sectionOf(heading: string): string {
  return `${page}\n${read('docs/limits.md')}`.split(`\n${heading}\n`)[1]?.split('\n## ')[0] ?? ''
}

describe('figures that were measured', () => {
  it.each(['## Speed', '## Cost', '## How far it goes'])('say when, under %s', (heading) => {
    expect(sectionOf(heading)).toMatch(/\b(of|on) 20\d\d-\d\d-\d\d\b/)
  })

  it('of the cost are at the prices that the program has', () => {
    expect(sectionOf('## Cost')).toContain(
      `list prices of Cloudflare's Workers Paid plan of ${PRICES_READ_ON}`,
    )
  })

  it('of a payment are within the limit that test/cost/cost.test.ts holds', () => {
    const [, limit] = /cost\)\.toBeLessThanOrEqual\(([\d.]+)\)/.exec(read('test/cost/cost.test.ts')) ?? []
    const payments = rowsUnder(page, '## Cost').filter(([what]) =>
      what?.startsWith('a million whole payments'),
    )
    expect(payments).toHaveLength(2)
    for (const [, usd] of payments) expect(Number(usd)).toBeLessThanOrEqual(Number(limit))
  })

  it('of the bundle are within the limit that test/bench/bundle.test.ts holds', () => {
    const [, kib] = /Worker was ([\d.]+) KiB/.exec(page) ?? []
    const [, limit] = /toBeLessThanOrEqual\((\d+) \* 1024\)/.exec(read('test/bench/bundle.test.ts')) ?? []
    expect(Number(kib)).toBeLessThanOrEqual(Number(limit))
  })
})
