import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { askedHub } from './asked-hub.ts'
import { runHub } from './run-hub.ts'

const { asked, answer } = askedHub()
const isTTY = process.stdin.isTTY
beforeEach(() => {
  process.stdin.isTTY = false
})
afterEach(() => {
  process.stdin.isTTY = isTTY
})

const AT = '2026-01-31T10:00:00.000Z'
const DESK = {
  id: 'd1',
  name: 'Desk',
  role: 'support',
  created: AT,
  createdBy: 'Ada',
  revoked: null,
  expires: null,
  used: null,
}
const OLD = { ...DESK, id: 'd0', revoked: AT }
function calls() {
  return asked.mock.calls.map(
    ([url, init]) => `${init?.method ?? ''} ${(url as URL).pathname.replace('/operator/v1', '')}`,
  )
}

describe('token create', () => {
  it('shows the token once', async () => {
    answer({ ...DESK, token: 'hub_op_x' })
    const { code, out } = await runHub(['token', 'create', '--name', 'Desk', '--role', 'support'])
    expect(code).toBe(0)
    expect(out.join('\n')).toMatch(/^token +hub_op_x$/m)
    expect(asked.mock.calls[0]?.[1]?.body).toBe('{"name":"Desk","role":"support"}')
  })

  it('says what to do about a token that the operator has not seen', async () => {
    asked.mockRejectedValue(new TypeError('fetch failed'))
    const { code, err } = await runHub(['token', 'create', '--name', 'Desk', '--role', 'support'])
    expect(code).toBe(1)
    expect(err.join('\n')).toContain('token revoke "Desk"')
  })
})

it('token list shows them, and says when there are none', async () => {
  answer({ tokens: [OLD, DESK] }, { tokens: [] })
  const { out } = await runHub(['token', 'list'])
  expect(out.length).toBe(4)
  expect(out.at(-1)).toMatch(/^d1 +Desk +support/)
  expect((await runHub(['token', 'list'])).out.join()).toContain('There are no tokens')
})

describe('token revoke', () => {
  it.each(['d1', 'Desk'])('finds %s, and of a name the one that lives', async (named) => {
    answer({ tokens: [OLD, DESK] }, { ...DESK, revoked: AT })
    const { code, out } = await runHub(['token', 'revoke', named, '--utc'])
    expect(code).toBe(0)
    expect(out.join('\n')).toMatch(/^name +Desk$[^]*^revoked +2026-01-31 10:00:00Z$/m)
    expect(calls()).toEqual(['GET /tokens', 'POST /tokens/d1/revoke'])
  })

  it('says when there is none', async () => {
    answer({ tokens: [OLD] })
    const { code, err } = await runHub(['token', 'revoke', 'Desk'])
    expect({ code, err }).toEqual({
      code: 2,
      err: [expect.stringContaining('There is no operator token "Desk".')],
    })
    expect(calls()).toEqual(['GET /tokens'])
  })
})

it('whoami shows the name, the role and until when', async () => {
  answer({ name: 'ada@shop.nl', role: 'viewer', via: 'access', until: AT })
  expect((await runHub(['whoami', '--utc'])).out).toEqual([
    'name   ada@shop.nl',
    'role   viewer',
    'via    access',
    'until  2026-01-31 10:00:00Z',
  ])
})

describe('a hub behind Cloudflare Access', () => {
  const ID = { 'cf-access-client-id': 'robot.access', 'cf-access-client-secret': 's' }

  it('gets the service token with the operator token', async () => {
    vi.stubEnv('CF_ACCESS_CLIENT_ID', 'robot.access')
    vi.stubEnv('CF_ACCESS_CLIENT_SECRET', 's')
    answer({ tokens: [] })
    await runHub(['token', 'list'])
    expect(asked.mock.calls[0]?.[1]?.headers).toEqual({ authorization: 'Bearer token', ...ID })
  })

  it('is not asked with half a service token', async () => {
    vi.stubEnv('CF_ACCESS_CLIENT_ID', 'robot.access')
    const { code, err } = await runHub(['token', 'list'])
    expect(code).toBe(2)
    expect(err.join()).toContain('CF_ACCESS_CLIENT_SECRET go together')
    expect(asked).not.toHaveBeenCalled()
  })

  it.each([
    ['https://shop.cloudflareaccess.com/cdn-cgi/access/login/x', 'Set CF_ACCESS_CLIENT_ID and'],
    ['https://cloudflareaccess.com.evil.nl/', 'redirects to https://cloudflareaccess.com.evil.nl.'],
    ['/elsewhere', "redirects to https://hub.example.com. Set HUB_URL to the hub's own address."],
  ])('that leads to %s is told as such, and nothing is sent there', async (location, told) => {
    asked.mockImplementation(async () => new Response('<html>', { status: 302, headers: { location } }))
    const { code, err } = await runHub(['token', 'list'])
    expect(code).toBe(1)
    expect(err.join()).toContain(told)
    expect(asked.mock.calls.map(([, init]) => init?.redirect)).toEqual(['manual'])
  })
})
