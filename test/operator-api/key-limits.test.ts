import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { SIGNED_OPERATIONS } from '../../src/contract/pos-operations.ts'
import type { Operation } from '../../src/contract/operation.ts'
import { endOf } from '../../src/contract/key-limits.ts'
import { askWith, makePos, read, send, tokenFor } from '../support/hub/hub.ts'
import { answerTo, makeOperatorToken, operate } from '../support/hub/operator.ts'

const DAY = 86_400_000
type Key = { apiKey: string; can: string[]; expires: string | null }

afterEach(() => void vi.useRealTimers())

async function limited(limits: object) {
  const pos = await makePos()
  return { ...pos, ...(await answerTo<Key>('POST', `/pos/${pos.id}/keys`, limits)) }
}

function later(days: number): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + days * DAY })
}

describe('the end of a key or a token', () => {
  const now = Date.parse('2026-11-28T10:00:00Z')
  it.each([
    ['2027-03-01', '2027-03-01T00:00:00.000Z'],
    ['2027-03-01T10:00:00+01:00', '2027-03-01T09:00:00.000Z'],
    ['90d', '2027-02-26T10:00:00.000Z'],
    ['2w', '2026-12-12T10:00:00.000Z'],
    ['1y', '2027-11-28T10:00:00.000Z'],
  ])('%s is %s', (sent, at) => {
    expect(endOf(sent, now)).toEqual({ ok: true, value: Date.parse(at) })
  })
  it.each([
    '',
    'soon',
    '0d',
    '-1d',
    '1h',
    '2027-02-30',
    '2026-11-28',
    '2100-01-01',
    '99999y',
    '2027-03-01T10:00',
  ])('%o is none', async (expires) => {
    expect(endOf(expires, now).ok).toBe(false)
    const { id } = await makePos()
    for (const path of ['/pos', '/tokens', `/pos/${id}/keys`]) {
      const name = path.endsWith('keys') ? {} : { name: crypto.randomUUID() }
      const role = path === '/tokens' ? { role: 'viewer' } : {}
      const refused = await operate('POST', path, { ...name, ...role, expires })
      expect(refused.status).toBe(422)
      expect(await refused.json()).toMatchObject({ field: 'expires' })
    }
  })
})

describe('a key past its end', () => {
  it('is refused by the guardian, as a token, and so is the token made from it; the answer says why', async () => {
    const pos = await limited({ expires: '2d' })
    later(1.5)
    const token = await tokenFor(pos)
    const job = crypto.randomUUID()
    for (const bearer of [token, pos.apiKey]) expect((await read(bearer, job)).status).toBe(404)
    later(0.6)
    expect((await read(token, job)).status).toBe(401)
    for (const path of ['/v1/guardian', `/v2/paymentjobs/${job}`, '/api/v1/guardian', '/v2/reports/listen']) {
      const refused = await askWith(pos.apiKey, 'GET', path)
      expect(refused.status).toBe(401)
      expect(await refused.json()).toMatchObject({
        code: 'api-key-invalid',
        detail: `The API key expired at ${pos.expires}.`,
      })
      expect(refused.headers.get('www-authenticate')).toMatch(/error="invalid_token".*expired/)
    }
  })

  it('gave out no token that outlives it, even in its last seconds', async () => {
    const pos = await limited({ expires: '1d' })
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(pos.expires ?? '') - 5000 })
    const { expiration } = await (
      await askWith(pos.apiKey, 'GET', '/v1/guardian')
    ).json<{ expiration: number }>()
    expect(expiration).toBe(Math.floor(Date.parse(pos.expires ?? '') / 1000))
  })

  it('leaves the other keys of its point of sale alone', async () => {
    const pos = await makePos()
    await operate('POST', `/pos/${pos.id}/keys`, { expires: '1d' })
    later(2)
    expect((await read(await tokenFor(pos), crypto.randomUUID())).status).toBe(404)
  })
})

describe('an operator token past its end', () => {
  const make = (name: string) => operate('POST', '/tokens', { name, role: 'operator', expires: '1d' })

  it('is refused, with the session that it began, and the answer says why', async () => {
    const made = await (await make(crypto.randomUUID())).json<{ token: string; expires: string }>()
    later(0.9)
    const begun = await answerTo<{ session: string; until: string }>(
      'POST',
      '/sessions',
      undefined,
      made.token,
    )
    expect(begun.until).toBe(made.expires)
    later(0.2)
    const refused = await operate('GET', '/me', undefined, made.token)
    expect(refused.status).toBe(401)
    expect(await refused.json()).toMatchObject({ detail: `The operator token expired at ${made.expires}.` })
    const cookie = { cookie: `__Host-hub-session=${begun.session}` }
    expect((await send('/operator/v1/me', { headers: cookie })).status).toBe(401)
  })

  it('leaves its name to another', async () => {
    const name = crypto.randomUUID()
    await make(name)
    expect((await make(name)).status).toBe(409)
    later(1.1)
    expect((await make(name)).status).toBe(201)
  })
})

