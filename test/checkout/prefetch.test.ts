import { beforeEach, describe, expect, it } from 'vitest'
import { createJob, location, order, readJob, send, giveUp } from '../support/hub/hub.ts'
import { liveShop } from '../support/shops/live-pos.ts'

const shop = liveShop()
let id: string
beforeEach(async () => {
  id = (await createJob(shop.token)).paymentJob
})

async function trace() {
  return (await readJob(shop.token, id)).payments.steps.map(({ action, status }) => `${action} ${status}`)
}

/** Counts the requests to the PSP in the meantime. */
async function callsOf(act: () => Promise<unknown>): Promise<number> {
  const before = shop.world.asked.length
  await act()
  return shop.world.asked.length - before
}

const SPECULATIVE: [string, Record<string, string>][] = [
  ['a prefetch', { 'sec-purpose': 'prefetch' }],
  ['a prerender', { 'sec-purpose': 'prefetch;prerender' }],
  ['a prefetch of a proxy', { 'sec-purpose': 'prefetch;anonymous-client-ip' }],
  ['a prefetch of an older browser', { purpose: 'prefetch' }],
  ['a prefetch of an older Firefox', { 'x-moz': 'prefetch' }],
  ['the preview of a link', { 'x-purpose': 'preview' }],
  ['the preview of a link in an older browser', { purpose: 'preview' }],
]

/** Makes the browser ask again when the customer comes. */
async function expectNoEffect(address: string, headers: Record<string, string>): Promise<void> {
  const asked = async () => {
    const response = await send(address, { headers })
    expect(response.status).toBe(503)
    expect(response.headers.get('cache-control')).toBe('no-store')
  }
  expect(await callsOf(asked)).toBe(0)
}

it.each(SPECULATIVE)('/return/{id}?cancelled=1 has no effect for %s', async (_, headers) => {
  await expectNoEffect(`/return/${id}?cancelled=1`, headers)
  expect(await trace()).toEqual(['Start PENDING'])
})

it('/return/{id} has none for a prefetch', async () => {
  await expectNoEffect(`/return/${id}`, { 'sec-purpose': 'prefetch' })
  expect(await trace()).toEqual(['Start PENDING'])
})

it.each(['', '?cancelled=1'])('/return/{id}%s has no effect for HEAD', async (query) => {
  const asked = async () => {
    const response = await send(`/return/${id}${query}`, { method: 'HEAD' })
    expect(response.status).toBe(200)
    expect(await response.text()).toBe('')
  }
  expect(await callsOf(asked)).toBe(0)
  expect(await trace()).toEqual(['Start PENDING'])
})

it('a real GET goes on to cancel', async () => {
  expect(location(await giveUp(`/return/${id}?cancelled=1`))).toBe(order.return_url)
  expect((await trace()).length).toBeGreaterThan(1)
})

it.each(['image', 'iframe', 'script', 'empty'])(
  'another page that embeds ?cancelled=1 as its %s cancels nothing; the customer who goes there does',
  async (dest) => {
    const address = `/return/${id}?cancelled=1`
    expect((await send(address, { headers: { 'sec-fetch-dest': dest } })).status).toBe(200)
    expect(await trace()).toEqual(['Start PENDING', 'Return PENDING'])
    await send(address, { headers: { 'sec-fetch-dest': 'document' } })
    expect((await readJob(shop.token, id)).status).toBe('CANCELLED')
  },
)

it('?cancelled=1 without a word about who loads it cancels nothing, and asks: a robot presses no button', async () => {
  const asked = await send(`/return/${id}?cancelled=1`, { headers: { 'accept-language': 'nl' } })
  const html = await asked.text()
  expect([asked.status, html]).toEqual([
    200,
    expect.stringContaining('Wilt u deze betaling annuleren?') as string,
  ])
  expect((await readJob(shop.token, id)).status).toBe('PENDING')
  const [, action = ''] = /<form action="([^"]+)"/.exec(html) ?? []
  expect(location(await send(`${action}?cancelled=1&sure=1`))).toBe(order.return_url)
  expect((await readJob(shop.token, id)).status).toBe('CANCELLED')
})

it('HEAD of a return leads to the shop once the payment is over', async () => {
  shop.world.fake.setStatus('paid')
  await send(`/return/${id}`)
  expect(location(await send(`/return/${id}`, { method: 'HEAD' }))).toBe(order.return_url)
})

it.each(['/pay', '/return'])('HEAD of %s is 404 for a payment that does not exist', async (path) => {
  expect((await send(`${path}/${crypto.randomUUID()}`, { method: 'HEAD' })).status).toBe(404)
})

describe('/pay/{id} announces nothing', () => {
  let due: string
  beforeEach(async () => {
    shop.world.fault = () => new Response(null, { status: 500 })
    due = (await createJob(shop.token)).paymentJob
    shop.world.fault = null
  })

  it('for a prefetch', () => expectNoEffect(`/pay/${due}`, { 'sec-purpose': 'prefetch' }))

  it('for HEAD', async () => {
    const asked = async () => expect((await send(`/pay/${due}`, { method: 'HEAD' })).status).toBe(503)
    expect(await callsOf(asked)).toBe(0)
  })

  it('but for a real GET', async () => {
    const asked = async () => expect((await send(`/pay/${due}`)).status).toBe(303)
    expect(await callsOf(asked)).toBe(1)
  })
})
