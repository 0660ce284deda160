import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { WEATHER } from './hub-double.ts'
import { runHub } from './run-hub.ts'

const asked = vi.fn<typeof fetch>()
beforeEach(() => {
  asked.mockReset()
  vi.stubGlobal('fetch', asked)
  vi.stubEnv('HUB_URL', 'https://hub.example.com')
  vi.stubEnv('OPERATOR_TOKEN', 'token')
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.unstubAllEnvs()
})

it.each([
  ['silent', 1],
  ['slow', 1],
  ['unknown', 0],
  ['well', 0],
])('hub weather of an account that is %s ends with %i', async (state, code) => {
  const accounts = WEATHER.accounts.map((account) => Object.assign({}, account, { state }))
  asked.mockImplementationOnce(async () => Response.json({ ...WEATHER, accounts }))
  const ran = await runHub(['weather', '--utc'])
  expect(ran.code).toBe(code)
  expect(String(ran.out)).toMatch(new RegExp(`${state} +a +mollie +ideal +8 +2 +75.00 % +120 ms +480 ms`))
})
