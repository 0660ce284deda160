import { expect, it } from 'vitest'
import { wholeNumber } from '../../src/programs/usage-error.ts'

it.each(['', ' 5', '0', '6', '2.5', '1e0', '0x2', '-1', '9'.repeat(400)])(
  '%j is no whole number from 1 to 5',
  (given) => {
    expect(() => wholeNumber(1, 5)(given, '--n')).toThrow('--n must be a whole number from 1 to 5')
  },
)

it('a whole number is read', () => {
  expect(wholeNumber(1, 5)('5', '--n')).toBe(5)
})
