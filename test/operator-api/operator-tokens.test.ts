import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { sha256 } from '../../src/platform/crypto/hash.ts'
import { loggedOf } from '../support/logged.ts'
import { makeOperatorToken, answerTo, operate } from '../support/hub/operator.ts'

type Listed = { tokens: { id: string; name: string; revoked: string | null; used: string | null }[] }
function newName() {
  return `Desk ${crypto.randomUUID()}`
}
function me(token: string) {
  return operate('GET', '/me', undefined, token)
}

describe('an operator token', () => {
  it('is shown once, and stored only as its hash', async () => {
    const name = newName()
    const response = await operate('POST', '/tokens', { name: ` ${name} `, role: 'support' })
    expect(response.status).toBe(201)
    const { token, ...shown } = await response.json<{ token: string; id: string }>()
    expect(token).toMatch(/^hub_op_[A-Za-z0-9]{43}$/)
    expect(shown).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{32}$/) as string,
      name,
      role: 'support',
      created: expect.any(String) as string,
      createdBy: 'OPERATOR_TOKEN',
      revoked: null,
      expires: null,
      used: null,
    })
    const list = await operate('GET', '/tokens')
    const text = await list.text()
    expect((JSON.parse(text) as Listed).tokens).toContainEqual(shown)
    expect(text).not.toContain(token)
    const { results } = await env.DB.prepare('select * from operator_tokens where id = ?')
      .bind(shown.id)
      .all()
    expect(results).toMatchObject([{ hash: await sha256(token) }])
    expect(JSON.stringify(results)).not.toContain(token)
  })

  it('shows its name and its role', async () => {
    const { name, token } = await makeOperatorToken('viewer')
    expect(await (await me(token)).json()).toEqual({ name, role: 'viewer', via: 'token', until: null })
    expect(await (await me(env.OPERATOR_TOKEN)).json()).toEqual({
      name: 'OPERATOR_TOKEN',
      role: 'operator',
      via: 'secret',
      until: null,
    })
  })

  it('may create others, which record its name as their creator', async () => {
    const { name, token } = await makeOperatorToken('operator')
    const made = await operate('POST', '/tokens', { name: newName(), role: 'viewer' }, token)
    expect(await made.json()).toMatchObject({ createdBy: name })
  })

  it('shows when it was last used, which is written once a day', async () => {
    const { id, token } = await makeOperatorToken('viewer')
    const used = async () =>
      (await answerTo<Listed>('GET', '/tokens')).tokens.find((one) => one.id === id)?.used
    expect(await used()).toBeNull()
    await me(token)
    const first = await used()
    expect(Date.parse(first ?? '')).toBeGreaterThan(Date.now() - 60_000)
    vi.setSystemTime(Date.now() + 3_600_000)
    await me(token)
    expect(await used()).toBe(first)
    vi.setSystemTime(Date.now() + 24 * 3_600_000)
    await me(token)
    expect(await used()).not.toBe(first)
    vi.useRealTimers()
  })

  it('stops working at once when it is revoked, and keeps the first time of that', async () => {
    const { id, token } = await makeOperatorToken('operator')
    expect((await me(token)).status).toBe(200)
    const first = await answerTo<{ revoked: string }>('POST', `/tokens/${id}/revoke`)
    expect(Date.parse(first.revoked)).toBeGreaterThan(0)
    const refused = await me(token)
    expect(refused.status).toBe(401)
    expect(await refused.json()).toMatchObject({ code: 'operator-token-invalid' })
    expect(await answerTo('POST', `/tokens/${id}/revoke`)).toEqual(first)
  })

  it('may revoke itself', async () => {
    const { id, token } = await makeOperatorToken('operator')
    expect((await operate('POST', `/tokens/${id}/revoke`, undefined, token)).status).toBe(200)
    expect((await me(token)).status).toBe(401)
  })

  it('has a unique name until it is revoked', async () => {
    const name = newName()
    const make = () => operate('POST', '/tokens', { name, role: 'viewer' })
    const { id } = await (await make()).json<{ id: string }>()
    const second = await make()
    expect(second.status).toBe(409)
    expect(await second.json()).toMatchObject({ code: 'operator-token-conflict', field: 'name' })
    const inCapitals = { name: name.toUpperCase(), role: 'viewer' }
    expect((await operate('POST', '/tokens', inCapitals)).status).toBe(409)
    const asTheSecret = { name: 'operator_token', role: 'viewer' }
    expect((await operate('POST', '/tokens', asTheSecret)).status).toBe(422)
    await operate('POST', `/tokens/${id}/revoke`)
    expect((await make()).status).toBe(201)
  })

  it('is created once if two calls use the same name at the same time', async () => {
    const name = newName()
    const answers = await Promise.all(
      [1, 2, 3].map(() => operate('POST', '/tokens', { name, role: 'viewer' })),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409])
  })

  it('is added again if D1 does not confirm it, and is stored once', async () => {
    const errors = vi.spyOn(console, 'error').mockReturnValue()
    const batch = env.DB.batch.bind(env.DB)
    let calls = 0
    const spy = vi.spyOn(env.DB, 'batch').mockImplementation(async (statements) => {
      const done = await batch(statements)
      if (++calls === 1) throw new Error('D1_ERROR: Network connection lost.')
      return done as never
    })
    const made = await operate('POST', '/tokens', { name: newName(), role: 'viewer' })
    spy.mockRestore()
    errors.mockRestore()
    const { token } = await made.json<{ token: string }>()
    expect((await me(token)).status).toBe(200)
  })
})

describe('an invented token', () => {
  it.each([
    ["with the form of the hub's tokens", `hub_op_${'x'.repeat(43)}`],
    ['with another form', 'x'],
    ['of enormous length', 'x'.repeat(30_000)],
    ['that is the hash of a secret', ''],
  ])('%s is refused, and the log has no part of it', async (_, sent) => {
    const warned = vi.spyOn(console, 'warn').mockReturnValue()
    const token = sent || (await sha256(env.OPERATOR_TOKEN))
    const response = await me(token)
    expect(response.status).toBe(401)
    expect(await response.json()).toMatchObject({ code: 'operator-token-invalid' })
    if (token.length > 20) expect(loggedOf(warned, token.slice(0, 20))).toEqual([])
    warned.mockRestore()
  })

  it('never reaches D1, and locks out no real token', async () => {
    vi.spyOn(console, 'warn').mockReturnValue()
    const headers = { 'cf-connecting-ip': '192.0.2.77' }
    const from = (token: string) => operate('GET', '/me', undefined, token, headers)
    const { token } = await makeOperatorToken('viewer')
    vi.spyOn(env.OPERATOR_PER_ADDRESS, 'limit').mockResolvedValue({ success: false })
    const d1 = vi.spyOn(env.DB, 'prepare')
    expect((await from(`hub_op_${'y'.repeat(43)}`)).status).toBe(429)
    expect(d1.mock.calls.filter(([query]) => query.includes('operator_tokens'))).toEqual([])
    expect((await from(token)).status).toBe(200)
    expect((await from(env.OPERATOR_TOKEN)).status).toBe(200)
    vi.restoreAllMocks()
  })
})
