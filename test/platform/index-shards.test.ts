import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fnv1a, readEpochs, shardOf, shardsBetween } from '../../src/platform/index-shards.ts'

function micros(day: string) {
  return Date.parse(`${day}T00:00:00Z`) * 1000
}

describe('INDEX_SHARDS is read', () => {
  it.each([
    ['DB', [[-Infinity, 'DB']]],
    [' INDEX_1  INDEX_2 ', [[-Infinity, 'INDEX_1', 'INDEX_2']]],
    [
      'DB; 2027-01: INDEX_1 INDEX_2',
      [
        [-Infinity, 'DB'],
        [micros('2027-01-01'), 'INDEX_1', 'INDEX_2'],
      ],
    ],
    [
      'DB;2027-01-15:DB INDEX_1;\n 2028-02-29 : INDEX_1',
      [
        [-Infinity, 'DB'],
        [micros('2027-01-15'), 'DB', 'INDEX_1'],
        [micros('2028-02-29'), 'INDEX_1'],
      ],
    ],
  ])('%j', (text, epochs) => {
    expect(readEpochs(text).map(({ from, shards }) => [from, ...shards])).toEqual(epochs)
  })
})

describe('INDEX_SHARDS is refused with what is wrong', () => {
  it.each([
    ['', '"" is no name of a D1 binding'],
    ['DB;', '"" must be a month or day, a colon, and names'],
    ['DB; INDEX_1', '"INDEX_1" must be a month or day, a colon, and names'],
    ['DB; 2027-01: ', '"" is no name of a D1 binding'],
    ['DB; 2027-01: 1INDEX', '"1INDEX" is no name of a D1 binding'],
    [
      'DB; 2027-01-01T10:00: INDEX_1',
      '"2027-01-01T10:00: INDEX_1" must be a month or day, a colon, and names',
    ],
    ['DB, INDEX_1', '"DB," is no name of a D1 binding'],
    ['DB; 2027-01: INDEX-1', '"INDEX-1" is no name of a D1 binding'],
    ['DB DB', '"DB DB" has a name twice'],
    ['DB; 2027-01:  A A ', '"A A" has a name twice'],
    ['2027-01: DB', '"2027-01: DB" comes first, and takes all jobs before the next: it has no day'],
    ['DB; 2027: INDEX_1', '"2027" is no month such as 2027-01'],
    ['DB; 2027-13: INDEX_1', '"2027-13" is no month such as 2027-01'],
    ['DB; 2027-02-29: INDEX_1', '"2027-02-29" is no month such as 2027-01, and no day such as 2027-01-15'],
    ['DB; 2028-01: A; 2027-01: B', '"2027-01: B" does not begin later than what stands before it'],
    ['DB; 2027-01: A; 2027-01-01: B', '"2027-01-01: B" does not begin later than what stands before it'],
  ])('%j: %s', (text, error) => {
    expect(() => readEpochs(text)).toThrow(`INDEX_SHARDS cannot be read: ${error}`)
    expect(() => readEpochs(text)).toThrow(Error)
  })
})

describe('the row of a job', () => {
  const epochs = readEpochs('DB; 2027-01: INDEX_1 INDEX_2')

  it.each([
    ['before the epoch', micros('2027-01-01') - 1, '0', 'DB'],
    ['at its first moment', micros('2027-01-01'), '0', 'INDEX_2'],
    ['of another point of sale', micros('2027-01-01'), '1', 'INDEX_1'],
  ])('is where its creation and its point of sale say: %s', (_, created, pos, shard) => {
    expect(shardOf(epochs, { created, pos })).toBe(shard)
  })

  it.each([
    ['', 0x811c9dc5],
    ['a', 0xe40c292c],
    ['foobar', 0xbf9cf968],
  ])('is found by the FNV-1a hash, as its authors give it for %j', (text, hash) => {
    expect(fnv1a(text)).toBe(hash)
  })

  const ids = fc.stringMatching(/^[0-9a-f]{32}$/)
  const days = fc.date({ min: new Date('2026-01-01'), max: new Date('2032-01-01'), noInvalidDate: true })
  const layouts = fc
    .tuple(
      fc.uniqueArray(
        days.map((day) => day.toISOString().slice(0, 10)),
        { maxLength: 5 },
      ),
      fc.array(fc.subarray(['DB', 'INDEX_1', 'INDEX_2', 'INDEX_3'], { minLength: 1 }), {
        minLength: 6,
        maxLength: 6,
      }),
    )
    .map(([starts, names]) =>
      names
        .slice(0, starts.length + 1)
        .map((shards, at) => [...starts.toSorted().slice(at - 1, at), shards.join(' ')].join(': '))
        .join('; '),
    )
  const moments = fc.integer({ min: micros('2025-01-01'), max: micros('2033-01-01') })

  it('is in exactly one shard, and is found there by its time, and by its point of sale', () => {
    fc.assert(
      fc.property(layouts, moments, ids, moments, moments, (text, created, pos, one, other) => {
        const layout = readEpochs(text)
        const shard = shardOf(layout, { created, pos })
        const [from, to] = [Math.min(one, other, created), Math.max(one, other, created) + 1]
        expect(shardsBetween(layout, from, to, null)).toContain(shard)
        expect(shardsBetween(layout, from, to, pos)).toContain(shard)
        expect(shardsBetween(layout, created, created + 1, pos)).toEqual([shard])
      }),
    )
  })

  it('stays where it is when an epoch is added that begins after it', () => {
    fc.assert(
      fc.property(moments, ids, (created, pos) => {
        const later = readEpochs('DB; 2027-01: INDEX_1 INDEX_2; 2033-02: INDEX_3')
        expect(shardOf(later, { created, pos })).toBe(shardOf(epochs, { created, pos }))
      }),
    )
  })

  it('is with those of about as many points of sale in each shard', () => {
    const seen = fc.sample(ids, 3000).map((pos) => shardOf(readEpochs('A B C'), { created: 0, pos }))
    const shares = Map.groupBy(seen, (shard) => shard)
    for (const share of shares.values()) expect(share.length).toBeGreaterThan(800)
    expect(shares.size).toBe(3)
  })
})
