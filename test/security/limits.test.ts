import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import wranglerToml from '../../wrangler.toml?raw'
import { RETURN_QUOTAS } from '../../src/job/link.ts'
import { UNKNOWN_QUOTAS } from '../../src/platform/http/rate-limit.ts'
import { OPERATOR_QUOTAS } from '../../src/operator-api/authenticate.ts'
import { REPORT_QUOTAS } from '../../src/reports/deliver.ts'
import { QUOTAS } from '../../src/pos-api/authenticate.ts'
import { BODY_LIMIT } from '../../src/platform/http/body.ts'
import { sha256 } from '../../src/platform/crypto/hash.ts'
import { loggedOf } from '../support/logged.ts'
import { create, makePos, order, send, tokenFor } from '../support/hub/hub.ts'
import { callWorker } from './call-worker.ts'

function guardian(apiKey: string, address = '198.51.100.7') {
  return send('/v1/guardian', { headers: { authorization: `Bearer ${apiKey}`, 'cf-connecting-ip': address } })
}

async function exhausted() {
  return { success: false }
}

async function expectTooMany(response: Response, name: string, limit: number, period: number) {
  expect(response.status).toBe(429)
  expect(response.headers.get('retry-after')).toBe(String(period))
  expect(response.headers.get('ratelimit-policy')).toBe(`"${name}";q=${limit};w=${period}`)
  expect(response.headers.get('ratelimit')).toBe(`"${name}";r=0;t=${period}`)
  expect(await response.json()).toMatchObject({
    status: 429,
    error: expect.any(String) as string,
    field: '',
  })
}

describe('the guardian', () => {
  it('makes a key that asks too often wait, and answers others', async () => {
    const counted = vi.spyOn(env.GUARDIAN_PER_KEY, 'limit').mockImplementationOnce(exhausted)
    await expectTooMany(await guardian((await makePos()).apiKey), 'guardian-key', 120, 60)
    expect((await guardian((await makePos()).apiKey)).status).toBe(200)
    const [[one], [other]] = counted.mock.calls as [[{ key: string }], [{ key: string }]]
    expect(one.key).not.toBe(other.key)
  })

  it('never asks D1 about a key that the hub cannot have made, and such keys lock out no shop', async () => {
    const { apiKey } = await makePos()
    const counted = vi.spyOn(env.GUARDIAN_PER_ADDRESS, 'limit')
    const d1 = vi.spyOn(env.DB, 'prepare')
    expect((await guardian('y'.repeat(160), '192.0.2.9')).status).toBe(401)
    counted.mockImplementation(exhausted)
    await expectTooMany(await guardian('y'.repeat(160), '192.0.2.9'), 'guardian-address', 1200, 60)
    expect(counted).toHaveBeenCalledWith({ key: '192.0.2.9' })
    // Meanwhile the index queue may write rows of other files' jobs.
    expect(d1.mock.calls.filter(([query]) => query.includes('api_keys'))).toEqual([])
    expect((await guardian(apiKey, '192.0.2.9')).status).toBe(200)
  })
})

