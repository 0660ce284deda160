import { describe, expect, it } from 'vitest'
import { equalInConstantTime, sha256 } from '../../../src/platform/crypto/hash.ts'

it.each([
  ['', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
  ['abc', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
])('hashes %j as FIPS 180-4 does', async (text, hash) => {
  expect(await sha256(text)).toBe(hash)
})

describe('two secrets are equal', () => {
  it.each([
    ['abc', 'abc', true],
    ['', '', true],
    ['abc', 'abd', false],
    ['abc', 'Abc', false],
    ['abc', 'abcd', false],
    ['abc', '', false],
    ['é', 'e\u0301', false],
  ])('%j and %j: %s', async (a, b, equal) => {
    expect(await equalInConstantTime(a, b)).toBe(equal)
    expect(await equalInConstantTime(b, a)).toBe(equal)
  })
})

it('compares secrets by their whole hashes', async () => {
  // A comparison of one byte of each hash would find about ten of these equal.
  const others = Array.from({ length: 2500 }, (_, i) => `secret ${i}`)
  const equal = await Promise.all(others.map((other) => equalInConstantTime('secret', other)))
  expect(equal).not.toContain(true)
})
