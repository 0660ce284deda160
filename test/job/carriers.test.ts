import { expect, it } from 'vitest'
import { weatherMethodOf } from '../../src/job/carriers.ts'

it('the weather knows payment methods by the names that their PSP has, and all others by one', () => {
  expect(weatherMethodOf('mollie', 'iDEAL')).toBe('ideal')
  expect(weatherMethodOf('mollie', 'whatever a shop may send')).toBe('*')
  expect(weatherMethodOf('no PSP', 'ideal')).toBe('*')
})
