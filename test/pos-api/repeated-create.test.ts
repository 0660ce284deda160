import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it } from 'vitest'
import { refreshProfile } from '../../src/registry/copies.ts'
import { type JobJson, create, order, tokenFor, ORIGIN, linkIn, send } from '../support/hub/hub.ts'
import { liveShop } from '../support/shops/live-pos.ts'
import { callWorker } from '../security/call-worker.ts'

let key: { 'idempotency-key': string }
const shop = liveShop()
beforeEach(() => {
  key = { 'idempotency-key': crypto.randomUUID() }
})

describe('a create that is repeated after a change', () => {
  const repeated = async (change: () => Promise<void>) => {
    const first = await (await create(await tokenFor(shop.pos), order, key)).json<JobJson>()
    await change()
    // A token that was issued after the change carries the new routes.
    const token = await tokenFor(shop.pos)
    const again = await create(token, order, key)
    return { first, again, token }
  }

  const withoutRoutes = async () => {
    await env.DB.prepare('delete from routes where pos = ?').bind(shop.pos.id).run()
    await refreshProfile(env, shop.pos.id)
  }

  it('of its route, which is gone, finds the first job, and a new key is refused', async () => {
    const { first, again, token } = await repeated(withoutRoutes)
    expect(again.status).toBe(201)
    expect(await again.json()).toEqual(first)
    expect(shop.world.asked.filter((call) => call.startsWith('POST'))).toHaveLength(1)
    const fresh = await create(token, order, { 'idempotency-key': crypto.randomUUID() })
    expect(fresh.status).toBe(422)
    expect(await fresh.json()).toMatchObject({ field: 'payment_method' })
  })

  it('of its body is a 422 that names the key, with or without the route', async () => {
    const { token } = await repeated(async () => {})
    const other = { ...order, payment_method: 'creditcard' }
    for (const change of [async () => {}, withoutRoutes]) {
      await change()
      const refused = await create(token, other, key)
      expect(refused.status).toBe(422)
      expect(await refused.json()).toMatchObject({ field: 'Idempotency-Key' })
    }
  })
})

/** A request of the shop with an Idempotency-Key, to a hub with this SIGNING_ROOT. */
async function post<Answer>(path: string, body: object, root = env.SIGNING_ROOT): Promise<Answer> {
  const request = new Request(`${ORIGIN}/v2/paymentjobs${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${await tokenFor(shop.pos)}`,
      'content-type': 'application/json',
      'idempotency-key': 'order-7',
    },
    body: JSON.stringify(body),
  })
  const response = await callWorker(request, { ...env, SIGNING_ROOT: root })
  expect(response.status).toBe(201)
  return response.json<Answer>()
}

it('a retry after SIGNING_ROOT was replaced makes no second payment or refund', async () => {
  const replaced = 'fedcba9876543210'.repeat(4)
  const first = await post<JobJson>('', order)
  expect(await post<JobJson>('', order, replaced)).toEqual(first)
  shop.world.fake.bring(first.paymentJob, 'paid')
  await send(`/return/${linkIn(first)}`)
  const path = `/${first.paymentJob}/refunds`
  const refund = await post<{ refund: string }>(path, { amount: '5.00' })
  expect((await post<{ refund: string }>(path, { amount: '5.00' }, replaced)).refund).toBe(refund.refund)
  const posts = shop.world.asked.filter((asked) => asked.startsWith('POST'))
  expect(posts).toHaveLength(2)
})
