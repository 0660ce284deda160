import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { sha256 } from '../../src/platform/crypto/hash.ts'
import { callWorker } from '../security/call-worker.ts'
import { makeOperatorToken, answerTo, operate, operateAt } from '../support/hub/operator.ts'

type Begun = { session: string; until: string }
const HOUR = 3_600_000

async function begin(token = env.OPERATOR_TOKEN): Promise<Begun> {
  return answerTo('POST', '/sessions', undefined, token)
}

const SAME = { 'sec-fetch-site': 'same-origin' }

/** Sends a request as a browser with the session does. */
function browse(
  session: string,
  { method = 'GET', path = '/me', headers = {} as Record<string, string>, bindings = env } = {},
) {
  return operateAt(bindings, method, path, undefined, { cookie: `__Host-hub-session=${session}`, ...headers })
}

async function codeOf(response: Response) {
  return (await response.json<{ code: string }>()).code
}

describe('a session', () => {
  it('begins with a token, as a cookie for eight hours that no script reads and no other site sends', async () => {
    const response = await operate('POST', '/sessions')
    expect(response.status).toBe(201)
    const { session, until } = await response.json<Begun>()
    expect(response.headers.get('set-cookie')).toBe(
      `__Host-hub-session=${session}; Path=/; Max-Age=28800; HttpOnly; SameSite=Strict; Secure`,
    )
    expect(Math.abs(Date.parse(until) - Date.now() - 8 * HOUR)).toBeLessThan(60_000)
    expect(session).not.toContain(env.OPERATOR_TOKEN)
  })

  it('over plain http on this machine is a cookie that browsers accept there', async () => {
    const origin = 'http://localhost:8787'
    const headers = { authorization: `Bearer ${env.OPERATOR_TOKEN}` }
    const begun = await callWorker(new Request(`${origin}/operator/v1/sessions`, { method: 'POST', headers }))
    const cookie = begun.headers.get('set-cookie') ?? ''
    expect(cookie).toMatch(/^hub-session=[^;]+; Path=\/; Max-Age=28800; HttpOnly; SameSite=Strict$/)
    const me = await callWorker(
      new Request(`${origin}/operator/v1/me`, { headers: { cookie: cookie.split(';')[0] ?? '' } }),
    )
    expect(await me.json()).toMatchObject({ via: 'session' })
  })

  it(
    'begins at most 30 times a minute for an operator, from any address, and one too many adds no entry to the audit log',
    { timeout: 60_000 },
    async () => {
      for (;;) {
        const { name, token } = await makeOperatorToken('viewer')
        const minute = Math.floor(Date.now() / 60_000)
        const statuses: number[] = []
        for (let at = 0; at < 32; at++)
          statuses.push((await operate('POST', '/sessions', undefined, token)).status)
        if (Math.floor(Date.now() / 60_000) !== minute) continue
        expect(statuses).toEqual([...Array.from({ length: 30 }, () => 201), 429, 429])
        // An operator with too many sessions can still read everything, and sign out.
        expect((await operate('GET', '/me', undefined, token)).status).toBe(200)
        expect((await operate('POST', '/sessions/end', undefined, token)).status).toBe(200)
        const { entries } = await answerTo<{ entries: { action: string }[] }>(
          'GET',
          `/audit?by=${encodeURIComponent(name)}&limit=200`,
        )
        expect(entries.filter(({ action }) => action === 'session.begin')).toHaveLength(60)
        return
      }
    },
  )

  it('has the operator of the token that began it', async () => {
    const { name, token } = await makeOperatorToken('support')
    const { session, until } = await begin(token)
    expect(await (await browse(session)).json()).toEqual({ name, role: 'support', via: 'session', until })
    const ofSecret = await (await browse((await begin()).session)).json()
    expect(ofSecret).toMatchObject({ name: 'OPERATOR_TOKEN', role: 'operator', via: 'session' })
  })

  it('cannot prolong itself', async () => {
    const { session } = await begin()
    const response = await browse(session, { method: 'POST', path: '/sessions', headers: SAME })
    expect(response.status).toBe(401)
    expect(await codeOf(response)).toBe('credentials-missing')
    expect(response.headers.get('set-cookie')).toBeNull()
  })

  it('ends after eight hours', async () => {
    const { session } = await begin()
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 8 * HOUR - 60_000 })
    expect((await browse(session)).status).toBe(200)
    vi.setSystemTime(Date.now() + 61_000)
    expect(await codeOf(await browse(session))).toBe('session-invalid')
  })

  it('ends for everyone who has it, and no other session ends', async () => {
    const [{ session }, other] = [await begin(), await begin()]
    const ended = await browse(session, { method: 'POST', path: '/sessions/end', headers: SAME })
    expect(await ended.json()).toEqual({ ended: true })
    expect(ended.headers.get('set-cookie')).toMatch(/^__Host-hub-session=; Path=\/; Max-Age=0; /)
    expect(await codeOf(await browse(session))).toBe('session-invalid')
    expect((await browse(other.session)).status).toBe(200)
  })

  it('is kept among the ended ones until it would have expired', async () => {
    const [{ session }, later] = [await begin(), await begin()]
    const end = (one: string) => browse(one, { method: 'POST', path: '/sessions/end', headers: SAME })
    const hash = await sha256(session)
    const kept = () => env.DB.prepare('select 1 from ended_sessions where hash = ?').bind(hash).first()
    await end(session)
    expect(await kept()).not.toBeNull()
    await env.DB.prepare('update ended_sessions set expires_at = 1 where hash = ?').bind(hash).run()
    await end(later.session)
    expect(await kept()).toBeNull()
  })

  it('ends at once when its token is revoked', async () => {
    const { id, token } = await makeOperatorToken('operator')
    const { session } = await begin(token)
    expect((await browse(session)).status).toBe(200)
    await operate('POST', `/tokens/${id}/revoke`)
    expect(await codeOf(await browse(session))).toBe('session-invalid')
  })

  it('of the secret ends when OPERATOR_TOKEN changes, and one of a token does not', async () => {
    const [ofSecret, ofToken] = [await begin(), await begin((await makeOperatorToken('viewer')).token)]
    const bindings = { ...env, OPERATOR_TOKEN: '3456789abcdef012'.repeat(4) }
    expect(await codeOf(await browse(ofSecret.session, { bindings }))).toBe('session-invalid')
    expect((await browse(ofToken.session, { bindings })).status).toBe(200)
  })

  it('ends when SIGNING_ROOT changes', async () => {
    const { session } = await begin()
    const bindings = { ...env, SIGNING_ROOT: '456789abcdef0123'.repeat(4) }
    expect(await codeOf(await browse(session, { bindings }))).toBe('session-invalid')
  })

  it('that was tampered with is refused before the hub asks D1', async () => {
    const { id } = await makeOperatorToken('operator')
    const { session } = await begin((await makeOperatorToken('viewer')).token)
    const [of = '', until = '', random = '', proof = ''] = session.split('.')
    const d1 = vi.spyOn(env.DB, 'prepare')
    const forged = [
      [`hub_session_${id}`, until, random, proof],
      ['hub_session_secret', until, random, proof],
      [of, String(Number(until) + 1), random, proof],
      [of, until, random.replace(/^./, (one) => (one === '0' ? '1' : '0')), proof],
      [of, until, random, proof.replace(/^./, (one) => (one === '0' ? '1' : '0'))],
      [of, until, random, ''],
      [of, until, random, proof, ''],
      [session.toUpperCase()],
      ['x'.repeat(7000)],
    ].map((parts) => parts.join('.'))
    for (const one of forged) {
      const response = await browse(one)
      expect(response.status).toBe(401)
      expect(await codeOf(response)).toBe('session-invalid')
    }
    expect(d1.mock.calls.filter(([query]) => /operator_tokens|ended_sessions/.test(query))).toEqual([])
  })

  it('that was invented is refused, and the log has no part of it', async () => {
    const warned = vi.spyOn(console, 'warn').mockReturnValue()
    const answer = await browse(`hub_session_secret.1${'2'.repeat(12)}`)
    expect(await codeOf(answer)).toBe('session-invalid')
    expect(JSON.stringify(warned.mock.calls)).not.toContain('hub_session')
  })

  it('is ignored next to a Bearer token, right or wrong', async () => {
    const { session } = await begin()
    const { name, token } = await makeOperatorToken('viewer')
    const right = await browse(session, { headers: { authorization: `Bearer ${token}` } })
    expect(await right.json()).toMatchObject({ name, via: 'token' })
    const wrong = await browse(session, { headers: { authorization: 'Bearer wrong' } })
    expect(await codeOf(wrong)).toBe('operator-token-invalid')
  })

  it("under another cookie's name is not a session", async () => {
    const { session } = await begin()
    for (const name of ['hub-session', 'x__Host-hub-session', '__host-hub-session'])
      expect(await codeOf(await browse('', { headers: { cookie: `${name}=${session}` } }))).toBe(
        'credentials-missing',
      )
  })

  it('may be ended by a token, even if there is none', async () => {
    expect(await answerTo('POST', '/sessions/end')).toEqual({ ended: false })
  })

  it('goes on if a token asks to end a session', async () => {
    const { session } = await begin()
    const headers = { authorization: `Bearer ${env.OPERATOR_TOKEN}` }
    const ended = await browse(session, { method: 'POST', path: '/sessions/end', headers })
    expect(await ended.json()).toEqual({ ended: false })
    expect((await browse(session)).status).toBe(200)
  })
})

