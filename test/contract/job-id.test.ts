import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isJobId, siblingOf, uuidV8 } from '../../src/contract/ids.ts'

function bytesOf(hex: string): Uint8Array {
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
}

describe('a derived id', () => {
  it('is the one of RFC 9562, appendix B.2', () => {
    const digest = bytesOf('5c146b143c524afd938a375d0df1fbf6fe12a66b645f72f6158759387e51f3c8')
    expect(uuidV8(digest)).toBe('5c146b14-3c52-8afd-938a-375d0df1fbf6')
  })

  it('has version 8 and its variant, and keeps every other bit of the first 16 bytes', () => {
    const mask = bytesOf('ffffffffffff0fff3fffffffffffffff')
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 16, maxLength: 64 }), (bytes) => {
        const id = uuidV8(bytes)
        const got = bytesOf(id.replaceAll('-', ''))
        expect(isJobId(id)).toBe(true)
        expect((got[6] ?? 0) >> 4).toBe(8)
        expect((got[8] ?? 0) >> 6).toBe(0b10)
        expect(got.map((byte, i) => byte & (mask[i] ?? 0))).toEqual(
          bytes.slice(0, 16).map((byte, i) => byte & (mask[i] ?? 0)),
        )
      }),
    )
  })
})

describe('a job id in a path', () => {
  it.each(['7f2c1d1e-1234-4abc-8def-0123456789ab', '00000000-0000-0000-0000-000000000000'])(
    'may be %s',
    (text) => {
      expect(isJobId(text)).toBe(true)
    },
  )

  it.each([
    ['empty', ''],
    ['in upper case', '7F2C1D1E-1234-4ABC-8DEF-0123456789AB'],
    ['without dashes', '7f2c1d1e12344abc8def0123456789ab'],
    ['in braces', '{7f2c1d1e-1234-4abc-8def-0123456789ab}'],
    ['too short', '7f2c1d1e-1234-4abc-8def-0123456789a'],
    ['too long', '7f2c1d1e-1234-4abc-8def-0123456789abc'],
    ['with another letter', '7f2c1d1e-1234-4abc-8def-0123456789ag'],
    ['with a line end', '7f2c1d1e-1234-4abc-8def-0123456789ab\n'],
    ['with a path before it', '../7f2c1d1e-1234-4abc-8def-0123456789ab'],
  ])('is refused when it is %s', (_, text) => {
    expect(isJobId(text)).toBe(false)
  })
})

describe('the siblings of an id', () => {
  it('are sixteen ids, the first of which is the id itself', () => {
    fc.assert(
      fc.property(fc.uuid(), (id) => {
        const ids = Array.from({ length: 16 }, (_, n) => siblingOf(id, n))
        expect(ids[0]).toBe(id)
        expect(new Set(ids.filter(isJobId)).size).toBe(16)
      }),
    )
  })
})
