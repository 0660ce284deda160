import * as v from 'valibot'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { HubError } from '../../src/client/client.ts'
import { CreatedPaymentJob, PaymentJob, PaymentJobList } from '../../src/contract/payment-job.ts'
import { PaymentMethods } from '../../src/contract/payment-methods.ts'
import { Refund } from '../../src/contract/refund.ts'
import { makePos, payAs, type Pos } from '../support/hub.ts'
import { receiver } from '../support/receiver.ts'
import { networked, timeless } from './hub-double.ts'

let pos: Pos
beforeEach(async () => {
  receiver()
  pos = await makePos()
})
afterEach(() => vi.restoreAllMocks())

function failureOf(promise: Promise<unknown>): Promise<HubError> {
  return promise.then(
    () => expect.fail('the call succeeded'),
    (error: unknown) => (error instanceof HubError ? error : Promise.reject(error as Error)),
  )
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

it('does not look at a job whose cancelling was refused for another reason than that it is late', async () => {
  const { hub, network } = networked(pos)
  const id = crypto.randomUUID()
  expect(await failureOf(hub.cancel(id))).toMatchObject({ code: 'job-not-found' })
  expect(network.of(`/v2/paymentjobs/${id}`)).toEqual([])
})

it('gets one token for all calls, also for those that come together', async () => {
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
  ])('%s is told at once', async (code, act) => {
    const { hub } = networked(pos)
    const { paymentJob } = await hub.createPaymentJob(timeless)
    expect(await failureOf(act(hub, paymentJob))).toMatchObject({ code })
  })

  it('a wrong API key is told at once, and asked for once by each call', async () => {
    const { hub, network } = networked({ apiKey: 'x'.repeat(160) })
    expect(await failureOf(hub.paymentMethods())).toMatchObject({ code: 'api-key-invalid', status: 401 })
    expect(network.sent.map(({ path }) => path)).toEqual(['/v1/guardian'])
  })
})

it('an idempotency key that is given is the one that is sent; else each call has a new one', async () => {
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
