import { expect, it } from 'vitest'
import { askedHub } from './asked-hub.ts'
import { WEATHER } from './sample-answers.ts'
import { runHub } from './run-hub.ts'

const { answer } = askedHub()

it.each([
  ['silent', 1],
  ['slow', 1],
  ['unknown', 0],
  ['well', 0],
])('hub weather of an account that is %s ends with %i', async (state, code) => {
  const accounts = WEATHER.accounts.map((account) => Object.assign({}, account, { state }))
  answer({ ...WEATHER, accounts })
  const ran = await runHub(['weather', '--utc'])
  expect(ran.code).toBe(code)
  expect(String(ran.out)).toMatch(new RegExp(`${state} +a +mollie +ideal +8 +2 +75.00 % +120 ms +480 ms`))
})
