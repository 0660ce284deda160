import { expect, it } from 'vitest'
import { askedHub } from './asked-hub.ts'
import { runHub } from './run-hub.ts'

const { asked, answer, queries } = askedHub()

const PAGE = { sealingKey: 'k', resealed: ['a'], failed: [], accounts: 2, copies: 100, next: 'account:a' }
const LAST = { ...PAGE, resealed: ['b'], copies: 3, next: null }

it('keys rotate goes from page to page, and adds up what they say', async () => {
  answer(PAGE)
  answer(LAST)
  const { code, out } = await runHub(['keys', 'rotate', '--json'])
  expect(code).toBe(0)
  const all = { sealingKey: 'k', resealed: ['a', 'b'], failed: [], accounts: 2, copies: 103 }
  expect(JSON.parse(out[0] ?? '')).toEqual(all)
  expect(queries()).toEqual(['', '?after=account%3Aa'])
})

it('keys rotate ends with 1 when a page fails, and says that it can be run again', async () => {
  answer(PAGE)
  asked.mockImplementationOnce(async () => new Response('', { status: 503 }))
  const { code, out, err } = await runHub(['keys', 'rotate'])
  expect({ code, out }).toEqual({ code: 1, out: [] })
  expect(err.join('\n')).toContain('run it again')
})

it('keys rotate ends with 1 when an account of any page could not be opened', async () => {
  answer({ ...PAGE, resealed: [], failed: ['a'] })
  answer(LAST)
  const { code, out } = await runHub(['keys', 'rotate'])
  expect(code).toBe(1)
  expect(out.join('\n')).toContain('psp rekey): a')
})

it('keys status ends with 0 when all is under the first key', async () => {
  const done = { sealingKey: 'k', accounts: 2, copies: 3, oldAccounts: [], oldCopies: [], next: null }
  answer(done)
  const { code, out } = await runHub(['keys', 'status'])
  expect({ code, out }).toEqual({ code: 0, out: ['Everything is sealed under k: 2 accounts, 3 copies.'] })
})

it.each([
  [1, 1, 'Everything is sealed under k: 1 account, 1 copy.'],
  [0, 2, 'Everything is sealed under k: 0 accounts, 2 copies.'],
])('keys status counts %i and %i in good English', async (accounts, copies, says) => {
  const done = { sealingKey: 'k', accounts, copies, oldAccounts: [], oldCopies: [], next: null }
  answer(done)
  expect((await runHub(['keys', 'status'])).out).toEqual([says])
})

it('keys rotate and keys status count one account in good English', async () => {
  answer({ ...LAST, accounts: 1, copies: 1 })
  expect((await runHub(['keys', 'rotate'])).out[0]).toContain('1 of 1 account sealed anew, 1 copy written;')
  const old = {
    sealingKey: 'k',
    accounts: 1,
    copies: 1,
    oldAccounts: ['a'],
    oldCopies: ['pos:p'],
    next: null,
  }
  answer(old)
  expect((await runHub(['keys', 'status'])).out[0]).toContain('yet: 1 of 1 account, 1 of 1 copy.')
})

it.each(['oldAccounts', 'oldCopies'])('keys status ends with 1 when there are %s', async (list) => {
  const status = { sealingKey: 'k', accounts: 2, copies: 3, oldAccounts: [], oldCopies: [], next: null }
  answer({ ...status, [list]: ['a'] })
  expect((await runHub(['keys', 'status'])).code).toBe(1)
})
