import { expect, it } from 'vitest'
import { ADAPTERS } from '../../src/psp/adapters.ts'

it('each PSP has its names by names in lower case', () => {
  for (const { methods, unsupported = new Map<string, string>() } of Object.values(ADAPTERS)) {
    for (const name of [...methods.keys(), ...unsupported.keys()]) expect(name).toBe(name.toLowerCase())
    expect([...methods.keys()].filter((name) => unsupported.has(name))).toEqual([])
  }
})
