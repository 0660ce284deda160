import { describe, expect, it } from 'vitest'
import { SHAPES } from './shapes.ts'

/** What a version stored, and what it is read as now. */
type Fixture = { stored: unknown; reads: unknown }

const FIXTURES = import.meta.glob<{ default: Fixture }>('../fixtures/stored/*.json', { eager: true })

const versionsOf = Object.entries(SHAPES).flatMap(([name, { version }]) =>
  Array.from({ length: version }, (_, before) => [name, before + 1] as const),
)

describe('each version that ever landed', () => {
  it.each(versionsOf)('%s, version %i, is read', (name, version) => {
    const fixture = FIXTURES[`../fixtures/stored/${name}.v${version}.json`]?.default
    if (!fixture) throw new Error(`test/fixtures/stored/${name}.v${version}.json is missing`)
    expect(SHAPES[name]?.read(fixture.stored)).toEqual(fixture.reads)
  })

  it('has a fixture, and no fixture is of a version that is not known', () => {
    const expected = versionsOf.map(([name, version]) => `../fixtures/stored/${name}.v${version}.json`)
    expect(Object.keys(FIXTURES).toSorted()).toEqual(expected.toSorted())
  })
})
