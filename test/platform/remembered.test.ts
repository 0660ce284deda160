import { expect, it } from 'vitest'
import { remembered } from '../../src/platform/remembered.ts'

it('answers a text by the function once, also with nothing, and then from memory', () => {
  const asked: string[] = []
  const vowelIn = remembered((text): string | undefined => {
    asked.push(text)
    return /[aeiou]/.exec(text)?.[0]
  })
  expect([vowelIn('nl'), vowelIn('de'), vowelIn('nl'), vowelIn('de')]).toEqual([
    undefined,
    'e',
    undefined,
    'e',
  ])
  expect(asked).toEqual(['nl', 'de'])
})

it('remembers a thousand texts, and then begins anew', () => {
  const asked: string[] = []
  const lengthOf = remembered((text) => {
    asked.push(text)
    return text.length
  })
  const texts = Array.from({ length: 1000 }, (_, i) => `text ${i}`)
  for (const text of [...texts, ...texts]) lengthOf(text)
  expect(asked).toEqual(texts)
  expect(lengthOf('one more')).toBe(8)
  expect(lengthOf('text 0')).toBe(6)
  expect(asked).toEqual([...texts, 'one more', 'text 0'])
})
