import { describe, expect, it } from 'vitest'
import { nearest } from '../../src/contract/nearest.ts'

describe('a mistyped word', () => {
  it.each([
    ['has a letter swapped with its neighbour', 'idael', 'ideal'],
    ['has a letter too many at its beginning', 'xidea', 'idea'],
    ['lacks its first letter', 'n', 'en'],
    ['lacks its end', 'ban', 'bancontact'],
    ['has one letter in three wrong', 'xdexls', 'ideals'],
  ])('is found where it %s: %s', (_, word, meant) => {
    expect(nearest(word, ['zzzzzzzz', meant])).toBe(meant)
  })

  it.each([
    ['has a swap and another mistake', 'idaex', 'ideal'],
    ['only looks like a swap, for its second letter comes first', 'xyooo', 'yzooo'],
    ['only looks like a swap, for its first letter comes second', 'xyooo', 'zxooo'],
  ])('of five letters has no match when it %s: %s', (_, word, candidate) => {
    expect(nearest(word, [candidate])).toBeNull()
  })
})
