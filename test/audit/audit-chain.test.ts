import { describe, expect, it } from 'vitest'
import { toHex } from '../../src/platform/crypto/hash.ts'
import {
  type AuditContent,
  type UnhashedEntry,
  canonicalEntry,
  entryContent,
} from '../../src/audit/audit-chain.ts'

const content: AuditContent = {
  by: 'anna',
  role: 'operator',
  via: 'token',
  token: '7e3f',
  action: 'pos.update',
  subject: 'p1',
  result: 'done',
  request: 'r1',
  before: { name: 'Café' },
  after: { name: 'Bar', signReturn: true },
}
/** The example of docs/audit.md. */
const example: UnhashedEntry = {
  ...content,
  number: 7,
  at: '2026-01-31T10:00:00.000Z',
  of: 6,
  previous: 'a'.repeat(64),
}

describe('the text that is hashed', () => {
  it('is the one in the documents, byte by byte, with its hash', async () => {
    const text = canonicalEntry(example)
    expect(text).toBe(
      `64:${'a'.repeat(64)},1:7,24:2026-01-31T10:00:00.000Z,4:anna,8:operator,5:token,4:7e3f,10:pos.update,2:p1,4:done,1:6,2:r1,` +
        '17:+4:name,6:sCafé,,33:+4:name,4:sBar,10:signReturn,1:t,,',
    )
    expect(toHex(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)))).toBe(
      '675666a6fd5c88d6c243620c4a8b0ec9bd05f0dd06d23d363494138f97972de3',
    )
  })

  it.each<[string, AuditContent['after'], string]>([
    ['no values', null, '0:,'],
    ['values of nothing', {}, '1:+,'],
    ['a text', { a: 'é' }, '11:+1:a,3:sé,,'],
    ['an empty text', { a: '' }, '9:+1:a,1:s,,'],
    ['a number below zero', { a: -7 }, '11:+1:a,3:n-7,,'],
    ['yes', { a: true }, '9:+1:a,1:t,,'],
    ['no', { a: false }, '9:+1:a,1:f,,'],
    ['nothing', { a: null }, '9:+1:a,1:z,,'],
    ['a list', { a: ['x', ''] }, '16:+1:a,8:l1:x,0:,,,'],
    ['an empty list', { a: [] }, '9:+1:a,1:l,,'],
    ['names that come in another order', { b: 'x', B: 'y', a: 'z' }, '28:+1:B,2:sy,1:a,2:sz,1:b,2:sx,,'],
  ])('writes %s unlike any other value', (_, values, text) => {
    const whole = canonicalEntry({ ...example, before: null, after: values })
    expect(whole.slice(whole.indexOf('2:r1,') + 5)).toBe(`0:,${text}`)
  })

  it('has an empty text if the entry ends no other', () => {
    expect(canonicalEntry({ ...example, of: null })).toContain(',4:done,0:,2:r1,')
  })
})

describe('the content of an entry', () => {
  it('is unchanged if it is short', () => {
    const values = { text: 'x'.repeat(200), number: -9007199254740991, is: false, none: null, list: ['a'] }
    const told = { ...content, before: null, after: values }
    expect(entryContent(told)).toEqual(told)
  })

  it('is cut to 200 characters in each text, and 200 members in each list', () => {
    const long = 'x'.repeat(201)
    const short = 'x'.repeat(200)
    const told = entryContent({
      by: long,
      role: long,
      via: long,
      token: long,
      action: long,
      subject: long,
      result: 'failed',
      request: long,
      before: { a: long },
      after: { a: [long, ...Array.from({ length: 200 }, () => 'y')] },
    })
    expect(told).toEqual({
      by: short,
      role: short,
      via: short,
      token: short,
      action: short,
      subject: short,
      result: 'failed',
      request: short,
      before: { a: short },
      after: { a: [short, ...Array.from({ length: 199 }, () => 'y')] },
    })
  })

  it('has no half of a character, even where it is cut', () => {
    expect(entryContent({ ...content, subject: `${'x'.repeat(199)}🧾` }).subject).toBe(
      `${'x'.repeat(199)}\uFFFD`,
    )
  })

  it('has numbers as texts if languages write them differently', () => {
    const after = { half: 0.5, large: 9007199254740992 }
    expect(entryContent({ ...content, after }).after).toEqual({ half: '0.5', large: '9007199254740992' })
  })
})
