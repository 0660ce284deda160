import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { namedObject } from '../../src/platform/named-object.ts'

type Namespace = typeof env.JOB_DIRECTORY

/**
 * A namespace that returns the jurisdiction and the name of the requested object. The local runtime
 * has no jurisdictions.
 */
function namespaceOf(jurisdiction: string): Namespace {
  const double = {
    getByName: (name: string) => `${name} in ${jurisdiction}`,
    jurisdiction: (wanted: string) => namespaceOf(wanted),
  }
  return double as unknown as Namespace
}

function objectIn(JURISDICTION: string) {
  return namedObject({ ...env, JURISDICTION }, namespaceOf('no jurisdiction'), 'a')
}

describe('an object of a name', () => {
  it('is in no jurisdiction, unless one is set', () => {
    expect(objectIn('')).toBe('a in no jurisdiction')
  })

  it('is in the JURISDICTION', () => {
    expect(objectIn('eu')).toBe('a in eu')
  })

  it('cannot be reached with any other JURISDICTION: its jobs would be in a place that nobody chose', () => {
    expect(() => objectIn('EU')).toThrow('JURISDICTION must be eu or empty, not EU')
  })
})
