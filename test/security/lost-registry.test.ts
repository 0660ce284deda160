import { env, exports } from 'cloudflare:workers'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { watchAll } from '../../src/monitoring/watch-all.ts'
import { refreshProfile } from '../../src/registry/copies.ts'
import { askWith, create, createJob, makePos, order, type Pos, send, tokenFor } from '../support/hub/hub.ts'
import { forgetChanges, loseRegistry } from '../support/hub/new-hub.ts'
import { stored } from '../support/jobs/job.ts'
import { makeOperatorToken, operate } from '../support/hub/operator.ts'
import { receiver } from '../support/shops/receiver.ts'
import { paidJob, untilTried } from '../support/jobs/reported.ts'

/** Deletes the copies of the registry in KV, but not the shops' tokens. */
async function loseCopies(): Promise<void> {
  const { keys } = await env.TOKENS.list()
  const copies = keys.filter(({ name }) => !name.startsWith('token:'))
  await Promise.all(copies.map(({ name }) => env.TOKENS.delete(name)))
}

const real = Date.now()
let ahead = 0

/** Moves the clock until the isolate's memory is too old to count. */
function later(): void {
  ahead += 61_000
  vi.useFakeTimers({ toFake: ['Date'], now: real + ahead })
}

/** Deletes the shops' tokens in KV, as their expiry does. */
async function forgetTokens(): Promise<void> {
  const { keys } = await env.TOKENS.list({ prefix: 'token:' })
  await Promise.all(keys.map(({ name }) => env.TOKENS.delete(name)))
}

async function expectOutage(answer: Response): Promise<void> {
  expect(answer.status).toBe(503)
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
  await answer.body?.cancel()
}

const ACCOUNT = { id: 'lost-mollie', psp: 'mollie', mode: 'live' }

let shop: Pos
let token: string
beforeEach(async () => {
  later()
  await loseRegistry()
  await forgetChanges()
  shop = await makePos({ signReturn: true })
  token = await tokenFor(shop)
})
afterEach(async () => {
  await loseRegistry()
  await forgetChanges()
})

describe('while D1 has lost the points of sale', () => {
  it('no entrance calls the key of a shop wrong: the shop has to try again', async () => {
    await loseRegistry()
    await expectOutage(await askWith(shop.apiKey, 'GET', '/v1/guardian'))
    await expectOutage(await askWith(shop.apiKey, 'GET', '/api/v1/guardian'))
    await expectOutage(await create(shop.apiKey))
    await expectOutage(await askWith(shop.apiKey, 'GET', `/v2/paymentjobs/${crypto.randomUUID()}`))
    await expectOutage(await askWith(shop.apiKey, 'GET', '/v2/paymentjobs'))
    await expectOutage(await askWith(shop.apiKey, 'POST', '/api/v1/paymentjobs', order))
    await expectOutage(await askWith(shop.apiKey, 'GET', '/v2/reports/listen?as=answers'))
  })

  it('a token of this hub that has expired is not called wrong either, once the schedule has looked', async () => {
    await loseRegistry()
    await forgetTokens()
    await watchAll(env, Date.now())
    later()
    await expectOutage(await create(token))
  })

  it('a token works as long as KV knows its shop', async () => {
    await loseRegistry()
    expect((await create(token)).status).toBe(201)
    await loseCopies()
    later()
    await expectOutage(await create(token))
  })

  it('a key instead of a token works as long as KV knows it', async () => {
    expect((await create(shop.apiKey)).status).toBe(201)
    await loseRegistry()
    expect((await create(shop.apiKey)).status).toBe(201)
    await loseCopies()
    later()
    await expectOutage(await create(shop.apiKey))
  })

  it('a customer has to come back later, and is not sent to the shop without a signature', async () => {
    const { payUrl } = await createJob(token)
    const link = new URL(payUrl).pathname.split('/').at(-1)
    await loseRegistry()
    await loseCopies()
    later()
    const page = await send(`/receipt/${link}`, { headers: { accept: 'text/html' } })
    expect(page.headers.get('content-type')).toContain('text/html')
    await expectOutage(page)
  })

  it('a PSP has to notify again if its account may be a lost one', async () => {
    await loseRegistry()
    await watchAll(env, Date.now())
    later()
    await expectOutage(await send(`/notifications/${ACCOUNT.id}`, { method: 'POST', body: 'id=tr_x' }))
  })

  it('a report to a lost shop is tried later, and not given up', async () => {
    receiver(() => new Response(null, { status: 500 }))
    const id = await paidJob(shop)
    await untilTried(id)
    await loseRegistry()
    await loseCopies()
    later()
    const { revision } = (await stored(id)).report ?? {}
    if (revision === undefined) throw new Error('the job has no report')
    expect(await exports.ReportDelivery.attempt({ job: id, revision })).toBe('failed')
    expect((await stored(id)).report).toMatchObject({ state: 'due' })
  })

  it("an operator's token is not called wrong", async () => {
    const named = await makeOperatorToken('viewer')
    await loseRegistry()
    later()
    await expectOutage(await operate('GET', '/health', undefined, named.token))
    expect((await operate('GET', '/health', undefined, `hub_op_${'a'.repeat(43)}`)).status).toBe(401)
  })

  it('healthz, status and the alert say so', async () => {
    await loseRegistry()
    await watchAll(env, Date.now())
    later()
    const answer = await send('/healthz')
    expect(answer.status).toBe(503)
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await answer.json()).toMatchObject({ status: 'failing', registry: 'lost' })
    expect((await send('/healthz', { method: 'HEAD' })).status).toBe(503)
    expect(await (await operate('GET', '/health')).json()).toMatchObject({ state: 'failing' })
    const { alerts } = await (await operate('GET', '/alerts')).json<{ alerts: { subject: string }[] }>()
    expect(alerts.map(({ subject }) => subject)).toContain('registry')
  })

  it('made-up keys are still wrong, and cost D1 nothing', async () => {
    await loseRegistry()
    const batch = vi.spyOn(env.DB, 'batch')
    const prepare = vi.spyOn(env.DB, 'prepare')
    expect((await askWith('k'.repeat(160), 'GET', '/v1/guardian')).status).toBe(401)
    expect([batch.mock.calls, prepare.mock.calls]).toEqual([[], []])
  })
})

