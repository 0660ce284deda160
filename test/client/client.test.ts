import * as v from 'valibot'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { CreatedPaymentJob, PaymentJob, PaymentJobList } from '../../src/contract/payment-job.ts'
import { PaymentMethods } from '../../src/contract/payment-methods.ts'
import { Capture, Refund } from '../../src/contract/instruction.ts'
import { JobReportList } from '../../src/contract/failing-reports.ts'
import { type Pos, makePos, payAs } from '../support/hub/hub.ts'
import { quickPauses } from '../support/time/quick-pauses.ts'
import { receiver } from '../support/shops/receiver.ts'
import { answered, type Fault, failureOf, networked, type Sent, timeless, times } from './hub-double.ts'

let pos: Pos
let pauses: number[]
beforeEach(async () => {
  receiver()
  pauses = quickPauses()
  pos = await makePos()
})

function isCreate({ method, path }: Sent): boolean {
  return method === 'POST' && path === '/v2/paymentjobs'
}
function isCall({ path }: Sent): boolean {
  return path.startsWith('/v2/')
}
function isGuardian({ path }: Sent): boolean {
  return path === '/v1/guardian'
}
function cut(): never {
  throw new TypeError('connection lost')
}
/** The hub handles the request, and its answer is lost. */
const answerLost: Fault = async (_, reach) => {
  await (await reach()).text()
  return cut()
}

it('takes an order through its whole life, with answers of the documented form', async () => {
  const { hub } = networked(pos)
  const methods = v.parse(PaymentMethods, await hub.paymentMethods({ language: 'nl' }))
  expect(methods).toMatchObject({ mode: 'test', language: 'nl' })
  const created = v.parse(CreatedPaymentJob, await hub.createPaymentJob(timeless))
  expect(created).toMatchObject({ status: 'PENDING', orderNumber: 'A-7' })
  await payAs(created.payUrl, 'paid')
  const paid = v.parse(PaymentJob, await hub.waitFor(created))
  expect(paid).toMatchObject({ paymentJob: created.paymentJob, status: 'SUCCESS', amountPaid: '12.50' })
  const refund = v.parse(Refund, await hub.refund(paid, { amount: '5.00', description: 'A shirt' }))
  expect(refund).toMatchObject({ amount: '5.00', status: 'PENDING' })
  expect(await hub.refunds(paid.paymentJob)).toEqual([refund])
  const rest = await hub.refund(paid)
  expect(rest.amount).toBe('7.50')
})

const manual = { ...timeless, payment_method: 'creditcard', capture: 'manual' as const }

it('captures reserved money in parts, and releases the rest', async () => {
  const { hub } = networked(pos)
  const job = await hub.createPaymentJob(manual)
  await payAs(job.payUrl, 'paid')
  const reserved = v.parse(PaymentJob, await hub.waitFor(job))
  expect(reserved).toMatchObject({ status: 'PENDING', amountAuthorized: '12.50', amountPaid: '0.00' })
  const one = v.parse(Capture, await hub.capture(job, { amount: '5.00', description: 'One of two' }))
  expect(one).toMatchObject({ amount: '5.00', final: false })
  await hub.waitFor(job, { until: ({ amountPaid }) => amountPaid === '5.00' })
  expect(await hub.captures(job.paymentJob)).toMatchObject([{ capture: one.capture, status: 'SUCCESS' }])
  await hub.release(job)
  const done = await hub.waitFor(job)
  expect(done).toMatchObject({ status: 'SUCCESS', amountPaid: '5.00', amountReleased: '7.50' })
  expect(await failureOf(hub.capture(job))).toMatchObject({ code: 'capture-nothing-left', status: 409 })
})

it('finds jobs, and cancels one', async () => {
  const { hub } = networked(pos)
  const job = await hub.createPaymentJob({ ...timeless, order_number: 'Ü 1' })
  await vi.waitFor(
    async () => {
      const list = await hub.listPaymentJobs({
        orderNumber: 'Ü 1',
        from: new Date(0),
        status: 'PENDING',
        limit: 5,
      })
      expect(v.parse(PaymentJobList, list).paymentJobs).toHaveLength(1)
    },
    { timeout: 15_000, interval: 300 },
  )
  expect(await hub.cancel(job)).toMatchObject({ status: 'CANCELLED' })
})

