import { env } from 'cloudflare:workers'
import { CompactSign, SignJWT, UnsecuredJWT, exportSPKI } from 'jose'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { accessTeam } from '../support/access-team.ts'
import { ORIGIN } from '../support/hub.ts'
import { nextAddress } from '../support/operator.ts'
import { callWorker } from '../security/call-worker.ts'

/** Keys are remembered by team: each test has one of its own. */
let team: Awaited<ReturnType<typeof accessTeam>>
beforeEach(async () => {
  team = await accessTeam(`team-${crypto.randomUUID()}`)
})
afterEach(() => vi.restoreAllMocks())

const ROLES = 'Payment Admins=operator support-desk=support viewers=viewer robot.access=support'

/** Asks a hub that lets the team in. */
const ask = (
  assertion: string,
  {
    roles = ROLES,
    path = '/operator/v1/me',
    headers = {},
    ...init
  }: Omit<RequestInit, 'headers'> & {
    roles?: string
    path?: string
    headers?: Record<string, string>
  } = {},
) =>
  callWorker(
    new Request(ORIGIN + path, {
      ...init,
      headers: { 'cf-access-jwt-assertion': assertion, 'cf-connecting-ip': nextAddress(), ...headers },
    }),
    { ...env, ...team.vars(roles) },
  )

const codeOf = async (response: Response) => [response.status, (await response.json<{ code: string }>()).code]
const INVALID = [401, 'access-invalid']
const inSeconds = (seconds: number) => Math.floor(Date.now() / 1000) + seconds

describe('somebody whom Cloudflare Access lets in', () => {
  it('is known by their email address, with the role of their group, until their token ends', async () => {
    const exp = inSeconds(600)
    const response = await ask(await team.token({ exp, custom: { groups: ['x', 'Payment Admins'] } }))
    expect(await response.json()).toEqual({
      name: 'ada@shop.nl',
      role: 'operator',
      via: 'access',
      until: new Date(exp * 1000).toISOString(),
    })
  })

  it.each([
    ['the highest of several groups', ['viewers', 'support-desk'], 'support'],
    ['a group told as an object, by its name', [{ id: '9', name: 'support-desk' }], 'support'],
    ['a group told as an object, by its id', [{ id: 'support-desk', name: 'x' }], 'support'],
    ['one group that is no list', 'support-desk', 'support'],
  ])('has the role of %s', async (_, groups, role) => {
    const response = await ask(await team.token({ custom: { groups } }))
    expect(await response.json()).toMatchObject({ role })
  })

  it('has the role of a group that the token names itself', async () => {
    const response = await ask(await team.token({ custom: {}, groups: ['support-desk'] }))
    expect(await response.json()).toMatchObject({ role: 'support' })
    expect(team.asked).toEqual(['/cdn-cgi/access/certs'])
  })

  it('has the role that is for everybody, or for their address alone', async () => {
    const token = await team.token({ custom: { groups: [] } })
    expect(await (await ask(token, { roles: '*=viewer' })).json()).toMatchObject({ role: 'viewer' })
    expect(await (await ask(token, { roles: '*=viewer ada@shop.nl=operator' })).json()).toMatchObject({
      role: 'operator',
    })
  })

  it('is refused without a role, and the log has who', async () => {
    const warned = vi.spyOn(console, 'warn').mockReturnValue()
    const email = `${crypto.randomUUID()}@shop.nl`
    const token = await team.token({ email, custom: { groups: ['others', 'viewer', '*', 'constructor'] } })
    expect(await codeOf(await ask(token))).toEqual([403, 'role-insufficient'])
    expect(warned).toHaveBeenCalledWith(
      expect.objectContaining({ event: 'operator.forbidden', by: email, role: 'none' }),
    )
    expect(JSON.stringify(warned.mock.calls)).not.toContain(token.slice(0, 40))
  })

  it('is a service token too, known by its id, and in no group', async () => {
    const service = { email: undefined, custom: undefined, sub: '', common_name: 'robot.access' }
    const response = await ask(await team.token(service))
    expect(await response.json()).toMatchObject({ name: 'robot.access', role: 'support' })
    expect(team.asked).toEqual(['/cdn-cgi/access/certs'])
  })
})