describe('a wrong access token', () => {
  const wrongTokens: [string, () => Promise<string>][] = [
    ['that is none', async () => 'x'],
    ['of the right form', async () => 'ab'.repeat(80)],
    ["that names a shop's id", async () => (await makePos()).id + '0'.repeat(128)],
  ]
  it.each(wrongTokens)(
    '%s costs at most one read of KV, and reaches neither D1 nor the audit log',
    async (_, make) => {
      const token = await make()
      const kv = vi.spyOn(env.TOKENS, 'get')
      const d1 = vi.spyOn(env.DB, 'prepare')
      const log = vi.spyOn(env.AUDIT_LOG, 'getByName')
      expect((await create(token)).status).toBe(401)
      expect(kv.mock.calls.filter(([name]) => String(name).includes(token.slice(0, 32))).length).toBeLessThan(
        2,
      )
      expect(d1.mock.calls.filter(([query]) => /points_of_sale|api_keys/.test(query))).toEqual([])
      expect(log).not.toHaveBeenCalled()
    },
  )

  it('counts by the network of its sender, who has to wait; a shop behind the same address does not', async () => {
    const pos = await makePos()
    const token = await tokenFor(pos)
    const counted = vi.spyOn(env.GUARDIAN_PER_ADDRESS, 'limit').mockImplementation(exhausted)
    const from = (bearer: string) =>
      send('/v2/paymentmethods', {
        headers: { authorization: `Bearer ${bearer}`, 'cf-connecting-ip': '192.0.2.10' },
      })
    await expectTooMany(await from('ab'.repeat(80)), 'guardian-address', 1200, 60)
    expect(counted).toHaveBeenCalledExactlyOnceWith({ key: '192.0.2.10' })
    expect((await from(token)).status).toBe(200)
    const { keys } = await env.TOKENS.list({ prefix: `token:${pos.id}:` })
    await Promise.all(keys.map(({ name }) => env.TOKENS.delete(name)))
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 })
    expect((await from(token)).status).toBe(401)
    expect(counted).toHaveBeenCalledTimes(1)
  })

  it('or key leaves a line a minute in the log, with their number', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 122_000 })
    const warned = vi.spyOn(console, 'warn').mockReturnValue()
    const counts = () =>
      loggedOf(warned, 'pos.refused').map((line) => Reflect.get(Object(line), 'count') as number)
    for (let time = 0; time < 5; time++) await create('x')
    expect(counts()).toHaveLength(1)
    vi.setSystemTime(Date.now() + 61_000)
    await create('x')
    expect(counts()[1]).toBe(5)
    await guardian('z'.repeat(160))
    expect(counts()).toHaveLength(3)
  })

  it('of an earlier release, without the mark of the hub, works', async () => {
    const pos = await makePos()
    const marked = await tokenFor(pos)
    const [key] = (await env.TOKENS.list({ prefix: `token:${pos.id}:` })).keys
    const token = marked.slice(0, -6) + (marked.endsWith('000000') ? '1' : '0').repeat(6)
    const record = (await env.TOKENS.get(key?.name ?? '')) ?? ''
    await env.TOKENS.put(`token:${pos.id}:${await sha256(token)}`, record)
    expect((await create(token)).status).toBe(201)
  })
})