it('sees the tries of a report, has it sent again, and finds those that fail', async () => {
  const { hub } = networked(pos)
  const job = await hub.createPaymentJob(timeless)
  expect(await hub.reports(job)).toEqual([])
  await payAs(job.payUrl, 'paid')
  const states = async () => (await hub.reports(job)).map(({ state }) => state)
  await vi.waitFor(async () => expect(await states()).toEqual(['delivered']), 15_000)
  await hub.resendReport(job)
  await vi.waitFor(async () => {
    const { reports } = v.parse(JobReportList, { reports: await hub.reports(job) })
    expect(reports.flatMap(({ attempts }) => attempts)).toHaveLength(2)
  }, 15_000)
  expect(await hub.failingReports()).toEqual({ reports: [], next: null })
})

it('reads the job after a refused cancel only if the cancel came too late', async () => {
  const { hub, network } = networked(pos)
  const id = crypto.randomUUID()
  expect(await failureOf(hub.cancel(id))).toMatchObject({ code: 'job-not-found' })
  expect(network.of(`/v2/paymentjobs/${id}`)).toEqual([])
})

it('gets one token for all calls, also for simultaneous ones', async () => {
  const { hub, network } = networked(pos)
  await Promise.all(Array.from({ length: 5 }, () => hub.paymentMethods()))
  await hub.paymentMethods()
  expect(network.of('/v1/guardian')).toHaveLength(1)
  expect(network.of('/v2/paymentmethods')).toHaveLength(6)
})

describe('an error', () => {
  it('has the code, the fields and the id of the request', async () => {
    const { hub, network } = networked(pos)
    const failed = await failureOf(hub.createPaymentJob({ ...timeless, order_id: 'A-7', amount: '0' }))
    expect(failed).toMatchObject({ name: 'HubError', code: 'fields-invalid', status: 422, field: 'amount' })
    expect(failed.errors.map(({ field }) => field).toSorted()).toEqual(['amount', 'order_id'])
    const [sent] = network.of('/v2/paymentjobs')
    expect(failed.requestId).toBe(sent?.headers.get('x-request-id'))
    expect(failed.requestId).toMatch(/^[0-9a-f-]{36}$/)
  })

  it.each<[string, (hub: ReturnType<typeof networked>['hub'], id: string) => Promise<unknown>]>([
    ['job-not-found', (hub) => hub.getPaymentJob(crypto.randomUUID())],
    ['job-not-found', (hub) => hub.waitFor('no id/../')],
    ['refund-unpaid', (hub, id) => hub.refund(id)],
    ['capture-not-reserved', (hub, id) => hub.capture(id)],
    ['capture-not-reserved', (hub, id) => hub.release(id)],
  ])('%s is thrown at once', async (code, act) => {
    const { hub } = networked(pos)
    const { paymentJob } = await hub.createPaymentJob(timeless)
    expect(await failureOf(act(hub, paymentJob))).toMatchObject({ code })
  })

  it('a wrong API key is an error at once, and each call requests a token once', async () => {
    const { hub, network } = networked({ apiKey: 'x'.repeat(160) })
    expect(await failureOf(hub.paymentMethods())).toMatchObject({ code: 'api-key-invalid', status: 401 })
    expect(network.sent.map(({ path }) => path)).toEqual(['/v1/guardian'])
  })
})

it('the client sends the given idempotency key, or else a new one for each call', async () => {
  const { hub, network } = networked(pos)
  const [one, other] = [
    await hub.createPaymentJob(timeless, { idempotencyKey: 'k-1' }),
    await hub.createPaymentJob(timeless, { idempotencyKey: 'k-1' }),
  ]
  expect(other.paymentJob).toBe(one.paymentJob)
  const third = await hub.createPaymentJob(timeless)
  expect(third.paymentJob).not.toBe(one.paymentJob)
  const keys = network.of('/v2/paymentjobs').map(({ headers }) => headers.get('idempotency-key'))
  expect(keys.slice(0, 2)).toEqual(['k-1', 'k-1'])
  expect(keys[2]).toMatch(/^[0-9a-f-]{36}$/)
})

