import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { callWorker } from '../security/call-worker.ts'
import { type JobJson, ORIGIN, linkIn, order, send, tokenFor } from '../support/hub.ts'
import { makeLivePos, outside } from '../support/live-pos.ts'

let world: ReturnType<typeof outside>
let token: string
beforeEach(async () => {
  world = outside()
  token = await tokenFor(await makeLivePos())
})
afterEach(() => {
  world.stop()
  vi.restoreAllMocks()
})

/** A request of the shop under an Idempotency-Key, to a hub whose SIGNING_ROOT is this. */
async function post<Answer>(path: string, body: object, root = env.SIGNING_ROOT): Promise<Answer> {
  const request = new Request(`${ORIGIN}/v2/paymentjobs${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'idempotency-key': 'order-7',
    },
    body: JSON.stringify(body),
  })
  const response = await callWorker(request, { ...env, SIGNING_ROOT: root })
  expect(response.status).toBe(201)
  return response.json<Answer>()
}

it('a retry after SIGNING_ROOT was replaced makes no second payment, and no second refund', async () => {
  const replaced = '7e'.repeat(32)
  const first = await post<JobJson>('', order)
  expect(await post<JobJson>('', order, replaced)).toEqual(first)
  world.fake.bring(first.paymentJob, 'paid')
  await send(`/return/${linkIn(first)}`)
  const path = `/${first.paymentJob}/refunds`
  const refund = await post<{ refund: string }>(path, { amount: '5.00' })
  expect((await post<{ refund: string }>(path, { amount: '5.00' }, replaced)).refund).toBe(refund.refund)
  const posts = world.asked.filter((asked) => asked.startsWith('POST'))
  expect(posts).toHaveLength(2)
})
