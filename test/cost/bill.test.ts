import { expect, it } from 'vitest'
import { billOf, keepingOf, sumOf } from './bill.ts'

it.each([
  [{}, null, 0],
  [{ 'worker requests': 2 }, null, 0.6],
  [{ 'object rows written': 3, 'kv writes': 1 }, null, 8],
  [{ 'queue operations': 3, 'd1 rows read': 1000 }, null, 2.2],
  [{}, 10, 0.2],
  // 128 MB for 8 ms are 0.001024 GB-s.
  [{ 'object milliseconds': 8 }, null, 0.0128],
])('a million payments that take %j and %d ms of CPU cost %d USD', (counts, cpu, cost) => {
  expect(sumOf(billOf(counts, cpu))).toBeCloseTo(cost, 6)
})

it('each kind of operation has its line, in the order of the price list', () => {
  const lines = billOf({ 'queue operations': 9, 'worker requests': 8 }, 5)
  expect(lines.filter(({ times }) => times > 0).map(({ what }) => what)).toEqual([
    'worker requests',
    'worker CPU milliseconds',
    'queue operations',
  ])
})

it('keeping a gigabyte in objects for a month costs what the list says', () => {
  expect(keepingOf({ object: 1000, d1: 0 }, 365.25 / 12)).toBeCloseTo(0.2, 6)
  expect(keepingOf({ object: 0, d1: 1000 }, 365.25)).toBeCloseTo(9, 6)
})
