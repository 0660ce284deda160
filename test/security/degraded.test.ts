import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { rowOf } from '../../src/job/core/row.ts'
import { consumeJobIndex } from '../../src/job-index/consume-rows.ts'
import {
  type Pos,
  create,
  createJob,
  location,
  makePos,
  payAs,
  read,
  readJob,
  send,
  tokenFor,
} from '../support/hub/hub.ts'
import { recordAnswer, ringNext, stored } from '../support/jobs/job.ts'
import { makeLivePos, outside } from '../support/shops/live-pos.ts'
import { operate } from '../support/hub/operator.ts'
import { batchOf } from '../support/hub/queue.ts'
import { watchLogs } from './evidence.ts'
import de from '../../src/checkout/texts/de.json'
import { breakD1, breakKv, breakObjects, breakQueues } from './outages.ts'

let world: ReturnType<typeof outside>
let pos: Pos
let token: string
beforeEach(async () => {
  // Silent: test/security/canaries.test.ts checks what the hub logs.
  watchLogs()
  world = outside()
  pos = await makePos()
  token = await tokenFor(pos)
})

async function expectTryAgain(response: Response): Promise<void> {
  expect(response.status).toBe(503)
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
  // Customers get a page.
  if (response.headers.get('content-type')?.startsWith('text/html')) return
  const problem = { status: 503, error: expect.any(String) as string, field: '' }
  expect(await response.json()).toMatchObject(problem)
}

function guardian() {
  return send('/v1/guardian', { headers: { authorization: `Bearer ${pos.apiKey}` } })
}

function untilReported(id: string, statuses: string[]) {
  return vi.waitFor(() => expect(world.reportsOf(id)).toEqual(statuses), 15_000)
}

function statusInIndex(id: string) {
  return env.DB.prepare('select status from jobs where id = ?').bind(id).first('status')
}

describe('while D1 is down', () => {
  let mend: () => void
  beforeEach(() => {
    mend = breakD1()
  })

  it('a job is created, read, paid and reported, its customer returns, and the index catches up', async () => {
    expect((await create(token)).status).toBe(201)
    const { payUrl, paymentJob } = await createJob(token)
    expect(await payAs(payUrl, 'paid')).toBe('https://shop.nl/thanks?order=7')
    expect((await readJob(token, paymentJob)).status).toBe('SUCCESS')
    await untilReported(paymentJob, ['SUCCESS'])
    const row = { row: rowOf(await stored(paymentJob)), listed: true }
    const failed = batchOf([row], 'payment-hub-job-index')
    await consumeJobIndex(failed.batch, env)
    expect([failed.acked(), failed.retried()]).toEqual([0, 1])
    mend()
    const late = batchOf([row], 'payment-hub-job-index')
    await consumeJobIndex(late.batch, env)
    expect(late.acked()).toBe(1)
    expect(await statusInIndex(paymentJob)).toBe('SUCCESS')
  })

  it('a notification is accepted, and the hub pulls the status', async () => {
    mend()
    const live = await tokenFor(await makeLivePos())
    mend = breakD1()
    const { paymentJob } = await createJob(live)
    const { account } = await stored(paymentJob)
    world.fake.setStatus('paid')
    const reference = world.fake.payments[0]?.id ?? ''
    const body = new URLSearchParams({ id: reference })
    expect((await send(`/notifications/${account}/${paymentJob}`, { method: 'POST', body })).status).toBe(200)
    expect((await readJob(live, paymentJob)).status).toBe('SUCCESS')
  })

  it('requests for a token, or for what only D1 has, must try again', async () => {
    await expectTryAgain(await guardian())
    await expectTryAgain(await operate('GET', '/pos'))
    await expectTryAgain(await operate('POST', '/pos', { name: 'Shop 2' }))
    mend()
    expect((await guardian()).status).toBe(200)
  })
})