describe('a create', () => {
  it('whose answers are lost makes only one job, with the same key, body and request id in each try', async () => {
    const { hub, network } = networked(pos)
    network.fault = times(2, isCreate, answerLost)
    const job = await hub.createPaymentJob(timeless)
    const tries = network.of('/v2/paymentjobs')
    expect(tries).toHaveLength(3)
    expect(new Set(tries.map(({ body }) => body)).size).toBe(1)
    expect(new Set(tries.map(({ headers }) => headers.get('idempotency-key'))).size).toBe(1)
    expect(new Set(tries.map(({ headers }) => headers.get('x-request-id'))).size).toBe(1)
    expect((await hub.getPaymentJob(job)).payments.steps).toHaveLength(1)
  })

  it.each([500, 502, 503, 429])('that is answered %i is sent again', async (status) => {
    const { hub, network } = networked(pos)
    network.fault = times(1, isCreate, () => answered(status, { status, code: 'unavailable' }))
    await hub.createPaymentJob(timeless)
    expect(network.of('/v2/paymentjobs')).toHaveLength(2)
  })

  it('that is refused is not sent again', async () => {
    const { hub, network } = networked(pos)
    await failureOf(hub.createPaymentJob({ ...timeless, amount: 'much' }))
    expect(network.of('/v2/paymentjobs')).toHaveLength(1)
  })

  it('waits as long as Retry-After says', async () => {
    const { hub, network } = networked(pos)
    await hub.paymentMethods()
    network.fault = times(1, isCreate, () => answered(429, { status: 429 }, { 'retry-after': '2' }))
    await hub.createPaymentJob(timeless)
    expect(pauses).toContain(2000)
  })

  it('that would have to wait longer than its timeout fails at once', async () => {
    const { hub, network } = networked(pos, { timeout: 5000 })
    network.fault = times(9, isCreate, () =>
      answered(429, { status: 429, code: 'rate-limited' }, { 'retry-after': '60' }),
    )
    const failed = await failureOf(hub.createPaymentJob(timeless))
    expect(failed).toMatchObject({ code: 'rate-limited', status: 429, retryAfter: 60 })
    expect(pauses).not.toContain(60_000)
  })
})

describe('a token', () => {
  it('that the hub no longer honours is renewed once for all simultaneous calls', async () => {
    const { hub, network } = networked(pos)
    await hub.paymentMethods()
    const first = network.sent.find(isCall)?.headers.get('authorization')
    network.fault = (sent) =>
      sent.headers.get('authorization') === first
        ? answered(401, { status: 401, code: 'token-invalid', detail: 'ended' })
        : null
    await Promise.all([hub.paymentMethods(), hub.paymentMethods(), hub.paymentMethods()])
    expect(network.of('/v1/guardian')).toHaveLength(2)
  })

  it('that is refused although it is new is an error, and causes no loop', async () => {
    const { hub, network } = networked(pos)
    network.fault = (sent) => (isCall(sent) ? answered(401, { status: 401, code: 'token-invalid' }) : null)
    expect(await failureOf(hub.paymentMethods())).toMatchObject({ code: 'token-invalid', status: 401 })
    expect(network.of('/v2/paymentmethods')).toHaveLength(2)
  })

  it('is renewed some minutes early, and the old one is used meanwhile', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    try {
      const { hub, network } = networked(pos)
      await hub.paymentMethods()
      vi.setSystemTime(Date.now() + (24 * 60 - 5) * 60_000)
      await hub.paymentMethods()
      await vi.waitFor(() => expect(network.of('/v1/guardian')).toHaveLength(2))
      const [one, other] = network.of('/v2/paymentmethods').map(({ headers }) => headers.get('authorization'))
      expect(other).toBe(one)
      await vi.waitFor(async () => {
        await hub.paymentMethods()
        expect(network.sent.at(-1)?.headers.get('authorization')).not.toBe(one)
      })
      expect(network.of('/v1/guardian')).toHaveLength(2)
    } finally {
      vi.useRealTimers()
    }
  })

  it('is used even if the clock is a day ahead', async () => {
    const { hub, network } = networked(pos)
    network.fault = times(1, isGuardian, async (_, reach) => {
      const { token } = await (await reach()).json<{ token: string }>()
      return answered(200, { token, expiration: Math.floor(Date.now() / 1000) - 100 })
    })
    await hub.paymentMethods()
    await hub.paymentMethods()
    expect(network.of('/v1/guardian')).toHaveLength(1)
  })

  it('that the hub does not issue for a while is requested again', async () => {
    const { hub, network } = networked(pos)
    network.fault = times(2, isGuardian, cut)
    await hub.paymentMethods()
    expect(network.of('/v1/guardian')).toHaveLength(3)
  })
})