// Every provider's customer has a /64, and so any number of addresses.
it.each([
  ['2001:db8:1:2:aaaa::1', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::7', '2001:db8:1:2::/64'],
  ['2001:DB8:1:2:ffff:ffff:ffff:ffff', '2001:db8:1:2::/64'],
  ['2001:db8:1:3::7', '2001:db8:1:3::/64'],
  ['::ffff:192.0.2.9', '192.0.2.9'],
  ['192.0.2.9', '192.0.2.9'],
  ['no address', 'no address'],
])('requests of %s count as those of %s', async (address, key) => {
  vi.spyOn(console, 'warn').mockReturnValue()
  const guarded = vi.spyOn(env.GUARDIAN_PER_ADDRESS, 'limit')
  await guardian('z'.repeat(160), address)
  expect(guarded).toHaveBeenCalledWith({ key })
  const operated = vi.spyOn(env.OPERATOR_PER_ADDRESS, 'limit')
  await operator('wrong', address)
  expect(operated).toHaveBeenCalledWith({ key })
})

it('a visitor with a whole /48 cannot move from one /64 to the next', async () => {
  vi.spyOn(console, 'warn').mockReturnValue()
  const counts = new Map<string, number>()
  vi.spyOn(env.OPERATOR_PER_ADDRESS, 'limit').mockImplementation(async ({ key }) => {
    counts.set(key, (counts.get(key) ?? 0) + 1)
    return { success: (counts.get(key) ?? 0) <= 2 }
  })
  const answers: number[] = []
  for (let subnet = 0; subnet < 64; subnet++)
    answers.push((await operator('wrong', `2001:db8:48:${subnet.toString(16)}::1`)).status)
  expect(answers.filter((status) => status === 401)).toHaveLength(8)
  expect(new Set(answers.slice(32))).toEqual(new Set([429]))
})

function operator(token: string, address: string) {
  return send('/operator/v1/pos', {
    headers: { authorization: `Bearer ${token}`, 'cf-connecting-ip': address },
  })
}

describe('the operator API', () => {
  it('answers 60 wrong tokens of an address in a minute, and logs each; the next has to wait', async () => {
    const warned = vi.spyOn(console, 'warn').mockReturnValue()
    const counted = vi.spyOn(env.OPERATOR_PER_ADDRESS, 'limit')
    expect((await operator('wrong', '192.0.2.44')).status).toBe(401)
    expect(counted).toHaveBeenCalledWith({ key: '192.0.2.44' })
    expect(warned).toHaveBeenCalledWith(
      expect.objectContaining({ event: 'operator.refused', address: '192.0.2.44' }),
    )
    warned.mockClear()
    counted.mockImplementation(exhausted)
    await expectTooMany(await operator('wrong', '192.0.2.44'), 'operator-address', 60, 60)
    expect(loggedOf(warned, '192.0.2.44')).toEqual([])
  })

  it('counts neither a request without credentials nor an ended session as a guess', async () => {
    const warned = vi.spyOn(console, 'warn').mockReturnValue()
    const counted = vi.spyOn(env.OPERATOR_PER_ADDRESS, 'limit').mockImplementation(exhausted)
    const ended = `hub_session_secret.1700000000000.${'0'.repeat(32)}.${'0'.repeat(64)}`
    for (const cookie of ['', `__Host-hub-session=${ended}`]) {
      const headers = { cookie, 'cf-connecting-ip': '192.0.2.46' }
      expect((await send('/operator/v1/pos', { headers })).status).toBe(401)
      expect((await send('/console', { headers, redirect: 'manual' })).status).toBe(303)
    }
    expect(counted).not.toHaveBeenCalled()
    expect(loggedOf(warned, '192.0.2.46')).toEqual([])
  })

  it('does not count the right token, nor lock it out because of wrong ones from its address', async () => {
    const counted = vi.spyOn(env.OPERATOR_PER_ADDRESS, 'limit').mockImplementation(exhausted)
    expect((await operator(env.OPERATOR_TOKEN, '192.0.2.45')).status).toBe(200)
    expect(counted).not.toHaveBeenCalled()
  })
})

describe('a create', () => {
  it('has to wait if its point of sale made too many', async () => {
    const pos = await makePos()
    const token = await tokenFor(pos)
    const counted = vi.spyOn(env.CREATE_PER_POS, 'limit').mockImplementation(exhausted)
    const calledIds: string[] = []
    const objects = env.PAYMENT_JOB.getByName.bind(env.PAYMENT_JOB)
    vi.spyOn(env.PAYMENT_JOB, 'getByName').mockImplementation((id) => {
      calledIds.push(id)
      return objects(id)
    })
    await expectTooMany(await create(token), 'create', 20_000, 10)
    expect(counted).toHaveBeenCalledWith({ key: pos.id })
    vi.restoreAllMocks()
    // Other files may read their jobs meanwhile: none of those belongs to this point of sale.
    const owners = await Promise.all(calledIds.map(async (id) => (await objects(id).read())?.pos))
    expect(owners).not.toContain(pos.id)
  })

  it('reads at most 64 KiB of a body, even if it never ends', async () => {
    const token = await tokenFor(await makePos())
    let sent = 0
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 4096
        controller.enqueue(new Uint8Array(4096).fill(0x20))
      },
    })
    const response = await send('/v2/paymentjobs', {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: endless,
    })
    expect(response.status).toBe(413)
    expect(sent).toBeLessThan(4 * BODY_LIMIT)
  })

  it.each([
    [0, 201],
    [1, 413],
  ])('of 64 KiB and %i bytes is a %i', async (more, status) => {
    const text = JSON.stringify(order)
    const body = text + ' '.repeat(BODY_LIMIT - text.length + more)
    expect((await create(await tokenFor(await makePos()), body)).status).toBe(status)
  })

  it('of an unknown caller is not read at all', async () => {
    let pulled = false
    const body = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          pulled = true
          controller.close()
        },
      },
      { highWaterMark: 0 },
    )
    const request = new Request('https://hub.nl/v2/paymentjobs', { method: 'POST', body })
    expect((await callWorker(request)).status).toBe(401)
    expect(pulled).toBe(false)
  })
})

it('wrangler.toml has the limits that answers name', () => {
  const inToml = [
    ...wranglerToml.matchAll(
      /\[\[ratelimits\]\]\nname = "(\w+)"\nnamespace_id = "\d+"\nsimple = \{ limit = (\d+), period = (\d+) \}/g,
    ),
  ].map(([, name, limit, period]) => [name, { limit: Number(limit), period: Number(period) }])
  const published = Object.entries({
    ...QUOTAS,
    ...OPERATOR_QUOTAS,
    ...UNKNOWN_QUOTAS,
    ...RETURN_QUOTAS,
    ...REPORT_QUOTAS,
  }).map(([name, { limit, period }]) => [
    name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase(),
    { limit, period },
  ])
  expect(wranglerToml.match(/\[\[ratelimits\]\]/g)).toHaveLength(published.length)
  expect(Object.fromEntries(inToml)).toEqual(Object.fromEntries(published))
})
