import { beforeEach, expect, it, vi } from 'vitest'
import { phpJson } from '../../src/pos-api/v1-routes.ts'
import { hmacSha512 } from '../support/shops/hmac.ts'
import { type Pos, create, makePos, order, payAs, send, tokenFor } from '../support/hub/hub.ts'
import { operate } from '../support/hub/operator.ts'
import { receiver } from '../support/shops/receiver.ts'

/*
 * The requests of the PayoCity PHP SDK 1.0.1 and 1.0.2 and the WooCommerce plugin "Professional Payment Portal", and how they verify
 * answers. Both send the API key as bearer, never the token: that is the key of every signature.
 */

const WOO_RETURN = 'https://shop.nl/?wc-api=Wc_Ppp_Gateway_Return'
const WOO_ORDER = {
  ...order,
  datetime: '2026-01-31T10:00:00+00:00',
  return_url: WOO_RETURN,
  order_number: 'A-é/7',
  additional_data: { user_token: 'x', user_agent: 'y' },
}

let reports: ReturnType<typeof receiver>
beforeEach(() => {
  reports = receiver()
})

type V1Job = { paymentJob: string; status: string; pay_url: string; payUrl: string; error: string | null }

async function ask(apiKey: string, path: string, body?: object) {
  const text = body && JSON.stringify(body)
  const response = await send(`/api/v1/${path}`, {
    method: text === undefined ? 'GET' : 'POST',
    headers: {
      accept: 'application/json',
      authorization: `Bearer ${apiKey}`,
      'content-type': 'application/json',
      // Signed with a token that the client kept too long.
      ...(text === undefined ? {} : { 'x-signature': 'ab'.repeat(64) }),
    },
    ...(text === undefined ? {} : { body: text }),
  })
  return { response, text: await response.clone().text() }
}

/** Checks that both clients accept an answer: by its raw body, and by the body that PHP decoded and encoded again. */
async function verified(token: string, { response, text }: Awaited<ReturnType<typeof ask>>): Promise<V1Job> {
  expect(response.headers.get('x-signature')).toBe(await hmacSha512(token, text))
  expect(phpJson(JSON.parse(text))).toBe(text)
  return JSON.parse(text) as V1Job
}

async function guardian({ apiKey }: Pos) {
  const { text } = await ask(apiKey, 'guardian')
  return JSON.parse(text) as { token: string; expiration: number; expiration_datetime: string }
}

it('the token of a client of v1 verifies the answers, the report and the return of a payment', async () => {
  const pos = await makePos({ dialect: 'v1' })
  const { token } = await guardian(pos)
  const created = await ask(pos.apiKey, 'paymentjobs/?testmode=true', WOO_ORDER)
  expect(created.response.status).toBe(201)
  const job = await verified(token, created)
  expect(job).toMatchObject({ status: 'OPEN', error: null, orderNumber: 'A-é/7', pay_url: job.payUrl })

  const back = new URL(await payAs(job.pay_url, 'paid')).searchParams
  const returned = `${back.get('order_number')},${back.get('order_code')},${back.get('payment_job')}`
  expect(returned).toBe(`A-é/7,7,${job.paymentJob}`)
  expect([back.get('wc-api'), back.get('signature')]).toEqual([
    'Wc_Ppp_Gateway_Return',
    await hmacSha512(token, returned),
  ])

  const paid = await verified(token, await ask(pos.apiKey, `paymentjobs/${job.paymentJob}`))
  expect(paid).toMatchObject({ status: 'SUCCESS', amountPaid: '12.50' })

  const [report] = await vi.waitFor(() => {
    const got = reports.of(job.paymentJob)
    expect(got).toHaveLength(1)
    return got
  }, 5000)
  expect(report?.headers['x-signature']).toBe(await hmacSha512(token, report?.body ?? ''))
})

it("an order from the shop's back office has no customer's address, and no PSP gets one", async () => {
  const pos = await makePos({ dialect: 'v1' })
  const created = await ask(pos.apiKey, 'paymentjobs', { ...WOO_ORDER, ip_address: '' })
  expect(created.response.status).toBe(201)
  const { paymentJob } = await verified((await guardian(pos)).token, created)
  const personal = await operate('POST', `/jobs/${paymentJob}/personal`)
  expect(await personal.json()).toEqual({ paymentJob, ipAddress: '' })
  const ofV2 = await makePos()
  expect((await create(await tokenFor(ofV2), { ip_address: '' })).status).toBe(422)
})

it('a refusal is also signed, and names the wrong field', async () => {
  const pos = await makePos({ dialect: 'v1' })
  const { token } = await guardian(pos)
  const refused = await ask(pos.apiKey, 'paymentjobs', { ...WOO_ORDER, amount: 'much' })
  expect(refused.response.status).toBe(422)
  expect(await verified(token, refused)).toMatchObject({ field: 'amount', code: 'fields-invalid' })
  const unknown = await ask(pos.apiKey, `paymentjobs/${crypto.randomUUID()}`)
  expect(await verified(token, unknown)).toMatchObject({ status: 404, code: 'job-not-found' })
})

it('a token is valid until another secret signs, so that a change of secrets leaves no client behind', async () => {
  const pos = await makePos({ dialect: 'v1' })
  const hour = Date.now() / 1000 + 3600
  expect((await guardian(pos)).expiration).toBeCloseTo(hour, -1)
  const before = pos.signingSecret
  await operate('POST', `/pos/${pos.id}/secret`, { overlapHours: 0.5 })
  const during = await guardian(pos)
  expect(during).toMatchObject({ token: before })
  expect(during.expiration).toBeCloseTo(hour - 1800, -1)
  await operate('POST', `/pos/${pos.id}/secret`, { overlapHours: 0 })
  expect((await guardian(pos)).token).not.toBe(before)
})

it('a client of v2 of the same point of sale is not affected', async () => {
  const pos = await makePos({ dialect: 'v1' })
  const token = await tokenFor(pos)
  expect(token).toMatch(/^[0-9a-f]{160}$/)
  expect(await (await create(token)).json()).toMatchObject({ status: 'PENDING' })
})

it('is off until the operator switches it on', async () => {
  const pos = await makePos()
  expect((await guardian(pos)).token).toMatch(/^[0-9a-f]{160}$/)
  const off = await ask(pos.apiKey, 'paymentjobs', WOO_ORDER)
  expect(off.response.status).toBe(404)
  expect(await verified(pos.signingSecret, off)).toMatchObject({ code: 'address-unknown' })
  const changed = await operate('POST', `/pos/${pos.id}`, { dialect: 'v1' })
  expect(await changed.json()).toMatchObject({ dialect: 'v1', signReturn: true })
  expect((await ask(pos.apiKey, 'paymentjobs', WOO_ORDER)).response.status).toBe(201)
})

it.each([undefined, 'wrong', 'x'.repeat(160)])('no client is served without an API key: %s', async (key) => {
  for (const path of ['guardian', 'paymentjobs/x']) {
    const headers = key === undefined ? {} : { authorization: `Bearer ${key}` }
    expect((await send(`/api/v1/${path}`, { headers })).status).toBe(401)
  }
})