describe('an operator', () => {
  type Listed = { id: string; name: string; own: boolean }
  async function sessionsOf(name: string): Promise<Listed[]> {
    const { sessions } = await answerTo<{ sessions: Listed[] }>('GET', '/sessions')
    return sessions.filter((one) => one.name === name)
  }

  it('lists the sessions that go on, and ends one at once', async () => {
    const { name, token } = await makeOperatorToken('viewer')
    const [stays, goes] = [await begin(token), await begin(token)]
    expect(await sessionsOf(name)).toMatchObject([{ own: false }, { until: goes.until }])
    const [, second] = await sessionsOf(name)
    expect(await answerTo('POST', `/sessions/${second?.id}/end`)).toEqual(second)
    expect((await browse(stays.session)).status).toBe(200)
    expect(await codeOf(await browse(goes.session))).toBe('session-invalid')
    expect(await sessionsOf(name)).toHaveLength(1)
    expect((await operate('POST', `/sessions/${second?.id}/end`)).status).toBe(404)
    const { entries } = await answerTo<{ entries: object[] }>('GET', `/audit?subject=${second?.id}`)
    expect(entries).toContainEqual(expect.objectContaining({ action: 'session.revoke', before: { name } }))
  })

  it('sees none that was signed out, or whose token was revoked or has expired', async () => {
    const { id, name, token } = await makeOperatorToken('operator')
    const { session } = await begin(token)
    await browse(session, { method: 'POST', path: '/sessions/end', headers: SAME })
    await begin(token)
    expect(await sessionsOf(name)).toHaveLength(1)
    await operate('POST', `/tokens/${id}/revoke`)
    expect(await sessionsOf(name)).toEqual([])
  })

  it('sees which one is their own', async () => {
    const { name, token } = await makeOperatorToken('operator')
    const { session } = await begin(token)
    await begin(token)
    const { sessions } = await (await browse(session, { path: '/sessions' })).json<{ sessions: Listed[] }>()
    expect(sessions.filter((one) => one.name === name).map(({ own }) => own)).toEqual([true, false])
  })

  it.each(['viewer', 'support'])('who is %s sees and ends no session', async (role) => {
    const { token } = await makeOperatorToken(role)
    expect((await operate('GET', '/sessions', undefined, token)).status).toBe(403)
    expect((await operate('POST', `/sessions/${'0'.repeat(32)}/end`, undefined, token)).status).toBe(403)
  })
})
