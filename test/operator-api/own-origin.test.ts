import { env } from 'cloudflare:workers'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { accessTeam } from '../support/hub/access-team.ts'
import { ORIGIN } from '../support/hub/hub.ts'
import { makeOperatorToken, operate, operateAt } from '../support/hub/operator.ts'

type Headers = Record<string, string>

let session: string
let team: Awaited<ReturnType<typeof accessTeam>>
beforeAll(async () => {
  // The session has its own operator, because the hub counts sessions by operator, those of other tests
  // included.
  const { token } = await makeOperatorToken('operator')
  const begun = await operate('POST', '/sessions', undefined, token)
  session = (await begun.json<{ session: string }>()).session
})
beforeEach(async () => {
  team = await accessTeam(`origin-${crypto.randomUUID()}`)
})

function ask(method: string, path: string, headers: Headers) {
  const body = method === 'POST' ? { name: `Test ${crypto.randomUUID()}`, role: 'viewer' } : undefined
  return operateAt(team.vars('*=operator'), method, path, body, headers)
}

function bySession(): Headers {
  return { cookie: `a=b; __Host-hub-session=${session}` }
}

/** Credentials that browsers add unasked. */
const AMBIENT: readonly [string, () => Headers | Promise<Headers>][] = [
  ['a session', bySession],
  ['Cloudflare Access', async () => ({ 'cf-access-jwt-assertion': await team.token() })],
  [
    'a service token of Cloudflare Access',
    async () => ({
      'cf-access-jwt-assertion': await team.token({ email: undefined, common_name: 'robot.access' }),
    }),
  ],
]

it.each([
  ['from a page of the hub', { 'sec-fetch-site': 'same-origin', origin: ORIGIN }, 201],
  ['from a page of the hub, in an older browser', { origin: ORIGIN }, 201],
  ['from another site', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.nl' }, 403],
  [
    'from another site that names the hub as its origin',
    { 'sec-fetch-site': 'cross-site', origin: ORIGIN },
    403,
  ],
  ['from another host of the same domain', { 'sec-fetch-site': 'same-site' }, 403],
  ['that a person typed into the address bar', { 'sec-fetch-site': 'none' }, 403],
  ['with an unknown Sec-Fetch-Site', { 'sec-fetch-site': 'same-origin, cross-site' }, 403],
  ['with an empty Sec-Fetch-Site', { 'sec-fetch-site': '', origin: ORIGIN }, 403],
  ['from another site, in an older browser', { origin: 'https://evil.nl' }, 403],
  ['from another port', { origin: `${ORIGIN}:8443` }, 403],
  ['from plain http', { origin: ORIGIN.replace('https', 'http') }, 403],
  ['from a host that begins the same', { origin: `${ORIGIN}.evil.nl` }, 403],
  ['from a page without an origin', { origin: 'null' }, 403],
  ['without any sign of its origin', {}, 403],
  ['with only a referrer', { referer: `${ORIGIN}/console` }, 403],
])('a change by a session %s gets the right answer', async (_, headers, status) => {
  const response = await ask('POST', '/tokens', { ...bySession(), ...headers })
  expect(response.status).toBe(status)
  if (status === 403)
    expect(await response.json()).toMatchObject({
      code: 'origin-refused',
      detail: expect.stringContaining('send its own Origin, or a Bearer token'),
    })
})

describe.each(AMBIENT)('a change by %s', (_who, credentials) => {
  it('is made from a page of the hub, and refused from another site', async () => {
    const from = async (headers: Headers) =>
      (await ask('POST', '/tokens', { ...(await credentials()), ...headers })).status
    expect(await from({ origin: ORIGIN })).toBe(201)
    expect(await from({ origin: 'https://evil.nl' })).toBe(403)
  })

  it('is the only request that is refused from elsewhere: a read changes nothing', async () => {
    const elsewhere = { 'sec-fetch-site': 'cross-site' }
    for (const method of ['GET', 'HEAD']) {
      const response = await ask(method, '/tokens', { ...(await credentials()), ...elsewhere })
      expect(response.status).toBe(200)
    }
  })

  it('is logged and does nothing if it comes from elsewhere', async () => {
    const warned = vi.spyOn(console, 'warn').mockReturnValue()
    const before = await (await operate('GET', '/tokens')).text()
    await ask('POST', '/tokens', { ...(await credentials()), 'sec-fetch-site': 'cross-site' })
    expect(await (await operate('GET', '/tokens')).text()).toBe(before)
    expect(warned).toHaveBeenCalledWith(
      expect.objectContaining({ event: 'operator.refused', code: 'origin-refused' }),
    )
    warned.mockRestore()
  })
})

it('a change by a Bearer token may come from anywhere, because no browser adds one unasked', async () => {
  const { token } = await makeOperatorToken('operator')
  for (const headers of [{}, { origin: 'https://evil.nl', 'sec-fetch-site': 'cross-site' }]) {
    const response = await ask('POST', '/tokens', { authorization: `Bearer ${token}`, ...headers })
    expect(response.status).toBe(201)
  }
})

it('if a change carries a Bearer token and a session, the token counts', async () => {
  const cookie = `__Host-hub-session=${session}`
  const { token } = await makeOperatorToken('viewer')
  const byViewer = await ask('POST', '/tokens', { authorization: `Bearer ${token}`, cookie, origin: ORIGIN })
  expect(await byViewer.json()).toMatchObject({ code: 'role-insufficient' })
  const bySecret = await ask('POST', '/tokens', { authorization: `Bearer ${env.OPERATOR_TOKEN}`, cookie })
  expect(bySecret.status).toBe(201)
})
