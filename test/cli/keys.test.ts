import { afterEach, beforeEach, expect, it, vi } from 'vitest'
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

const PAGE = { sealingKey: 'k', resealed: ['a'], failed: [], accounts: 2, copies: 100, next: 'account:a' }
const LAST = { ...PAGE, resealed: ['b'], copies: 3, next: null }

it('keys rotate goes from page to page, and adds up what they say', async () => {
  asked.mockImplementationOnce(async () => Response.json(PAGE))
  asked.mockImplementationOnce(async () => Response.json(LAST))
  const { code, out } = await runHub(['keys', 'rotate', '--json'])
  expect(code).toBe(0)
  const all = { sealingKey: 'k', resealed: ['a', 'b'], failed: [], accounts: 2, copies: 103 }
  expect(JSON.parse(out[0] ?? '')).toEqual(all)
  expect(asked.mock.calls.map(([url]) => (url as URL).search)).toEqual(['', '?after=account%3Aa'])
})

it('keys rotate ends with 1 when a page fails, and says that it can be run again', async () => {
  asked.mockImplementationOnce(async () => Response.json(PAGE))
  asked.mockImplementationOnce(async () => new Response('', { status: 503 }))
  const { code, out, err } = await runHub(['keys', 'rotate'])
  expect({ code, out }).toEqual({ code: 1, out: [] })
  expect(err.join('\n')).toContain('run it again')
})

it('keys rotate ends with 1 when an account of any page could not be opened', async () => {
  asked.mockImplementationOnce(async () => Response.json({ ...PAGE, resealed: [], failed: ['a'] }))
  asked.mockImplementationOnce(async () => Response.json(LAST))
  const { code, out } = await runHub(['keys', 'rotate'])
  expect(code).toBe(1)
  expect(out.join('\n')).toContain('psp rekey): a')
})

it('keys status ends with 0 when all is under the first key', async () => {
  const done = { sealingKey: 'k', accounts: 2, copies: 3, oldAccounts: [], oldCopies: [], next: null }
  asked.mockImplementationOnce(async () => Response.json(done))
  const { code, out } = await runHub(['keys', 'status'])
  expect({ code, out }).toEqual({ code: 0, out: ['All 2 accounts and 3 copies are sealed under k.'] })
})

it.each(['oldAccounts', 'oldCopies'])('keys status ends with 1 when there are %s', async (list) => {
  const status = { sealingKey: 'k', accounts: 2, copies: 3, oldAccounts: [], oldCopies: [], next: null }
  asked.mockImplementationOnce(async () => Response.json({ ...status, [list]: ['a'] }))
  expect((await runHub(['keys', 'status'])).code).toBe(1)
})