describe('groups that are not in the token', () => {
  it('are those that the team tells of the login, asked for once a minute', async () => {
    team.identity = { user_uuid: 'ada', groups: [{ id: '1', name: 'support-desk', email: 'x' }] }
    const token = await team.token({ custom: undefined })
    for (const _ of [1, 2]) expect(await (await ask(token)).json()).toMatchObject({ role: 'support' })
    expect(team.asked).toEqual(['/cdn-cgi/access/certs', '/cdn-cgi/access/get-identity'])
  })

  it.each([
    ['of a login that has ended', 401],
    ['of somebody else', { user_uuid: 'eve', groups: ['Payment Admins'] }],
    ['that cannot be read', 404],
  ])('%s let nobody in', async (_, identity) => {
    team.identity = identity
    expect(await codeOf(await ask(await team.token({ custom: undefined })))).toEqual(INVALID)
  })

  it('are waited for when the team does not answer', async () => {
    await ask(await team.token())
    team.fault = () => new Response(null, { status: 502 })
    expect(await codeOf(await ask(await team.token({ custom: undefined })))).toEqual([503, 'unavailable'])
  })
})

describe('a token is refused', () => {
  it('that another key of the same id has signed', async () => {
    await ask(await team.token())
    const key = await team.newKey('k1')
    expect(await codeOf(await ask(await team.token({}, { key })))).toEqual(INVALID)
  })

  it.each([
    ['that is expired', () => ({ exp: inSeconds(-1) })],
    ['that is not valid yet', () => ({ nbf: inSeconds(60) })],
    ['that never ends', () => ({ exp: undefined })],
    ['whose end is a text', () => ({ exp: '9999999999' })],
    ['for another application', () => ({ aud: ['aud-of-another'] })],
    ['for no application', () => ({ aud: undefined })],
    ['of another issuer', () => ({ iss: 'https://evil.cloudflareaccess.com' })],
    [
      'of an issuer that begins the same',
      () => ({ iss: `https://${team.team}.cloudflareaccess.com.evil.nl` }),
    ],
    ['of a whole login', () => ({ type: 'org' })],
    ['of nobody', () => ({ email: undefined })],
  ])('%s', async (_, claims) => {
    const right = await ask(await team.token())
    expect(right.status).toBe(200)
    expect(await codeOf(await ask(await team.token(claims())))).toEqual(INVALID)
  })

  it('that is not signed at all', async () => {
    const token = new UnsecuredJWT({ email: 'ada@shop.nl', aud: team.aud }).encode()
    expect(await codeOf(await ask(token))).toEqual(INVALID)
    expect(await codeOf(await ask(`${token}AAAA`))).toEqual(INVALID)
  })

  it('that is signed with HS256, keyed by the public key', async () => {
    const [key] = team.keys
    if (!key) throw new Error('the team has a key')
    const secret = new TextEncoder().encode(await exportSPKI(key.publicKey))
    const forged = await new SignJWT({ email: 'ada@shop.nl', aud: team.aud, exp: inSeconds(600) })
      .setProtectedHeader({ alg: 'HS256', kid: 'k1' })
      .setIssuer(`https://${team.team}.cloudflareaccess.com`)
      .sign(secret)
    expect(await codeOf(await ask(forged))).toEqual(INVALID)
  })

  it('that says HS256 or none over a signature of the right key', async () => {
    const [, body = '', signature = ''] = (await team.token()).split('.')
    for (const alg of ['none', 'HS256', 'RS512', 'rs256']) {
      const head = btoa(JSON.stringify({ alg, kid: 'k1' })).replaceAll('=', '')
      expect(await codeOf(await ask(`${head}.${body}.${signature}`))).toEqual(INVALID)
    }
  })

  it('that was changed after it was signed', async () => {
    const [head, , signature] = (await team.token()).split('.')
    const [, body] = (await team.token({ custom: { groups: ['Payment Admins'] } })).split('.')
    expect(await codeOf(await ask([head, body, signature].join('.')))).toEqual(INVALID)
  })

  it('that names no key, or wants more to be understood', async () => {
    expect(await codeOf(await ask(await team.token({}, { header: { kid: undefined } })))).toEqual(INVALID)
    const [key] = team.keys
    if (!key) throw new Error('the team has a key')
    const critical = await new CompactSign(new TextEncoder().encode('{}'))
      .setProtectedHeader({ alg: 'RS256', kid: 'k1', crit: ['exp'], exp: 1 })
      .sign(key.privateKey, { crit: { exp: true } })
    expect(await codeOf(await ask(critical))).toEqual(INVALID)
  })

  it.each([
    ['without parts', 'x'],
    ['of dots', '..'],
    ['that is empty', ' '],
    ['of 20,000 characters', `${'A'.repeat(20_000)}.A.A`],
    ['whose parts are no base64', 'A.B.C'],
    ['whose parts are no objects', 'W10.W10.W10'],
  ])('%s', async (_, token) => {
    expect(await codeOf(await ask(token))).toEqual(INVALID)
    expect(team.asked).toEqual([])
  })

  it('that comes twice, so that nobody can know which counts', async () => {
    const token = await team.token()
    const headers = new Headers([
      ['cf-access-jwt-assertion', token],
      ['cf-access-jwt-assertion', token],
    ])
    expect(await codeOf(await ask(headers.get('cf-access-jwt-assertion') ?? ''))).toEqual(INVALID)
  })

  it('that is only in the cookie of Access', async () => {
    const request = new Request(`${ORIGIN}/operator/v1/me`, {
      headers: { cookie: `CF_Authorization=${await team.token()}`, 'cf-connecting-ip': nextAddress() },
    })
    const response = await callWorker(request, { ...env, ...team.vars(ROLES) })
    expect(await codeOf(response)).toEqual([401, 'credentials-missing'])
  })

  it('is counted by its address and logged, with why but no part of it', async () => {
    const warned = vi.spyOn(console, 'warn').mockReturnValue()
    const counted = vi.spyOn(env.OPERATOR_PER_ADDRESS, 'limit')
    const token = await team.token({ exp: inSeconds(-1) })
    const response = await ask(token, { headers: { 'cf-connecting-ip': '192.0.2.61' } })
    expect(await response.json()).toMatchObject({ detail: 'The token of Cloudflare Access is expired.' })
    expect(counted).toHaveBeenCalledWith({ key: '192.0.2.61' })
    expect(warned).toHaveBeenCalledWith(
      expect.objectContaining({
        event: 'operator.refused',
        address: '192.0.2.61',
        code: 'access-invalid',
        why: 'The token of Cloudflare Access is expired.',
      }),
    )
    expect(JSON.stringify(warned.mock.calls)).not.toContain(token.slice(0, 40))
  })
})

