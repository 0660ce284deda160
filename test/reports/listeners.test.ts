import { describe, expect, it } from 'vitest'
import type { Access } from '../../src/registry/profile.ts'
import { newListener, whyGone } from '../../src/reports/report-listener.ts'

const NOW = 1_800_000_000_000
const DAY = 86_400_000
function generation(number: number): string {
  return `${String(number).padStart(16, '0').split('').toReversed().join('')}-0`
}
function access(changes: Partial<Access> = {}): Access {
  return {
    asOf: 5,
    tokensSince: 0,
    generations: [generation(1), generation(2)],
    ...changes,
  }
}
const came = newListener('answers', access(), NOW)
function later(changes: Partial<Access>) {
  return whyGone(came, NOW, access({ asOf: 6, ...changes }), NOW)
}

describe('a listener stays', () => {
  it.each([
    ['as long as it is heard of each minute', whyGone(came, NOW + DAY - 60_000, access(), NOW + DAY)],
    ['for its first minute without a word', whyGone(came, null, access(), NOW + 60_000)],
    ['when a key is added', later({ generations: [1, 2, 3].map(generation) })],
    [
      'when a copy is shown that is older than itself',
      whyGone(came, NOW, access({ asOf: 4, generations: [] }), NOW),
    ],
  ])('%s', (_, gone) => {
    expect(gone).toBeNull()
  })
})

describe('a listener is closed', () => {
  it.each([
    ['after a minute without a word', whyGone(came, null, access(), NOW + 60_001), 1001],
    ['after a day', whyGone(came, NOW + DAY, access(), NOW + DAY + 1), 4401],
    ['after the end of its key', whyGone({ ...came, until: NOW }, NOW, access(), NOW + 1), 4401],
    ['when a key is revoked', later({ generations: [generation(2)] }), 4401],
    ['when the point of sale is disabled', later({ generations: [] }), 4401],
    ['when all tokens are ended', later({ tokensSince: 1 }), 4401],
  ])('%s', (_, gone, code) => {
    expect(gone?.code).toBe(code)
  })

  it('at any change if its point of sale has more keys than a socket can remember', () => {
    const many = access({ generations: Array.from({ length: 101 }, (_, at) => generation(at)) })
    const listener = newListener('answers', many, NOW)
    expect(whyGone(listener, NOW, many, NOW)).toBeNull()
    expect(whyGone(listener, NOW, { ...many, asOf: 6 }, NOW)?.code).toBe(4401)
  })
})

it('the attachment of a socket fits, however many keys there are', () => {
  for (const length of [0, 100, 101, 5000]) {
    const generations = Array.from({ length }, (_, at) => generation(at))
    const listener = newListener('answers', access({ generations }), NOW)
    expect(JSON.stringify(listener).length).toBeLessThan(2000)
  }
})