describe('while D1 is restored to an earlier day', () => {
  it('a missing shop has to try again, and the others go on: their wrong tokens are wrong', async () => {
    const other = await makePos()
    await env.DB.batch(
      ['api_keys', 'points_of_sale'].map((table) =>
        env.DB.prepare(`delete from ${table} where ${table === 'api_keys' ? 'pos' : 'id'} = ?`).bind(shop.id),
      ),
    )
    later()
    await expectOutage(await askWith(shop.apiKey, 'GET', '/v1/guardian'))
    expect((await create(`${other.id}${'0'.repeat(128)}`)).status).toBe(401)
    expect((await askWith(other.apiKey, 'GET', '/v1/guardian')).status).toBe(200)
    expect((await operate('POST', `/pos/${other.id}/disable`)).status).toBe(200)
    expect((await askWith(other.apiKey, 'GET', '/v1/guardian')).status).toBe(401)
    expect((await send('/healthz')).status).toBe(503)
  })
})

describe('if nothing is lost', () => {
  it('a new hub without a point of sale refuses a key as unknown, and is well', async () => {
    await loseRegistry()
    await forgetChanges()
    later()
    expect((await askWith(shop.apiKey, 'GET', '/v1/guardian')).status).toBe(401)
    expect((await create(`${shop.id}${'0'.repeat(128)}`)).status).toBe(401)
    expect((await send(`/notifications/${ACCOUNT.id}`, { method: 'POST', body: 'id=tr_x' })).status).toBe(200)
    expect((await send('/healthz')).status).toBe(200)
  })

  it('a revoked key is unknown: that is no outage', async () => {
    expect((await operate('POST', `/pos/${shop.id}/keys`)).status).toBe(201)
    expect((await operate('POST', `/pos/${shop.id}/keys/revoke`)).status).toBe(200)
    expect((await askWith(shop.apiKey, 'GET', '/v1/guardian')).status).toBe(401)
  })
})

it('a database without tables is a lost one', async () => {
  await env.DB.prepare('alter table points_of_sale rename to gone').run()
  await watchAll(env, Date.now())
  later()
  try {
    expect(await (await send('/healthz')).json()).toMatchObject({ status: 'failing', registry: 'lost' })
    await expectOutage(await askWith(shop.apiKey, 'GET', '/v1/guardian'))
  } finally {
    await env.DB.prepare('alter table gone rename to points_of_sale').run()
  }
})

it('a copy in KV stays if D1 has lost its original', async () => {
  await loseRegistry()
  await refreshProfile(env, shop.id)
  later()
  expect((await create(token)).status).toBe(201)
})
