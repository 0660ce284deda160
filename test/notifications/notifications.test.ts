import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { BODY_LIMIT } from '../../src/platform/http/body.ts'
import { publishAccount } from '../../src/registry/copies.ts'
import { createJob, readJob, send } from '../support/hub/hub.ts'
import { referenceOf, stored, waitForNextPull } from '../support/jobs/job.ts'
import { liveShop } from '../support/shops/live-pos.ts'

const shop = liveShop()
let id: string
let path: string
let reference: string
beforeEach(async () => {
  id = (await createJob(shop.token)).paymentJob
  reference = await referenceOf(id)
  path = `/notifications/${(await stored(id)).account}/${id}`
})

function notify(to = path, body: BodyInit = new URLSearchParams({ id: reference })) {
  return send(to, { method: 'POST', body })
}
async function trace() {
  return (await readJob(shop.token, id)).payments.steps.map(({ action, status }) => `${action} ${status}`)
}
function pulls() {
  return shop.world.asked.filter((call) => call.startsWith('GET')).length
}

describe('a notification', () => {
  it('makes the hub pull the status that the PSP then has', async () => {
    shop.world.fake.setStatus('paid')
    expect((await notify()).status).toBe(200)
    expect(await trace()).toEqual(['Start PENDING', 'Statuspull SUCCESS'])
  })

  it('counts although the PSP wrongly says that it is compressed', async () => {
    shop.world.fake.setStatus('paid')
    const body = new URLSearchParams({ id: reference })
    expect((await send(path, { method: 'POST', body, headers: { 'content-encoding': 'gzip' } })).status).toBe(
      200,
    )
    expect(await trace()).toEqual(['Start PENDING', 'Statuspull SUCCESS'])
  })

  it('that is compressed is a 415, which names the accepted encodings', async () => {
    const response = await notify(path, Uint8Array.of(0x1f, 0x8b, 8))
    expect(response.status).toBe(400)
    const headers = { 'content-encoding': 'gzip' }
    const labelled = await send(path, { method: 'POST', body: Uint8Array.of(0x1f, 0x8b, 8), headers })
    expect([labelled.status, labelled.headers.get('accept-encoding')]).toEqual([415, 'identity'])
  })

  it('that comes twice, or fifty times at once, adds one step', async () => {
    shop.world.fake.setStatus('paid')
    const all = await Promise.all(Array.from({ length: 50 }, () => notify()))
    expect(new Set(all.map(({ status }) => status))).toEqual(new Set([200]))
    expect(await trace()).toEqual(['Start PENDING', 'Statuspull SUCCESS'])
    await vi.waitFor(() => expect(shop.world.reportsOf(id)).toEqual(['SUCCESS']), 15_000)
  })

  it('must come again if the hub cannot pull now, and counts then', async () => {
    shop.world.fault = () => new Response(null, { status: 500 })
    const response = await notify()
    expect(response.status).toBe(503)
    expect(response.headers.get('retry-after')).toBe('60')
    shop.world.fault = null
    shop.world.fake.setStatus('paid')
    waitForNextPull()
    expect((await notify()).status).toBe(200)
    expect(await trace()).toEqual(['Start PENDING', 'Statuspull SUCCESS'])
  })

  it('of a paid job makes the hub ask again, because money may have gone back, and report that once', async () => {
    shop.world.fake.setStatus('paid')
    await notify()
    const before = await trace()
    waitForNextPull()
    await notify()
    expect(pulls()).toBe(2)
    expect(await trace()).toEqual(before)
  })

  it('that comes twice at once of a paid job costs the PSP one pull', async () => {
    shop.world.fake.setStatus('paid')
    await Promise.all([notify(), notify()])
    await notify()
    expect(pulls()).toBe(1)
  })
})

it('a notification to an account that cannot be opened now must come again', async () => {
  const account = {
    id: `closed-${crypto.randomUUID().slice(0, 8)}`,
    psp: 'mollie',
    mode: 'live',
    sealed: 'nonsense',
  } as const
  await publishAccount(env.TOKENS, account)
  const response = await notify(`/notifications/${account.id}/${id}`)
  expect(response.status).toBe(503)
  expect(response.headers.get('retry-after')).toBe('60')
})

it.each([
  ['too large', 413, 'x'.repeat(BODY_LIMIT + 1)],
  ['no text', 400, new Uint8Array([0x69, 0x64, 0x3d, 0xff])],
] as const)('a notification that is %s is refused, and asks nobody', async (_, status, body) => {
  expect((await notify(path, body)).status).toBe(status)
  expect(pulls()).toBe(0)
})

describe('a notification of something unknown', () => {
  it.each([
    ['no such account', () => notify(`/notifications/nobody/${id}`)],
    ['no such job, nor account', () => notify(`/notifications/mollie/${crypto.randomUUID()}`)],
    ['no such job at the account', () => notify(path.replace(id, crypto.randomUUID()))],
    ['no job at all', () => notify('/notifications/mollie')],
    ['not even an account', () => notify('/notifications')],
    ['another payment', () => notify(path, new URLSearchParams({ id: 'tr_somethingelse' }))],
    ['no payment', () => notify(path, 'nonsense')],
  ])('gets a 200 and pulls nothing: %s', async (_, call) => {
    expect((await call()).status).toBe(200)
    expect(pulls()).toBe(0)
  })
})
