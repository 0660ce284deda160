import { listDurableObjectIds, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import * as v from 'valibot'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Job } from '../../src/domain/job.ts'
import { messageOf } from '../../src/payment-job/job-snapshot.ts'
import { type JobJson, create, createJob, makePos, order, payAs, send, tokenFor } from '../support/hub.ts'
import { stored } from '../support/job.ts'
import { makeLivePos, outside } from '../support/live-pos.ts'
import { operate } from '../support/operator.ts'
import { addAccount, route } from '../support/psp-world.ts'
import { RELEASE_0_1_0 } from './release-0.1.0.ts'
import { RELEASE_0_2_0 } from './release-0.2.0.ts'
import { RELEASE_0_3_0 } from './release-0.3.0.ts'

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

/** What the job directory holds, the list of its days left out. */
const batchesOfIds = async (): Promise<unknown[]> =>
  (await insideOf(env.JOB_LEDGER)).map(([, value]) => value).filter((value) => value !== true)

const expectReadable = (schema: v.GenericSchema, values: readonly unknown[]): void => {
  expect(values.length).toBeGreaterThan(0)
  for (const value of values) expect(v.safeParse(schema, value).issues, JSON.stringify(value)).toBeUndefined()
}

/** An account is silent when the order comes, and another one takes it. */
const failOver = async (): Promise<void> => {
  const shop = await makePos({ mode: 'live' })
  const at = { fake: world.fake, psp: 'mollie' }
  await route(shop, '*', await addAccount(at, 0), await addAccount(at, 1))
  let calls = 0
  world.fault = (request) =>
    calls++ === 0 ? new Response(null, { status: 502 }) : world.fake.handle(request)
  await createJob(await tokenFor(shop))
}

/** Payments of every kind, as they leave things behind. */
const play = async (): Promise<void> => {
  const shop = await makePos()
  const live = await makeLivePos()
  const token = await tokenFor(shop)
  const paid = await createJob(token)
  await payAs(paid.payUrl, 'paid')
  await payAs((await createJob(shop.apiKey)).payUrl, 'failed')
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
  await failOver()
  await operate('POST', `/pos/${live.id}/secret`)
  await vi.waitFor(async () => {
    const { reports, moneyBack } = await stored(paid.paymentJob)
    expect(moneyBack?.refunded).toBe(1250)
    expect(reports[0]?.state).toBe('delivered')
  })
  // The first try of a report is no message. This one is.
  await operate('POST', `/jobs/${paid.paymentJob}/resend`)
  await vi.waitFor(async () => expect(await batchesOfIds()).not.toEqual([]), 10_000)
}

describe('what this release writes is read', () => {
  it('by the releases before: objects, tokens, copies of profiles and accounts, messages', async () => {
    await play()
    const objects = await insideOf(env.PAYMENT_JOB)
    const under = (key: string) => objects.filter(([name]) => name === key).map(([, value]) => value)
    const payments = (await insideOf(env.SANDBOX_PAYMENT)).map(([, value]) => value)
    const batches = await batchesOfIds()
    const { keys } = await env.TOKENS.list()
    const values = await Promise.all(
      keys.map(async ({ name }) => [name, await env.TOKENS.get(name, 'json')] as const),
    )
    const inKv = (prefix: string) =>
      values.filter(([name]) => name.startsWith(prefix)).map(([, value]) => value)
    for (const release of [RELEASE_0_1_0, RELEASE_0_2_0, RELEASE_0_3_0]) {
      expectReadable(release.job, under('job'))
      expectReadable(release['sandbox-payment'], payments)
      expectReadable(release['directory-batch'], batches)
      expectReadable(release.token, inKv('token:'))
      expectReadable(release.profile, inKv('pos:'))
      expectReadable(release.account, inKv('account:'))
      expectReadable(release['report-message'], bodiesOf('REPORTS'))
      expectReadable(release['index-message'], bodiesOf('JOB_INDEX'))
      expectReadable(release['profile-refresh-message'], bodiesOf('EDGE'))
    }
    for (const release of [RELEASE_0_2_0, RELEASE_0_3_0]) {
      expectReadable(release['money-back'], under('money-back'))
      expectReadable(release['other-payments'], under('other-payments'))
      expectReadable(release['api-key'], inKv('key:'))
    }
    const jobs = await Promise.all((under('job') as Job[]).map(({ id }) => stored(id)))
    expectReadable(
      RELEASE_0_3_0.snapshot,
      jobs.map((job) => JSON.parse(messageOf(job)) as unknown),
    )
  })
})
