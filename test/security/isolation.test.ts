import { env } from 'cloudflare:workers'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  type Pos,
  askWith,
  create,
  createJob,
  makePos,
  order,
  payAs,
  read,
  send,
  tokenFor,
} from '../support/hub/hub.ts'
import { referenceOf, stored } from '../support/jobs/job.ts'
import { operate } from '../support/hub/operator.ts'
import { receiver } from '../support/shops/receiver.ts'

let shop: ReturnType<typeof receiver>
let ownShop: { pos: Pos; token: string }
let otherShop: { pos: Pos; token: string }
beforeEach(() => void (shop = receiver()))
beforeAll(async () => {
  const [first, second] = [await makePos(), await makePos()]
  ownShop = { pos: first, token: await tokenFor(first) }
  otherShop = { pos: second, token: await tokenFor(second) }
})

/** All that a stranger could learn from an answer, without the request id. */
async function visibleIn(response: Response) {
  return {
    status: response.status,
    headers: [...response.headers].filter(([name]) => name !== 'x-request-id'),
    body: await response.text(),
  }
}

describe('a job of another point of sale', () => {
  it.each(['GET', 'HEAD', 'DELETE', 'POST'])(
    'gets the same answer to %s as a job that never existed',
    async (method) => {
      const { paymentJob } = await createJob(ownShop.token)
      const ask = async (id: string) =>
        visibleIn(await askWith(otherShop.token, method, `/v2/paymentjobs/${id}`))
      expect(await ask(paymentJob)).toEqual(await ask(crypto.randomUUID()))
    },
  )

  it('is not found under its Idempotency-Key', async () => {
    const key = { 'idempotency-key': 'order-7' }
    const first = await (await create(ownShop.token, order, key)).json<{ paymentJob: string }>()
    const other = await create(otherShop.token, { ...order, amount: '99.00' }, key)
    expect(other.status).toBe(201)
    expect((await other.json<{ paymentJob: string }>()).paymentJob).not.toBe(first.paymentJob)
  })

  it('cannot be reached by changing the part of a token that names its owner', async () => {
    const { paymentJob } = await createJob(ownShop.token)
    const forged = ownShop.pos.id + otherShop.token.slice(32)
    expect((await read(forged, paymentJob)).status).toBe(401)
  })

  it('is not pulled because of a notification for another account, which gets the answer for an unknown job', async () => {
    const { paymentJob } = await createJob(ownShop.token)
    const before = await stored(paymentJob)
    const body = new URLSearchParams({ id: await referenceOf(paymentJob) })
    const notify = async (path: string) =>
      visibleIn(await send(`/notifications/${path}`, { method: 'POST', body }))
    expect(await notify(`mollie/${paymentJob}`)).toEqual(await notify(`mollie/${crypto.randomUUID()}`))
    expect((await stored(paymentJob)).steps).toEqual(before.steps)
  })
})

describe('a disabled point of sale', () => {
  let closed: { pos: Pos; token: string; payUrl: string; id: string }
  beforeAll(async () => {
    const pos = await makePos({ signReturn: true })
    const token = await tokenFor(pos)
    const { payUrl, paymentJob } = await createJob(token)
    expect((await operate('POST', `/pos/${pos.id}/disable`)).status).toBe(200)
    closed = { pos, token, payUrl, id: paymentJob }
  })

  it('cannot use a token that was issued just as it was disabled', async () => {
    const pos = await makePos()
    const put = env.TOKENS.put.bind(env.TOKENS)
    let written = ''
    const late = vi.spyOn(env.TOKENS, 'put').mockImplementationOnce(async (name: string, value: unknown) => {
      await operate('POST', `/pos/${pos.id}/disable`)
      await put(name, String(value))
      written = name
    })
    const token = await tokenFor(pos)
    late.mockRestore()
    expect(written).toContain(`token:${pos.id}:`)
    expect((await read(token, crypto.randomUUID())).status).toBe(401)
    await operate('POST', `/pos/${pos.id}/enable`)
    expect((await read(token, crypto.randomUUID())).status).toBe(401)
  })

  it('gets no token, and cannot create or read with its old one', async () => {
    expect((await askWith(closed.pos.apiKey, 'GET', '/v1/guardian')).status).toBe(401)
    expect((await create(closed.token)).status).toBe(401)
    expect((await read(closed.token, closed.id)).status).toBe(401)
  })

  it.each(['from its copy in KV', 'without the copy'])(
    'still has its open job paid, signed at the return, and reported: %s',
    async (copy) => {
      const open = await openJobOfDisabled()
      if (copy === 'without the copy') await env.TOKENS.delete(`pos:${open.pos}`)
      expect(await payAs(open.payUrl, 'paid')).toMatch(
        /^https:\/\/shop\.nl\/thanks\?order=7&.*&signature=[0-9a-f]{128}$/,
      )
      await vi.waitFor(() => expect(shop.of(open.id)).toHaveLength(1), 15_000)
    },
  )

  const openJobOfDisabled = async () => {
    const pos = await makePos({ signReturn: true })
    const { payUrl, paymentJob } = await createJob(await tokenFor(pos))
    await operate('POST', `/pos/${pos.id}/disable`)
    return { pos: pos.id, payUrl, id: paymentJob }
  }
})
