import { env } from 'cloudflare:workers'
import { Webhook } from 'standardwebhooks'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { listPointsOfSale } from '../../src/registry/points-of-sale.ts'
import { type Pos, createJob, makePos, payAs, read, send, tokenFor } from '../support/hub/hub.ts'
import { changed } from '../support/hub/changed-binding.ts'
import { hmacSha512 } from '../support/shops/hmac.ts'
import { loggedOf } from '../support/logged.ts'
import { answerTo, operate, operateAt } from '../support/hub/operator.ts'
import { receiver } from '../support/shops/receiver.ts'

beforeEach(() => void vi.spyOn(console, 'error').mockReturnValue())

function takesNoCopy() {
  return {
    TOKENS: changed(env.TOKENS, {
      put: async () => {
        throw new Error('KV PUT failed: 500')
      },
    }),
  }
}

/** A D1 that makes only the first writes of keys (`does`), and confirms none. */
function confirmsNoKey(times: number, does: 'write' | 'nothing') {
  let left = times
  const isOfKeys = (query: string) => query.startsWith('insert into "api_keys"')
  const unconfirmed = async <Result>(write: () => Promise<Result>): Promise<Result> => {
    if (left-- <= 0) return write()
    if (does === 'write') await write()
    throw new Error('D1_ERROR: Network connection lost.')
  }
  const ofKeys = new WeakSet<D1PreparedStatement>()
  const prepare: D1Database['prepare'] = (query) => {
    const statement = env.DB.prepare(query)
    if (!isOfKeys(query)) return statement
    const bindAll = statement.bind.bind(statement)
    statement.bind = (...values) => {
      const bound = bindAll(...values)
      const run = bound.run.bind(bound) as () => Promise<D1Result<never>>
      bound.run = () => unconfirmed(run)
      ofKeys.add(bound)
      return bound
    }
    return statement
  }
  const batch = <Row>(statements: D1PreparedStatement[]) => {
    const write = () => env.DB.batch<Row>(statements)
    return statements.some((statement) => ofKeys.has(statement)) ? unconfirmed(write) : write()
  }
  return { DB: changed(env.DB, { prepare, batch }) }
}

async function guardian(apiKey: string): Promise<number> {
  return (await send('/v1/guardian', { headers: { authorization: `Bearer ${apiKey}` } })).status
}

/** A known point of sale gets a 404 for an unknown job. */
async function opens(bearer: string): Promise<boolean> {
  return (await read(bearer, crypto.randomUUID())).status === 404
}

async function named(name: string) {
  return (await listPointsOfSale(env.DB)).filter((pos) => pos.name === name)
}
async function revoke(pos: Pos) {
  return answerTo('POST', `/pos/${pos.id}/keys/revoke`)
}

const FAULTS: [string, () => Partial<Env>][] = [
  ['KV takes no copy', takesNoCopy],
  ['D1 adds it without confirming it', () => confirmsNoKey(1, 'write')],
  ['D1 loses the first try', () => confirmsNoKey(1, 'nothing')],
]

describe.each(FAULTS)('while %s', (_, fault) => {
  it('a new point of sale is shown with a working key, and is stored once', async () => {
    const name = crypto.randomUUID()
    const response = await operateAt(fault(), 'POST', '/pos', { name })
    expect(response.status).toBe(201)
    const pos = await response.json<Pos>()
    expect((await named(name)).map(({ id }) => id)).toEqual([pos.id])
    expect([await opens(await tokenFor(pos)), await opens(pos.apiKey)]).toEqual([true, true])
  })

  it('another key is shown, works, and is the one that a revoke leaves', async () => {
    const pos = await makePos()
    const response = await operateAt(fault(), 'POST', `/pos/${pos.id}/keys`)
    expect(response.status).toBe(201)
    const { apiKey } = await response.json<{ apiKey: string }>()
    expect([await opens(await tokenFor({ ...pos, apiKey })), await opens(apiKey)]).toEqual([true, true])
    expect(await revoke(pos)).toEqual({ id: pos.id, revoked: 1 })
    expect([await guardian(pos.apiKey), await guardian(apiKey)]).toEqual([401, 200])
  })
})

describe('while D1 writes nothing', () => {
  it('a new point of sale is an error, and is not stored', async () => {
    const name = crypto.randomUUID()
    expect((await operateAt(confirmsNoKey(9, 'nothing'), 'POST', '/pos', { name })).status).toBe(503)
    expect(await named(name)).toEqual([])
  })

  it('another key is an error, and a revoke ends no key', async () => {
    const pos = await makePos()
    expect((await operateAt(confirmsNoKey(9, 'nothing'), 'POST', `/pos/${pos.id}/keys`)).status).toBe(503)
    expect(await revoke(pos)).toEqual({ id: pos.id, revoked: 0 })
    expect(await guardian(pos.apiKey)).toBe(200)
  })
})

