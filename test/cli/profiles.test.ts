import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { askedHub } from './asked-hub.ts'
import { runHub } from './run-hub.ts'
import { ME } from './sample-answers.ts'

const { asked, answer } = askedHub()
let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hub-profiles-'))
  vi.stubEnv('XDG_CONFIG_HOME', folder)
  for (const name of ['HUB_URL', 'OPERATOR_TOKEN']) vi.stubEnv(name, undefined)
})
afterEach(() => rmSync(folder, { recursive: true }))

async function logIn(name: string, url: string, token: string) {
  const input = vi.spyOn(process, 'stdin', 'get').mockReturnValue(Readable.from([`${token}\n`]) as never)
  try {
    return await runHub(['login', name, '--url', url])
  } finally {
    input.mockRestore()
  }
}

it('login keeps a hub that knows the token, and HUB_PROFILE chooses it', async () => {
  answer(ME, ME, ME)
  expect(await logIn('live', 'https://pay.example.com', 'one')).toMatchObject({ code: 0, err: [] })
  expect((await logIn('staging', 'https://staging.example.com', 'two')).code).toBe(0)
  const { mode } = statSync(join(folder, 'payment-hub', 'profiles.json'))
  expect((mode & 0o777).toString(8)).toBe('600')

  vi.stubEnv('HUB_PROFILE', 'live')
  expect((await runHub(['whoami'])).code).toBe(0)
  const [url, init] = asked.mock.calls.at(-1) ?? []
  expect([(url as URL).host, init?.headers]).toMatchObject([
    'pay.example.com',
    { authorization: 'Bearer one' },
  ])

  expect((await runHub(['profiles'])).out.slice(2)).toEqual([
    'live (chosen)  https://pay.example.com',
    'staging        https://staging.example.com',
  ])
  expect((await runHub(['logout', 'live'])).code).toBe(0)
  expect((await runHub(['whoami'])).err.join()).toContain('There is no profile "live".')
})

it('login keeps no token that the hub refuses', async () => {
  asked.mockImplementation(async () => Response.json({ detail: 'no' }, { status: 401 }))
  expect(await logIn('live', 'https://pay.example.com', 'wrong')).toMatchObject({ code: 1 })
  expect((await runHub(['profiles', '--json'])).out).toEqual(['[]'])
})

it('the token of a profile goes nowhere else', async () => {
  answer(ME)
  await logIn('live', 'https://pay.example.com', 'one')
  vi.stubEnv('HUB_PROFILE', 'live')
  vi.stubEnv('HUB_URL', 'https://elsewhere.example.com')
  asked.mockClear()
  expect((await runHub(['whoami'])).code).toBe(2)
  expect(asked).not.toHaveBeenCalled()
})
