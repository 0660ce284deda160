import { expect, it } from 'vitest'
import { type Sample, grown } from './trend.ts'

const samples = (of: (at: number) => Partial<Sample>): Sample[] =>
  Array.from({ length: 60 }, (_, at) => ({ memory: 300, files: 100, objects: 40, ...of(at) }))

it('finds nothing in measures that go up and down', () => {
  expect(grown(samples((at) => ({ memory: 300 + (at % 7) * 20, objects: 40 + (at % 5) * 4 })))).toEqual([])
})

it('lets the first third pass, in which caches fill up', () => {
  expect(grown(samples((at) => ({ memory: Math.min(100 + at * 20, 500) })))).toEqual([])
})

it.each(['memory', 'files', 'objects'] as const)('finds %s that grow all the time', (name) => {
  const [found, ...others] = grown(samples((at) => ({ [name]: 100 + at * 10 })))
  expect(found).toMatch(new RegExp(`^${name} grew from`))
  expect(others).toEqual([])
})

it('judges nothing by too few samples', () => {
  expect(grown(samples(() => ({})).slice(0, 14))).toEqual(['only 14 samples were taken'])
})
