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
  expect(out.join('\n')).toMatch(/^failed +a$/m)
})

const STATUS = { sealingKey: 'k', accounts: 2, copies: 3, oldAccounts: [], oldCopies: [], next: null }

it('keys status ends with 0 when all is under the first key', async () => {
  answer(STATUS)
  const { code, out } = await runHub(['keys', 'status'])
  expect([code, out.join('\n')]).toEqual([
    0,
    expect.stringMatching(/^old accounts +none\nold copies +none$/m),
  ])
})

it.each(['oldAccounts', 'oldCopies'])(
  'keys status reads all pages, and ends with 1 when there are %s',
  async (list) => {
    answer({ ...STATUS, next: 'x' }, { ...STATUS, [list]: ['a'] })
    const { code, out } = await runHub(['keys', 'status'])
    expect([code, out.join('\n')]).toEqual([1, expect.stringMatching(/^accounts +2\ncopies +6$[^]* a$/m)])
  },
)
