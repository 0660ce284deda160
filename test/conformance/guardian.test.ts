import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Pos, create, makePos, order, read, send, tokenFor } from '../support/hub/hub.ts'
import { operate } from '../support/hub/operator.ts'

let pos: Pos
beforeAll(async () => {
  pos = await makePos()
})
function ask(path: string, apiKey = pos.apiKey) {
  return send(path, { headers: { authorization: `Bearer ${apiKey}` } })
}

describe('create an access token', () => {
  it('"GET /v1/guardian" with the API key as Bearer gives token, expiration and expiration_datetime', async () => {
    const response = await ask('/v1/guardian')
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toContain('application/json')
    expect(Object.keys(await response.json<object>())).toEqual(['token', 'expiration', 'expiration_datetime'])
  })

  it('"the API host with an api path segment before v1" is the same endpoint', async () => {
    expect((await ask('/api/v1/guardian')).status).toBe(200)
  })

  it('"token: a long hexadecimal string" has 160 characters, 32 of which name the POS', async () => {
    const { token } = await (await ask('/v1/guardian')).json<{ token: string }>()
    expect(token).toMatch(/^[0-9a-f]{160}$/)
    expect(token.slice(0, 32)).toBe(pos.id)
  })

  it('"the default validity of a token is 24 hours", told in Unix seconds', async () => {
    const { expiration } = await (await ask('/v1/guardian')).json<{ expiration: number }>()
    expect(Math.abs(expiration - (Date.now() / 1000 + 86_400))).toBeLessThan(5)
  })

  it('"expiration_datetime: the same moment in ISO 8601 with a numeric UTC offset"', async () => {
    const answer = await (
      await ask('/v1/guardian')
    ).json<{ expiration: number; expiration_datetime: string }>()
    expect(answer.expiration_datetime).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/)
    expect(Date.parse(answer.expiration_datetime) / 1000).toBe(answer.expiration)
  })

  it('"each call creates a new token", and the earlier one stays valid', async () => {
    const [first, second] = [await tokenFor(pos), await tokenFor(pos)]
    expect(first).not.toBe(second)
    expect((await create(first)).status).toBe(201)
    expect((await create(second)).status).toBe(201)
  })

  it('is never cached on the way', async () => {
    expect((await ask('/v1/guardian')).headers.get('cache-control')).toBe('no-store')
  })

  it.each([
    ['no credentials', undefined, /^Bearer realm="payment-hub"$/],
    ['another scheme', 'Basic dTpw', /^Bearer realm="payment-hub"$/],
    ['an unknown key', `Bearer ${'k'.repeat(160)}`, /error="invalid_token"/],
    ['a short key', 'Bearer abc', /error="invalid_token"/],
  ])('refuses %s with 401 and WWW-Authenticate', async (_, authorization, challenge) => {
    const response = await send('/v1/guardian', authorization ? { headers: { authorization } } : {})
    expect(response.status).toBe(401)
    expect(response.headers.get('www-authenticate')).toMatch(challenge)
    expect(await response.json()).toMatchObject({ status: 401, error: expect.any(String) as string })
  })
})

describe('authentication', () => {
  it('"All payment job calls carry that token": what is neither token nor API key opens none of them', async () => {
    for (const bearer of [pos.signingSecret, pos.id, 'k'.repeat(160), pos.apiKey.slice(1)]) {
      const response = await create(bearer)
      expect(response.status).toBe(401)
      expect(response.headers.get('www-authenticate')).toContain('error="invalid_token"')
    }
  })

  it.each([
    ['create', () => send('/v2/paymentjobs', { method: 'POST', body: JSON.stringify(order) })],
    ['retrieve', () => send(`/v2/paymentjobs/${crypto.randomUUID()}`)],
  ])('"Authorization (required)": %s without it is 401', async (_, call) => {
    const response = await call()
    expect(response.status).toBe(401)
    expect(response.headers.get('www-authenticate')).toBe('Bearer realm="payment-hub"')
  })

  it('a token of which one character differs is refused', async () => {
    const token = await tokenFor(pos)
    const other = token.slice(0, -1) + (token.endsWith('0') ? '1' : '0')
    expect((await read(other, crypto.randomUUID())).status).toBe(401)
  })

  it('a token ends with its time, not only with the record of it', async () => {
    const token = await tokenFor(pos)
    for (const key of (await env.TOKENS.list({ prefix: `token:${pos.id}:` })).keys) {
      const record = await env.TOKENS.get<{ expires: number }>(key.name, 'json')
      await env.TOKENS.put(
        key.name,
        JSON.stringify({ ...record, expires: Math.floor(Date.now() / 1000) - 1 }),
      )
    }
    expect((await read(token, crypto.randomUUID())).status).toBe(401)
  })

  it('a disabled point of sale gets no token, and its tokens stop', async () => {
    const shop = await makePos()
    const token = await tokenFor(shop)
    expect((await operate('POST', `/pos/${shop.id}/disable`)).status).toBe(200)
    expect((await ask('/v1/guardian', shop.apiKey)).status).toBe(401)
    expect((await create(token)).status).toBe(401)
  })
})