describe('a call', () => {
  it('reports a network that stays down, with the cause', async () => {
    const { hub, network } = networked(pos, { timeout: 500 })
    await hub.paymentMethods()
    network.fault = cut
    const failed = await failureOf(hub.paymentMethods())
    expect(['no-answer', 'timed-out']).toContain(failed.code)
    expect(failed).toMatchObject({ status: null, requestId: null })
  })

  it('without an answer ends with its timeout', async () => {
    const { hub, network } = networked(pos)
    await hub.paymentMethods()
    network.fault = () => new Promise(() => undefined)
    expect((await failureOf(hub.paymentMethods({ timeout: 300 }))).code).toBe('timed-out')
  })

  it('ends with the reason of its signal, also while it waits to try again', async () => {
    const { hub, network } = networked(pos)
    network.fault = times(9, isCall, () => answered(503, { status: 503 }, { 'retry-after': '20' }))
    const stop = new AbortController()
    setTimeout(() => stop.abort(new Error('the till was closed')), 5000)
    await expect(hub.paymentMethods({ signal: stop.signal })).rejects.toThrow('the till was closed')
    await expect(hub.paymentMethods({ signal: AbortSignal.abort(new Error('at once')) })).rejects.toThrow(
      'at once',
    )
  })

  it("reports an answer that is not the hub's, and follows no redirect", async () => {
    const { hub, network } = networked(pos)
    const html = new Response('<h1>Welcome</h1>', { headers: { 'content-type': 'text/html' } })
    network.fault = times(1, isCall, () => html)
    expect(await failureOf(hub.paymentMethods())).toMatchObject({ code: 'answer-unreadable', status: 200 })
    const headers = { location: 'https://elsewhere.example' }
    network.fault = times(1, isCall, () => new Response(null, { status: 302, headers }))
    expect(await failureOf(hub.paymentMethods())).toMatchObject({ code: 'answer-unreadable', status: 302 })
  })
})

it('a cancel whose answer was lost returns the cancelled job', async () => {
  const { hub, network } = networked(pos)
  const job = await hub.createPaymentJob(timeless)
  network.fault = times(1, ({ path }) => path.endsWith('/cancel'), answerLost)
  expect(await hub.cancel(job)).toMatchObject({ status: 'CANCELLED' })
  const paid = await hub.createPaymentJob(timeless)
  await payAs(paid.payUrl, 'paid')
  expect(await failureOf(hub.cancel(paid))).toMatchObject({ code: 'cancel-too-late', status: 409 })
})

it('a refund whose answer was lost is made once', async () => {
  const { hub, network } = networked(pos)
  const job = await hub.createPaymentJob(timeless)
  await payAs(job.payUrl, 'paid')
  await hub.waitFor(job)
  network.fault = times(2, ({ method, path }) => method === 'POST' && path.endsWith('/refunds'), answerLost)
  const refund = await hub.refund(job, { amount: '1.00' })
  expect(await hub.refunds(job)).toEqual([refund])
})

it('a capture whose answer was lost is made once', async () => {
  const { hub, network } = networked(pos)
  const job = await hub.createPaymentJob(manual)
  await payAs(job.payUrl, 'paid')
  await hub.waitFor(job)
  network.fault = times(2, ({ method, path }) => method === 'POST' && path.endsWith('/captures'), answerLost)
  const { capture } = await hub.capture(job, { amount: '1.00' })
  expect(await hub.captures(job)).toMatchObject([{ capture, amount: '1.00' }])
  const keys = network
    .of(`/v2/paymentjobs/${job.paymentJob}/captures`)
    .map(({ headers }) => headers.get('idempotency-key'))
  expect(new Set(keys.filter((key) => key !== null)).size).toBe(1)
})

it('a release whose answer was lost returns the job, and one of a captured job is refused', async () => {
  const { hub, network } = networked(pos)
  const job = await hub.createPaymentJob(manual)
  await payAs(job.payUrl, 'paid')
  await hub.waitFor(job)
  network.fault = times(
    1,
    ({ path }) => path.endsWith('/release'),
    async (sent, reach) => {
      await (await reach()).text()
      await vi.waitFor(async () =>
        expect(await hub.getPaymentJob(job)).toMatchObject({ status: 'CANCELLED' }),
      )
      return cut()
    },
  )
  expect(await hub.release(job)).toMatchObject({ status: 'CANCELLED', amountReleased: '12.50' })
  const captured = await hub.createPaymentJob(manual)
  await payAs(captured.payUrl, 'paid')
  await hub.waitFor(captured)
  await hub.capture(captured)
  await hub.waitFor(captured)
  expect(await failureOf(hub.release(captured))).toMatchObject({ code: 'capture-nothing-left', status: 409 })
})
