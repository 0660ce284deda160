import { untilOf } from '../../src/job/core/state.ts'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import {
  ORIGIN,
  create,
  createJob,
  location,
  makePos,
  order,
  payAs,
  readJob,
  refreshOf,
  send,
  tokenFor,
  giveUp,
} from '../support/hub/hub.ts'
import { stored, waitForNextPull } from '../support/jobs/job.ts'
import { liveShop } from '../support/shops/live-pos.ts'

const shop = liveShop()
let id: string
beforeEach(async () => {
  id = (await createJob(shop.token)).paymentJob
})

async function trace() {
  return (await readJob(shop.token, id)).payments.steps.map(({ action, status }) => `${action} ${status}`)
}

describe('a customer who comes back while the PSP still says pending', () => {
  it('waits on a page without a result, which refreshes', async () => {
    const response = await send(`/return/${id}`)
    expect(response.status).toBe(200)
    expect(await refreshOf(response)).toBe(`/return/${(await stored(id)).link}?look=2`)
    expect(await response.text()).toContain('Je betaling wordt verwerkt')
    expect(await trace()).toEqual(['Start PENDING', 'Return PENDING'])
  })

  it('goes on to the shop as soon as there is an outcome', async () => {
    const again = await refreshOf(await send(`/return/${id}`))
    shop.world.fake.setStatus('paid')
    waitForNextPull()
    expect(location(await send(again ?? ''))).toBe(order.return_url)
    expect(await trace()).toEqual(['Start PENDING', 'Return PENDING', 'Statuspull SUCCESS'])
  })

  it('goes on to the shop after some seconds in any case', async () => {
    let response = await send(`/return/${id}`)
    let looks = 1
    for (let again = await refreshOf(response); again !== null; again = await refreshOf(response), looks++) {
      response = await send(again)
    }
    expect(location(response)).toBe(order.return_url)
    expect(looks).toBe(4)
    expect((await readJob(shop.token, id)).status).toBe('PENDING')
  })

  it.each(['0', '-1', '1.5', 'NaN', '', '%00'])(
    'comes back for the first time with a look of "%s"',
    async (look) => {
      const response = await send(`/return/${id}?look=${look}`)
      expect(await refreshOf(response)).toBe(`/return/${(await stored(id)).link}?look=2`)
      expect(await trace()).toEqual(['Start PENDING', 'Return PENDING'])
    },
  )

  it('goes on to the shop with a look beyond the last', async () => {
    expect(location(await send(`/return/${id}?look=99999999999999999999`))).toBe(order.return_url)
  })

  it('is sent on when the hub cannot ask the PSP at all', async () => {
    shop.world.fault = () => new Response(null, { status: 500 })
    expect(location(await send(`/return/${id}?look=4`))).toBe(order.return_url)
    expect((await readJob(shop.token, id)).status).toBe('PENDING')
  })
})

it('a customer whose money the PSP reserves first goes on to the shop, once the hub has captured it', async () => {
  const { fake } = shop.world
  fake.setStatus('authorized')
  shop.world.fault = async (request) => {
    if (request.url.endsWith('/captures')) await new Promise((resolve) => setTimeout(resolve, 300))
    return fake.handle(request)
  }
  expect(location(await send(`/return/${id}`))).toBe(order.return_url)
  expect(await readJob(shop.token, id)).toMatchObject({ status: 'SUCCESS', amountPaid: '12.50' })
})

it("a customer who comes to pay too late sees so, even before the job's alarm has run", async () => {
  vi.setSystemTime(untilOf(await stored(id)))
  const response = await send(`/pay/${id}`)
  expect(response.status).toBe(200)
  expect(await response.text()).toContain('De tijd om te betalen is voorbij')
})

it('a customer who comes back before the payment was announced is sent to pay', async () => {
  shop.world.fault = () => new Response(null, { status: 500 })
  const { paymentJob, payUrl } = await createJob(shop.token)
  expect(location(await send(`/return/${paymentJob}`))).toBe(payUrl)
  expect(location(await giveUp(`/return/${paymentJob}?cancelled=1`))).toBe(payUrl)
})

it('a customer who gave up goes on to the shop at once, even while the PSP has not stopped the payment', async () => {
  shop.world.fault = (request) =>
    request.method === 'DELETE' ? new Response(null, { status: 502 }) : shop.world.fake.handle(request)
  expect(location(await giveUp(`/return/${id}?cancelled=1`))).toBe(order.return_url)
  expect((await readJob(shop.token, id)).status).toBe('PENDING')
})

it('a return_url with letters that a header cannot hold is encoded as browsers do', async () => {
  const return_url = 'https://shop.nl/bedankt/ü?naam=Zoë'
  const { paymentJob } = await createJob(shop.token, { return_url })
  shop.world.fake.setStatus('paid')
  expect(location(await send(`/return/${paymentJob}`))).toBe(new URL(return_url).href)
})

it('a signed return keeps the fragment of return_url at its end', async () => {
  const return_url = 'https://shop.nl/app?x=1#/thanks'
  const { payUrl } = await createJob(await tokenFor(await makePos({ signReturn: true })), { return_url })
  expect(await payAs(payUrl, 'paid')).toMatch(
    /^https:\/\/shop\.nl\/app\?x=1&order_number=A-7&order_code=7&payment_job=[0-9a-f-]{36}&signature=[0-9a-f]{128}#\/thanks$/,
  )
})

it.each([
  [
    'has no query',
    'https://shop.nl/thanks',
    /^https:\/\/shop\.nl\/thanks\?order_number=A-7&order_code=7&payment_job=/,
  ],
  ['has no path', 'https://shop.nl', /^https:\/\/shop\.nl\?order_number=A-7&order_code=7&payment_job=/],
])('a signed return goes to an address that %s', async (_, return_url, leadsTo) => {
  const { payUrl } = await createJob(await tokenFor(await makePos({ signReturn: true })), { return_url })
  expect(await payAs(payUrl, 'paid')).toMatch(leadsTo)
})

describe("a customer of the hub's own till, which has no addresses of a shop", () => {
  it('ends at the page of the payment, which has the receipt; shops must give both addresses', async () => {
    const till = `${ORIGIN}/till`
    const job = await createJob(shop.token, { return_url: till, report_url: till })
    shop.world.fake.setStatus('paid')
    const end = location(await send(`/return/${job.paymentJob}`))
    expect(end).toContain('/pay/')
    const page = await (await send(new URL(end).pathname)).text()
    expect(page).toContain('/receipt/')
    expect(page).not.toContain(till)
    for (const address of [undefined, '', `${ORIGIN}/till/`, `${ORIGIN}/`, 'https://example.com:8443/till']) {
      const refused = await create(shop.token, { ...order, return_url: address, report_url: address })
      expect(refused.status).toBe(422)
    }
  })
})
