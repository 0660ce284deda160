import { env } from 'cloudflare:workers'
import { CompactSign, SignJWT, UnsecuredJWT, exportSPKI } from 'jose'
import { describe, expect, it, vi } from 'vitest'
import { operateAt } from '../support/hub/operator.ts'
import { INVALID, ROLES, codeOf, inSeconds, teamOfEachTest } from './ask-by-access.ts'

const access = teamOfEachTest()
const { ask } = access

describe('a token is refused', () => {
  it('that another key with the same id signed', async () => {
    await ask(await access.team.token())
    const key = await access.team.newKey('k1')
    expect(await codeOf(await ask(await access.team.token({}, { key })))).toEqual(INVALID)
  })

  it.each([
    ['that has expired', () => ({ exp: inSeconds(-1) })],
    ['that is not valid yet', () => ({ nbf: inSeconds(60) })],
    ['that never ends', () => ({ exp: undefined })],
    ['whose end is a text', () => ({ exp: '9999999999' })],
    ['for another application', () => ({ aud: ['aud-of-another'] })],
    ['for no application', () => ({ aud: undefined })],
    ['from another issuer', () => ({ iss: 'https://evil.cloudflareaccess.com' })],
    [
      'from an issuer that begins the same',
      () => ({ iss: `https://${access.team.team}.cloudflareaccess.com.evil.nl` }),
    ],
    ['for a whole login', () => ({ type: 'org' })],
    ['without an email address or a name', () => ({ email: undefined })],
  ])('%s', async (_, claims) => {
    const right = await ask(await access.team.token())
    expect(right.status).toBe(200)
    expect(await codeOf(await ask(await access.team.token(claims())))).toEqual(INVALID)
  })

  it('that is not signed at all', async () => {
    const token = new UnsecuredJWT({ email: 'ada@shop.nl', aud: access.team.aud }).encode()
    expect(await codeOf(await ask(token))).toEqual(INVALID)
    expect(await codeOf(await ask(`${token}AAAA`))).toEqual(INVALID)
  })

  it('that is signed with HS256, keyed by the public key', async () => {
    const [key] = access.team.keys
    if (!key) throw new Error('the team has a key')
    const secret = new TextEncoder().encode(await exportSPKI(key.publicKey))
    const forged = await new SignJWT({ email: 'ada@shop.nl', aud: access.team.aud, exp: inSeconds(600) })
      .setProtectedHeader({ alg: 'HS256', kid: 'k1' })
      .setIssuer(`https://${access.team.team}.cloudflareaccess.com`)
      .sign(secret)
    expect(await codeOf(await ask(forged))).toEqual(INVALID)
  })

  it('that says HS256 or none over a signature of the right key', async () => {
    const [, body = '', signature = ''] = (await access.team.token()).split('.')
    for (const alg of ['none', 'HS256', 'RS512', 'rs256']) {
      const head = btoa(JSON.stringify({ alg, kid: 'k1' })).replaceAll('=', '')
      expect(await codeOf(await ask(`${head}.${body}.${signature}`))).toEqual(INVALID)
    }
  })

  it('that was changed after it was signed', async () => {
    const [head, , signature] = (await access.team.token()).split('.')
    const [, body] = (await access.team.token({ custom: { groups: ['Payment Admins'] } })).split('.')
    expect(await codeOf(await ask([head, body, signature].join('.')))).toEqual(INVALID)
  })

  it('that requires an unknown extension', async () => {
    const [key] = access.team.keys
    if (!key) throw new Error('the team has a key')
    const critical = await new CompactSign(new TextEncoder().encode('{}'))
      .setProtectedHeader({ alg: 'RS256', kid: 'k1', crit: ['exp'], exp: 1 })
      .sign(key.privateKey, { crit: { exp: true } })
    expect(await codeOf(await ask(critical))).toEqual(INVALID)
  })

  it.each([
    ['without dots', 'x'],
    ['of only dots', '..'],
    ['that is empty', ' '],
    ['whose parts are not base64', 'A.B.C'],
    ['whose parts are not objects', 'W10.W10.W10'],
  ])('%s', async (_, token) => {
    expect(await codeOf(await ask(token))).toEqual(INVALID)
    expect(access.team.asked).toEqual([])
  })

  it('that comes twice, so that it is unclear which one counts', async () => {
    const token = await access.team.token()
    const headers = new Headers([
      ['cf-access-jwt-assertion', token],
      ['cf-access-jwt-assertion', token],
    ])
    expect(await codeOf(await ask(headers.get('cf-access-jwt-assertion') ?? ''))).toEqual(INVALID)
  })

  it('that is only in the cookie of Access', async () => {
    const cookie = { cookie: `CF_Authorization=${await access.team.token()}` }
    const response = await operateAt(access.team.vars(ROLES), 'GET', '/me', undefined, cookie)
    expect(await codeOf(response)).toEqual([401, 'credentials-missing'])
  })

  it('is counted by its address and logged with the reason, but without any part of it', async () => {
    const warned = vi.spyOn(console, 'warn').mockReturnValue()
    const counted = vi.spyOn(env.OPERATOR_PER_ADDRESS, 'limit')
    const token = await access.team.token({ exp: inSeconds(-1) })
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
