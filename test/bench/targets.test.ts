import { expect, it } from 'vitest'
import { type Comparison, restless } from './targets.ts'

const compared = (what: string, against: string, value: number, met: boolean): Comparison => ({
  what,
  against,
  concurrency: 16,
  ratio: { figure: 'rps', value, low: value, high: value },
  target: null,
  met,
})

it('a run is restless where the hub differs from itself', () => {
  const steady = compared('create + again', 'itself', 1.02, true)
  const shaky = compared('read, one job + again', 'itself', 0.8, false)
  expect(restless([steady, shaky, compared('create', 'bare', 0.4, false)])).toEqual([shaky])
})
