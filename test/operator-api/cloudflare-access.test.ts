import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { operateAt } from '../support/hub/operator.ts'
import { INVALID, ROLES, codeOf, inSeconds, teamOfEachTest } from './ask-by-access.ts'

const access = teamOfEachTest()
const { ask } = access

describe('an operator whom Cloudflare Access lets in', () => {
  it('is known by email address, with the role of their group, until the token ends', async () => {
    const exp = inSeconds(600)
    const response = await ask(await access.team.token({ exp, custom: { groups: ['x', 'Payment Admins'] } }))
    expect(await response.json()).toEqual({
      name: 'ada@shop.nl',
      role: 'operator',
      via: 'access',
      until: new Date(exp * 1000).toISOString(),
    })
  })

  it.each([
    ['the highest of several groups', ['viewers', 'support-desk'], 'support'],
    ['a group given as an object, by its name', [{ id: '9', name: 'support-desk' }], 'support'],
    ['a group given as an object, by its id', [{ id: 'support-desk', name: 'x' }], 'support'],
    ['a single group without a list', 'support-desk', 'support'],
  ])('has the role of %s', async (_, groups, role) => {
    const response = await ask(await access.team.token({ custom: { groups } }))
    expect(await response.json()).toMatchObject({ role })
  })

  it('has the role of a group that the token names itself', async () => {
    const response = await ask(await access.team.token({ custom: {}, groups: ['support-desk'] }))
    expect(await response.json()).toMatchObject({ role: 'support' })
    expect(access.team.asked).toEqual(['/cdn-cgi/access/certs'])
  })

  it('has the role for everybody, or for their own address', async () => {
    const token = await access.team.token({ custom: { groups: [] } })
    expect(await (await ask(token, { roles: '*=viewer' })).json()).toMatchObject({ role: 'viewer' })
    expect(await (await ask(token, { roles: '*=viewer email:ada@shop.nl=operator' })).json()).toMatchObject({
      role: 'operator',
    })
  })

  it('is refused without a role, and the log says who it was', async () => {
    const warned = vi.spyOn(console, 'warn').mockReturnValue()
    const email = `${crypto.randomUUID()}@shop.nl`
    const token = await access.team.token({
      email,
      custom: { groups: ['others', 'viewer', '*', 'constructor'] },
    })
    expect(await codeOf(await ask(token))).toEqual([403, 'role-insufficient'])
    expect(warned).toHaveBeenCalledWith(
      expect.objectContaining({ event: 'operator.forbidden', by: email, role: 'none' }),
    )
    expect(JSON.stringify(warned.mock.calls)).not.toContain(token.slice(0, 40))
  })

  it('may be a service token, which is known by its id and has no group', async () => {
    const service = { email: undefined, custom: undefined, sub: '', common_name: 'robot.access' }
    const response = await ask(await access.team.token(service))
    expect(await response.json()).toMatchObject({ name: 'robot.access', role: 'support' })
    expect(access.team.asked).toEqual(['/cdn-cgi/access/certs'])
  })
})

describe('groups that are not in the token', () => {
  it('are those that the team names for the login, asked at most once a minute', async () => {
    access.team.identity = { user_uuid: 'ada', groups: [{ id: '1', name: 'support-desk', email: 'x' }] }
    const token = await access.team.token({ custom: undefined })
    for (const _ of [1, 2]) expect(await (await ask(token)).json()).toMatchObject({ role: 'support' })
    expect(access.team.asked).toEqual(['/cdn-cgi/access/certs', '/cdn-cgi/access/get-identity'])
  })

  it.each([
    ['from a login that has ended', 401],
    ['of another person', { user_uuid: 'eve', groups: ['Payment Admins'] }],
    ['that cannot be read', 404],
  ])('%s let nobody in', async (_, identity) => {
    access.team.identity = identity
    expect(await codeOf(await ask(await access.team.token({ custom: undefined })))).toEqual(INVALID)
  })

  it('cause a temporary refusal while the team does not answer', async () => {
    await ask(await access.team.token())
    access.team.fault = () => new Response(null, { status: 502 })
    expect(await codeOf(await ask(await access.team.token({ custom: undefined })))).toEqual([
      503,
      'unavailable',
    ])
  })
})