describe('while KV is down', () => {
  it('clients of the API must try again', async () => {
    const { paymentJob } = await createJob(token)
    const fresh = await tokenFor(pos)
    breakKv()
    await expectTryAgain(await create(fresh))
    await expectTryAgain(await read(fresh, paymentJob))
    await expectTryAgain(await guardian())
  })

  it('a token that was just used still works for some seconds', async () => {
    const { paymentJob } = await createJob(token)
    breakKv()
    expect((await read(token, paymentJob)).status).toBe(200)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 21_000 })
    await expectTryAgain(await read(token, paymentJob))
  })

  it.each(['test', 'live'] as const)(
    'customers pay and return, and the hub reports, in %s mode',
    async (mode) => {
      const its = mode === 'test' ? token : await tokenFor(await makeLivePos())
      const { payUrl, paymentJob } = await createJob(its)
      const mend = breakKv()
      if (mode === 'test') expect(await payAs(payUrl, 'paid')).toBe('https://shop.nl/thanks?order=7')
      else {
        expect(location(await send(payUrl))).toContain('mollie.com/checkout/')
        world.fake.setStatus('paid')
        expect(location(await send(`/return/${paymentJob}`))).toBe('https://shop.nl/thanks?order=7')
      }
      await untilReported(paymentJob, ['SUCCESS'])
      mend()
      expect((await readJob(its, paymentJob)).status).toBe('SUCCESS')
    },
  )
})

it('while the queues accept nothing, nothing is lost that an alarm finds: the report and the row come later', async () => {
  const mend = breakQueues()
  const { paymentJob } = await createJob(token)
  await recordAnswer(paymentJob, {
    is: 'observed',
    status: 'SUCCESS',
    paid: 1250,
    expiresAt: null,
  })
  await ringNext(paymentJob)
  expect(world.reportsOf(paymentJob)).toEqual([])
  mend()
  // The alarm repeats pending work within a minute of the loss.
  await ringNext(paymentJob)
  await ringNext(paymentJob)
  vi.useRealTimers()
  await untilReported(paymentJob, ['SUCCESS'])
  await vi.waitFor(async () => expect(await statusInIndex(paymentJob)).toBe('SUCCESS'))
}, 15_000)

it('while the PSP is down, a job is created all the same, and is paid once the PSP is back', async () => {
  const live = await tokenFor(await makeLivePos())
  world.fault = () => Response.json({ status: 503, title: 'Unavailable', detail: 'down' }, { status: 503 })
  const { payUrl, paymentJob, status, error } = await createJob(live)
  expect([status, typeof error]).toEqual(['PENDING', 'string'])
  expect((await send(payUrl)).status).toBe(503)
  world.fault = null
  vi.setSystemTime(Date.now() + 2000)
  expect(location(await send(payUrl))).toContain('mollie.com/checkout/')
  world.fake.setStatus('paid')
  await send(`/return/${paymentJob}`)
  expect(await readJob(live, paymentJob)).toMatchObject({ status: 'SUCCESS', error: null })
})

describe('an object that fails', () => {
  /** Every request from outside that reaches a job's object. */
  const ways: [string, (id: string) => Promise<Response>][] = [
    ['a create', () => create(token)],
    ['a create with a key', () => create(token, undefined, { 'idempotency-key': crypto.randomUUID() })],
    ['a read', (id) => read(token, id)],
    ['a customer who pays', (id) => send(`/pay/${id}`)],
    ['a customer who returns', (id) => send(`/return/${id}`)],
    ['a notification', (id) => send(`/notifications/sandbox/${id}`, { method: 'POST', body: 'id=tr_x' })],
    ['an operator', (id) => operate('GET', `/jobs/${id}`)],
  ]

  it.each(ways)('because it is overloaded is not called again: %s must come back', async (_, ask) => {
    const { paymentJob } = await createJob(token)
    const objects = breakObjects('overloaded')
    await expectTryAgain(await ask(paymentJob))
    expect(objects.calls()).toContain(1)
  })

  it.each(ways)('for a short time is called again: %s notices nothing', async (_, ask) => {
    const { paymentJob } = await createJob(token)
    const objects = breakObjects('retryable', 1)
    expect((await ask(paymentJob)).status).toBeLessThan(400)
    expect(Math.max(...objects.calls())).toBeGreaterThan(1)
  })

  it.each(ways)('for longer gets three calls: then %s must come back', async (_, ask) => {
    const { paymentJob } = await createJob(token)
    const objects = breakObjects('retryable')
    await expectTryAgain(await ask(paymentJob))
    expect(objects.calls()).toContain(3)
  })

  it.each(['pay', 'return', 'receipt'])(
    'shows a customer a page at /%s, in the language of the browser',
    async (way) => {
      const { paymentJob } = await createJob(token)
      breakObjects('overloaded')
      const response = await send(`/${way}/${paymentJob}`, { headers: { 'accept-language': 'de' } })
      await expectTryAgain(response.clone())
      expect(await response.text()).toContain(`<h1>${de.UNAVAILABLE}</h1>`)
    },
  )
})
