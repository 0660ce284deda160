import { expect, it } from 'vitest'
import { signingVersionAt } from '../../src/registry/profile.ts'

it.each<[number, string, Parameters<typeof signingVersionAt>[0]]>([
  [3, 'no time is set', { signingVersion: 3 }],
  [2, 'the one before signs still', { signingVersion: 3, formerSecretUntil: 1001 }],
  [3, 'its time is just over', { signingVersion: 3, formerSecretUntil: 1000 }],
  [1, 'there is none before', { signingVersion: 1, formerSecretUntil: 1001 }],
])('secret %i signs when %s', (version, _, profile) => {
  expect(signingVersionAt(profile, 1000)).toBe(version)
})
