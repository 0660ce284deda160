import { describe, expect, it } from 'vitest'
import { median, percentile, spreadOf } from './percentiles.ts'

function upTo(last: number): number[] {
  return Array.from({ length: last }, (_, place) => place + 1)
}

describe('percentile(sorted, share)', () => {
  it.each([
    [upTo(100), 0.5, 50],
    [upTo(100), 0.95, 95],
    [upTo(100), 0.99, 99],
    [upTo(100), 1, 100],
    [upTo(1000), 0.99, 990],
    [upTo(10), 0.99, 10],
    [upTo(3), 0.5, 2],
    [upTo(4), 0.5, 2],
    [[7], 0.01, 7],
    [[], 0.5, NaN],
  ])('of %j at %d is %d', (sorted, share, value) => {
    expect(percentile(sorted, share)).toBe(value)
  })
})

describe('median(values)', () => {
  it.each([
    [[3, 1, 2], 2],
    [[4, 1, 2, 3], 2.5],
    [[5], 5],
    [[10, 9], 9.5],
    [[], NaN],
  ])('of %j is %d', (values, value) => {
    expect(median(values)).toBe(value)
  })
})

it('a spread has the middle, the lowest and the highest, in whatever order they came', () => {
  expect(spreadOf([3, 9, 1])).toEqual({ median: 3, low: 1, high: 9 })
})