it('a key that D1 never confirmed is older than that of the repeated command, which a revoke leaves', async () => {
  const pos = await makePos()
  expect((await operateAt(confirmsNoKey(9, 'write'), 'POST', `/pos/${pos.id}/keys`)).status).toBe(503)
  const { apiKey } = await answerTo<{ apiKey: string }>('POST', `/pos/${pos.id}/keys`)
  expect(await revoke(pos)).toEqual({ id: pos.id, revoked: 2 })
  expect(await guardian(apiKey)).toBe(200)
})

it('a copy that KV did not take is written by the second look, which was queued earlier', async () => {
  const pos = await makePos()
  const sent = vi.spyOn(env.COPIES, 'sendBatch')
  expect((await operateAt(takesNoCopy(), 'POST', `/pos/${pos.id}/keys`)).status).toBe(201)
  expect(loggedOf(vi.mocked(console.error), pos.id)).toContainEqual(
    expect.objectContaining({ event: 'kv.write-failed', pos: pos.id }),
  )
  const mine = sent.mock.calls.flatMap(([messages]) => [...messages])
  expect(mine).toContainEqual({ body: { pos: pos.id, version: 1 }, delaySeconds: 90 })
})

it('a key from a Worker with a slow clock is still the newest, which a revoke leaves', async () => {
  const pos = await makePos()
  vi.setSystemTime(Date.now() - 60_000)
  const { apiKey } = await answerTo<{ apiKey: string }>('POST', `/pos/${pos.id}/keys`)
  vi.useRealTimers()
  expect(await revoke(pos)).toEqual({ id: pos.id, revoked: 1 })
  expect([await guardian(pos.apiKey), await guardian(apiKey)]).toEqual([401, 200])
})

it('two API keys are valid during a rotation; revoking ends the older one and every token', async () => {
  const pos = await makePos()
  const token = await tokenFor(pos)
  const { apiKey } = await answerTo<{ apiKey: string }>('POST', `/pos/${pos.id}/keys`)
  expect([await guardian(pos.apiKey), await guardian(apiKey)]).toEqual([200, 200])
  expect(await answerTo('POST', `/pos/${pos.id}/keys/revoke`)).toEqual({
    id: pos.id,
    revoked: 1,
  })
  expect([await guardian(pos.apiKey), await guardian(apiKey)]).toEqual([401, 200])
  expect((await read(token, crypto.randomUUID())).status).toBe(401)
})

it('a new signing secret signs at once and ends no token, and reports still verify with the old one', async () => {
  const shop = receiver()
  const pos = await makePos()
  const token = await tokenFor(pos)
  const { signingSecret } = await answerTo<{ signingSecret: string }>('POST', `/pos/${pos.id}/secret`)
  expect(signingSecret).not.toBe(pos.signingSecret)
  const { payUrl, paymentJob } = await createJob(token)
  const response = await read(token, paymentJob)
  expect(response.headers.get('x-signature')).toBe(await hmacSha512(signingSecret, await response.text()))
  await payAs(payUrl, 'paid')
  const report = await vi.waitFor(() => {
    const [first] = shop.of(paymentJob)
    if (!first) throw new Error('no report yet')
    return first
  }, 15_000)
  for (const secret of [signingSecret, pos.signingSecret]) {
    expect(() => new Webhook(secret).verify(report.body, report.headers)).not.toThrow()
  }
})

it('a revoke ends the earlier tokens, even if its Worker has a slow clock', async () => {
  const pos = await makePos()
  await operate('POST', `/pos/${pos.id}/keys/revoke`)
  const token = await tokenFor(pos)
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 5000 })
  await operate('POST', `/pos/${pos.id}/keys/revoke`)
  vi.useRealTimers()
  expect((await read(token, crypto.randomUUID())).status).toBe(401)
  expect((await read(await tokenFor(pos), crypto.randomUUID())).status).toBe(404)
})

it('a revoke of a single key ends nothing, and says so', async () => {
  const pos = await makePos()
  expect(await answerTo('POST', `/pos/${pos.id}/keys/revoke`)).toMatchObject({ revoked: 0 })
  expect(await guardian(pos.apiKey)).toBe(200)
})

it('of two keys created at the same instant, a revoke ends the first', async () => {
  const pos = await makePos()
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
  const [first, second] = [await addKey(pos.id), await addKey(pos.id)]
  vi.useRealTimers()
  expect(await answerTo('POST', `/pos/${pos.id}/keys/revoke`)).toMatchObject({ revoked: 2 })
  expect([await guardian(first), await guardian(second)]).toEqual([401, 200])
})

async function addKey(id: string): Promise<string> {
  return (await answerTo<{ apiKey: string }>('POST', `/pos/${id}/keys`)).apiKey
}
