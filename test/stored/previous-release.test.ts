import { listDurableObjectIds, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import * as v from 'valibot'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type JobJson, create, createJob, makePos, order, payAs, send, tokenFor } from '../support/hub.ts'
import { stored } from '../support/job.ts'
import { makeLivePos, outside } from '../support/live-pos.ts'
import { operate } from '../support/operator.ts'
import { RELEASE_0_1_0 } from './release-0.1.0.ts'

/** Everything that is stored here comes from real requests: what the hub writes, and not what a test thinks it writes. */
const sent: { queue: string; body: unknown }[] = []
let world: ReturnType<typeof outside>
beforeEach(() => {
  world = outside()
  sent.length = 0
  const deliverAll = env.EDGE.sendBatch.bind(env.EDGE)
  vi.spyOn(env.EDGE, 'sendBatch').mockImplementation((messages) => {
    const batch = [...messages]
    sent.push(...batch.map(({ body }) => ({ queue: 'EDGE', body })))
    return deliverAll(batch)
  })
  for (const queue of ['REPORTS', 'JOB_INDEX'] as const) {
    const deliver = env[queue].send.bind(env[queue])
    vi.spyOn(env[queue], 'send').mockImplementation((body, options) => {
      sent.push({ queue, body })
      return deliver(body, options)
    })
  }
})
afterEach(() => {
  world.stop()
  vi.restoreAllMocks()
})

const bodiesOf = (queue: string): unknown[] =>
  sent.filter((one) => one.queue === queue).map(({ body }) => body)

/** What the objects of a class hold under their keys. */
const insideOf = async (namespace: DurableObjectNamespace): Promise<[key: string, value: unknown][]> => {
  const ids = await listDurableObjectIds(namespace)
  const all = await Promise.all(
    ids.map((id) =>
      runInDurableObject(
        namespace.get(id),
        (_, state) => [...state.storage.kv.list()] as [string, unknown][],
      ),
    ),
  )
  return all.flat()
}

const expectReadable = (schema: v.GenericSchema, values: readonly unknown[]): void => {
  expect(values.length).toBeGreaterThan(0)
  for (const value of values) expect(v.safeParse(schema, value).issues, JSON.stringify(value)).toBeUndefined()
}

describe('release 0.1.0 reads what this release writes', () => {
  it('of payments: objects, tokens, copies of profiles and accounts, messages', async () => {
    const shop = await makePos()
    const live = await makeLivePos()
    const token = await tokenFor(shop)
    const paid = await createJob(token)
    await payAs(paid.payUrl, 'paid')
    await payAs((await createJob(token)).payUrl, 'failed')
    for (const outcome of ['underway', 'authorized', 'late']) {
      await payAs((await createJob(token)).payUrl, outcome)
    }
    const fast = await create(token, order, { 'test-clock-speed': '1000' })
    await payAs((await fast.json<JobJson>()).payUrl, 'paid')
    const { announcement } = await stored(paid.paymentJob)
    if (announcement.is !== 'announced') throw new Error('the payment is not announced')
    await send(`/sandbox/payments/${announcement.reference}/refund`, { method: 'POST' })
    const open = await createJob(await tokenFor(live))
    world.fault = () => new Response(null, { status: 500 })
    await createJob(await tokenFor(live))
    await send(`/return/${open.paymentJob}`)
    await operate('POST', `/pos/${live.id}/secret`)
    await vi.waitFor(async () => expect((await stored(paid.paymentJob)).reports[0]?.state).toBe('delivered'))
    await vi.waitFor(async () => expect(await insideOf(env.JOB_LEDGER)).not.toEqual([]), { timeout: 10_000 })

    const objects = await insideOf(env.PAYMENT_JOB)
    expectReadable(
      RELEASE_0_1_0.job,
      objects.filter(([key]) => key === 'job').map(([, value]) => value),
    )
    const payments = await insideOf(env.SANDBOX_PAYMENT)
    expectReadable(
      RELEASE_0_1_0['sandbox-payment'],
      payments.map(([, value]) => value),
    )
    const batches = (await insideOf(env.JOB_LEDGER)).filter(([, value]) => value !== true)
    expectReadable(
      RELEASE_0_1_0['directory-batch'],
      batches.map(([, value]) => value),
    )

    const { keys } = await env.TOKENS.list()
    const values = await Promise.all(
      keys.map(async ({ name }) => [name, await env.TOKENS.get(name, 'json')] as const),
    )
    const under = (prefix: string) =>
      values.filter(([name]) => name.startsWith(prefix)).map(([, value]) => value)
    expectReadable(RELEASE_0_1_0.token, under('token:'))
    expectReadable(RELEASE_0_1_0.profile, under('pos:'))
    expectReadable(RELEASE_0_1_0.account, under('account:'))

    expectReadable(RELEASE_0_1_0['report-message'], bodiesOf('REPORTS'))
    expectReadable(RELEASE_0_1_0['index-message'], bodiesOf('JOB_INDEX'))
    expectReadable(RELEASE_0_1_0['profile-refresh-message'], bodiesOf('EDGE'))
  })
})
