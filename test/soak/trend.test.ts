import { expect, it } from 'vitest'
import { type Sample, grown } from './trend.ts'

function samples(of: (at: number) => Partial<Sample>): Sample[] {
  return Array.from({ length: 60 }, (_, at) => ({ memory: 300, files: 100, objects: 40, ...of(at) }))
}

it('finds nothing in measures that go up and down', () => {
  const restless = samples((at) => ({ memory: 300 + (at % 7) * 20, objects: 40 + (at % 5) * 4 }))
  expect(grown(restless, 0)).toEqual([])
})

it('lets the first third pass, in which caches fill up, or as many samples as that takes', () => {
  expect(
    grown(
      samples((at) => ({ memory: Math.min(100 + at * 20, 500) })),
      0,
    ),
  ).toEqual([])
  const slow = samples((at) => ({ files: Math.min(100 + at * 30, 1200) }))
  expect(grown(slow, 0)).toEqual(['files grew from 1000 to 1200'])
  expect(grown(slow, 30)).toEqual([])
})

it.each(['memory', 'files', 'objects'] as const)('finds %s that grow all the time', (name) => {
  const [found, ...others] = grown(
    samples((at) => ({ [name]: 100 + at * 10 })),
    30,
  )
  expect(found).toMatch(new RegExp(`^${name} grew from`))
  expect(others).toEqual([])
})

it('judges nothing by too few samples', () => {
  expect(grown(samples(() => ({})).slice(0, 12), 0)).toEqual(['only 12 samples were taken'])
  expect(grown(samples(() => ({})).slice(0, 39), 30)).toEqual(['only 39 samples were taken'])
})