describe('a key with some rights', () => {
  const OPERATIONS = Object.entries<Operation>(SIGNED_OPERATIONS)

  it.each(OPERATIONS)(
    'may only call %s with its right, itself and by its token',
    async (_, { method, path, right = '' }) => {
      const others = ['create', 'read', 'capture', 'refund', 'cancel'].filter((one) => one !== right)
      const [lacks, has] = [await limited({ can: others }), await limited({ can: [right] })]
      const address = path.replace(':id', crypto.randomUUID())
      for (const pos of [lacks, has]) {
        for (const bearer of [pos.apiKey, await tokenFor(pos)]) {
          const answer = await askWith(bearer, method, address, method === 'POST' ? {} : undefined)
          if (pos === has) expect(answer.status).not.toBe(403)
          else {
            expect(answer.status).toBe(403)
            expect(await answer.json()).toMatchObject({ code: 'insufficient-scope' })
            const challenge = `error="insufficient_scope", scope="${right}"`
            expect(answer.headers.get('www-authenticate')).toContain(challenge)
            expect(answer.headers.get('x-signature')).toMatch(/^[0-9a-f]{128}$/)
          }
        }
      }
    },
  )

  it('passes them on to the next key, unless that has its own', async () => {
    const pos = await limited({ can: ['read', 'create'] })
    expect(pos.can).toEqual(['create', 'read'])
    expect(await answerTo('POST', `/pos/${pos.id}/keys`)).toMatchObject({ can: ['create', 'read'] })
    const all = ['create', 'read', 'capture', 'refund', 'cancel']
    expect(await answerTo('POST', `/pos/${pos.id}/keys`, { can: all })).toMatchObject({ can: all })
    expect(await answerTo('POST', `/pos/${pos.id}/keys`)).toMatchObject({ can: all })
  })

  it.each([[[]], [['all']], [['read', 'read', 'x']], ['read']])('cannot be made of %j', async (can) => {
    const { id } = await makePos()
    expect((await operate('POST', `/pos/${id}/keys`, { can })).status).toBe(422)
  })

  it('is in the audit log', async () => {
    const { id } = await limited({ can: ['read'], expires: '1d' })
    const { entries } = await answerTo<{ entries: object[] }>('GET', `/audit?subject=${id}&action=pos.rekey`)
    expect(entries).toContainEqual(
      expect.objectContaining({
        after: { keysAdded: 1, can: ['read'], expires: expect.any(String) as string },
      }),
    )
  })
})

describe('the operator is reminded of', () => {
  type Due = { credentials: { kind: string; id: string; state: string }[] }
  async function stateOf(id: string, token?: string) {
    const { credentials } = await answerTo<Due>('GET', '/health', undefined, token)
    return credentials.filter((one) => one.id === id).map(({ kind, state }) => `${kind} ${state}`)
  }

  it('keys that end within two weeks, and those that have ended', async () => {
    const { id } = await answerTo<{ id: string }>('POST', '/pos', { name: 'Shop', expires: '20d' })
    expect(await stateOf(id)).toEqual([])
    later(7)
    expect(await stateOf(id)).toEqual(['api-key ends-soon'])
    expect(await answerTo('GET', `/pos/${id}`)).toMatchObject({ keys: [{ state: 'ends-soon' }] })
    later(14)
    expect(await stateOf(id)).toEqual(['api-key ended'])
    later(30)
    expect(await stateOf(id)).toEqual([])
  })

  it('keys that are older than a year, but not of a disabled point of sale', async () => {
    const { id } = await makePos()
    await env.DB.prepare('update api_keys set created_at = ? where pos = ?')
      .bind(Date.now() - 366 * DAY, id)
      .run()
    expect(await stateOf(id)).toEqual(['api-key old'])
    await operate('POST', `/pos/${id}/disable`)
    expect(await stateOf(id)).toEqual([])
  })

  it('operator tokens, if they may see those', async () => {
    const { id } = await answerTo<{ id: string }>('POST', '/tokens', {
      name: crypto.randomUUID(),
      role: 'viewer',
      expires: '3d',
    })
    expect(await stateOf(id)).toEqual(['operator-token ends-soon'])
    expect(await stateOf(id, (await makeOperatorToken('viewer')).token)).toEqual([])
  })
})