describe('keys of the team', () => {
  const MINUTE = 60_000
  const HOUR = 60 * MINUTE
  const START = Date.now()
  const down = () => new Response(null, { status: 502 })
  /** Sends a request this long (ms) after the start, with a token that is valid then. */
  const askAt = async (after: number, key = access.team.keys[0]) => {
    vi.setSystemTime(START + after)
    return (await ask(await access.team.token({}, { key }))).status
  }
  beforeEach(() => void vi.spyOn(console, 'error').mockReturnValue())

  it('are fetched once an hour', async () => {
    for (const after of [0, HOUR - 1000, HOUR]) expect(await askAt(after)).toBe(200)
    expect(access.team.asked.length).toBe(2)
  })

  it('are fetched again for a token with a new key, but at most once a minute', async () => {
    expect(await askAt(0)).toBe(200)
    access.team.keys = [await access.team.newKey('k2')]
    expect(await askAt(1000)).toBe(401)
    expect(access.team.asked.length).toBe(1)
    expect(await askAt(MINUTE)).toBe(200)
    expect(await askAt(MINUTE + 1000, await access.team.newKey('invented'))).toBe(401)
    expect(access.team.asked.length).toBe(2)
  })

  it('let nobody in within an hour after the team withdrew them', async () => {
    expect(await askAt(0)).toBe(200)
    const [old] = access.team.keys
    access.team.keys = [await access.team.newKey('k2')]
    expect(await askAt(HOUR, old)).toBe(401)
  })

  it('serve no longer than that hour even if the team does not answer: a withdrawn key ends by then', async () => {
    expect(await askAt(0)).toBe(200)
    access.team.fault = down
    expect(await askAt(HOUR - 1000)).toBe(200)
    expect(await askAt(HOUR)).toBe(503)
  })

  it.each([
    ['does not answer', down],
    ['answers without keys', () => Response.json({ error: 'no such team' })],
    ['answers 404', () => Response.json({ keys: [] }, { status: 404 })],
    ['redirects elsewhere', () => Response.redirect('https://evil.nl/', 302)],
  ])('cause a temporary refusal, not a final one, if the team %s', async (_, fault) => {
    access.team.fault = fault
    const response = await ask(await access.team.token())
    expect(response.headers.get('retry-after')).toBe('5')
    expect(await codeOf(response)).toEqual([503, 'unavailable'])
    access.team.fault = null
    expect((await ask(await access.team.token())).status).toBe(200)
  })
})

describe('Access that is not set up', () => {
  const withVars = async (vars: object) =>
    operateAt(vars, 'GET', '/me', undefined, { 'cf-access-jwt-assertion': await access.team.token() })

  it('is ignored', async () => {
    const off = { ACCESS_TEAM: '', ACCESS_AUD: '', ACCESS_ROLES: '*=operator' }
    expect(await codeOf(await withVars(off))).toEqual([401, 'credentials-missing'])
    expect(access.team.asked).toEqual([])
  })

  it.each([
    ['without an application', { ACCESS_AUD: '' }],
    ['without a team', { ACCESS_TEAM: '' }],
    ['with an address instead of a team', { ACCESS_TEAM: 'evil.nl/x' }],
    ['with an unknown role', { ACCESS_ROLES: 'group:viewers=admin' }],
  ])('%s lets nobody in, and says why', async (_, wrong) => {
    const failed = vi.spyOn(console, 'error').mockReturnValue()
    const response = await withVars({ ...access.team.vars(ROLES), ...wrong })
    expect(await codeOf(response)).toEqual([503, 'hub-misconfigured'])
    expect(failed).toHaveBeenCalledWith(expect.objectContaining({ event: 'access.misconfigured' }))
    expect(access.team.asked).toEqual([])
  })

  it('does not show strangers who has which role', async () => {
    const failed = vi.spyOn(console, 'error').mockReturnValue()
    const response = await withVars({
      ...access.team.vars(ROLES),
      ACCESS_ROLES: 'email:jan@shop.nl=admin group:Board=operator',
    })
    expect(await response.text()).not.toMatch(/jan@shop\.nl|Board/)
    const reason: unknown = expect.stringContaining('jan@shop.nl')
    expect(failed).toHaveBeenCalledWith(expect.objectContaining({ event: 'access.misconfigured', reason }))
  })

  it('leaves tokens working', async () => {
    const response = await ask('nonsense', { headers: { authorization: `Bearer ${env.OPERATOR_TOKEN}` } })
    expect(await response.json()).toMatchObject({ name: 'OPERATOR_TOKEN', via: 'secret' })
  })
})