describe('Access that is not set up', () => {
  const withVars = async (vars: object) =>
    callWorker(
      new Request(`${ORIGIN}/operator/v1/me`, {
        headers: { 'cf-access-jwt-assertion': await team.token(), 'cf-connecting-ip': nextAddress() },
      }),
      { ...env, ...vars },
    )

  it('counts for nothing', async () => {
    const off = { ACCESS_TEAM: '', ACCESS_AUD: '', ACCESS_ROLES: '*=operator' }
    expect(await codeOf(await withVars(off))).toEqual([401, 'credentials-missing'])
    expect(team.asked).toEqual([])
  })

  it.each([
    ['without an application', { ACCESS_AUD: '' }],
    ['without a team', { ACCESS_TEAM: '' }],
    ['with an address in place of the team', { ACCESS_TEAM: 'evil.nl/x' }],
    ['with a role that there is not', { ACCESS_ROLES: 'viewers=admin' }],
  ])('%s lets nobody in, and says why', async (_, wrong) => {
    const failed = vi.spyOn(console, 'error').mockReturnValue()
    const response = await withVars({ ...team.vars(ROLES), ...wrong })
    expect(await codeOf(response)).toEqual([503, 'hub-misconfigured'])
    expect(failed).toHaveBeenCalledWith(expect.objectContaining({ event: 'access.misconfigured' }))
    expect(team.asked).toEqual([])
  })

  it('tells strangers nothing of who has which role', async () => {
    const failed = vi.spyOn(console, 'error').mockReturnValue()
    const response = await withVars({ ...team.vars(ROLES), ACCESS_ROLES: 'jan@shop.nl=admin Board=operator' })
    expect(await response.text()).not.toMatch(/jan@shop\.nl|Board/)
    const reason: unknown = expect.stringContaining('jan@shop.nl')
    expect(failed).toHaveBeenCalledWith(expect.objectContaining({ event: 'access.misconfigured', reason }))
  })

  it('does not stand in the way of a token', async () => {
    const response = await ask('nonsense', { headers: { authorization: `Bearer ${env.OPERATOR_TOKEN}` } })
    expect(await response.json()).toMatchObject({ name: 'OPERATOR_TOKEN', via: 'secret' })
  })
})
