import { describe, expect, it } from 'vitest'
import {
  type Access,
  generationOf,
  isKeyHonoured,
  isTokenHonoured,
  newestOf,
  signingVersionAt,
} from '../../src/registry/profile.ts'

const KEY = 'a'.repeat(64)
const OTHER = 'b'.repeat(64)
function access(changes: Partial<Access> = {}): Access {
  return {
    asOf: 1000,
    tokensSince: 500,
    generations: [generationOf(KEY, 500), generationOf(OTHER, 500)],
    ...changes,
  }
}

describe('a generation', () => {
  it('belongs to one key and one end of all tokens, and reveals little of the key', () => {
    expect(generationOf(KEY, 500)).toBe(`${'a'.repeat(16)}-500`)
    const all = [generationOf(KEY, 500), generationOf(KEY, 501), generationOf(OTHER, 500)]
    expect(new Set(all).size).toBe(3)
  })
})

describe('a token is honoured', () => {
  const mine = { generation: generationOf(KEY, 500) }
  it.each<[boolean, string, Parameters<typeof isTokenHonoured>[0], Access]>([
    [true, 'whose generation lives', mine, access()],
    [false, 'whose key was revoked', mine, access({ generations: [generationOf(OTHER, 500)] })],
    [
      false,
      'of before all tokens were ended',
      mine,
      access({ tokensSince: 501, generations: [generationOf(KEY, 501)] }),
    ],
    [false, 'of a disabled point of sale', mine, access({ generations: [] })],
  ])('%s: one %s', (honoured, _, token, has) => {
    expect(isTokenHonoured(token, has)).toBe(honoured)
  })
})

describe('of the profile in a token and its copy', () => {
  it.each<[string, string, Access, Access]>([
    ['copy', 'the copy is newer', access(), access({ asOf: 1001 })],
    ['copy', 'both are of one time', access(), access()],
    ['token', 'the token is newer', access({ asOf: 1001 }), access()],
    [
      'copy',
      'tokens were ended since, whatever the clock says',
      access({ asOf: 1001 }),
      access({ tokensSince: 501 }),
    ],
    ['token', 'the token is of after an end', access({ tokensSince: 501, asOf: 1 }), access()],
  ])('the %s counts when %s', (counts, _, ofToken, ofCopy) => {
    const token = { access: ofToken }
    const copy = { access: ofCopy }
    expect(newestOf(token, copy)).toBe(counts === 'token' ? token : copy)
  })
})

describe('an API key that is sent instead of a token is honoured', () => {
  const known = { pos: 'pos1', asOf: 1000, tokensSince: 500 }
  it.each<[boolean, string, typeof known, Access]>([
    [true, 'whose generation is listed', known, access()],
    [
      true,
      'when all tokens were ended since',
      known,
      access({ tokensSince: 501, generations: [generationOf(KEY, 501)] }),
    ],
    [false, 'that was revoked', known, access({ tokensSince: 501, generations: [generationOf(OTHER, 501)] })],
    [false, 'that is not listed at the same time', known, access({ generations: [] })],
    [true, 'that is newer than the copy', { ...known, asOf: 1001 }, access({ generations: [] })],
  ])('%s: one %s', (honoured, _, key, has) => {
    expect(isKeyHonoured(KEY, key, has)).toBe(honoured)
  })
})

it.each<[number, string, Parameters<typeof signingVersionAt>[0]]>([
  [3, 'no time is set', { signingVersion: 3 }],
  [2, 'the one before signs still', { signingVersion: 3, formerSecretUntil: 1001 }],
  [3, 'its time is just over', { signingVersion: 3, formerSecretUntil: 1000 }],
  [1, 'there is none before', { signingVersion: 1, formerSecretUntil: 1001 }],
])('secret %i signs when %s', (version, _, profile) => {
  expect(signingVersionAt(profile, 1000)).toBe(version)
})
