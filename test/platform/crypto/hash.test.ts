import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  fromBase64,
  randomHex,
  toBase64,
  toHex,
  utf8,
  equalInConstantTime,
  sha256,
} from '../../../src/platform/crypto/hash.ts'

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

it('compares secrets by the whole of their hashes', async () => {
  // A comparison by one byte of each hash would take about ten of these for equal.
  const others = Array.from({ length: 2500 }, (_, i) => `secret ${i}`)
  const equal = await Promise.all(others.map((other) => equalInConstantTime('secret', other)))
  expect(equal).not.toContain(true)
})

describe('bytes', () => {
  it('are shown as hex, two digits each', () => {
    expect(toHex(Uint8Array.of(0, 1, 15, 16, 255))).toBe('00010f10ff')
    expect(toHex(Uint8Array.of(7).buffer)).toBe('07')
  })

  it('survive base64', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        expect(fromBase64(toBase64(bytes))).toEqual(bytes)
        expect(fromBase64(toBase64(Uint8Array.from(bytes).buffer))).toEqual(bytes)
      }),
    )
    expect(toBase64(utf8('é'))).toBe('w6k=')
  })

  it('at random are as many hex digits as were asked for, and never the same', () => {
    expect(randomHex(32)).toMatch(/^[0-9a-f]{32}$/)
    expect(new Set(Array.from({ length: 100 }, () => randomHex(32))).size).toBe(100)
  })
})
