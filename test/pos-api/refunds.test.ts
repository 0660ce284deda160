import { describe, expect, it, vi } from 'vitest'
import { ADAPTERS } from '../../src/psp/adapters.ts'
import { SILENT_PSP } from '../../src/psp/connect.ts'
import type { Adapter } from '../../src/psp/port.ts'
import { readJob, send } from '../support/hub.ts'
import { stored } from '../support/job.ts'
import { loggedOf } from '../support/logged.ts'
import { expectProblem, refundingShop } from './refunding-shop.ts'

const { shop, paidJob, ask, refund, refundsOf, untilSettled, atMollie, refundedThere, untilRefunded } =
  refundingShop()

describe('a refund', () => {
  it('of a part is taken by the PSP, told with the job and its trace, and reported', async () => {
    const id = await paidJob()
    await vi.waitFor(() => expect(shop.world.reportsOf(id)).toEqual(['SUCCESS']))
    const response = await ask(id, { amount: '5.00', description: 'A shirt came back' })
    expect(response.status).toBe(201)
    expect(response.headers.get('x-signature')).toMatch(/^[0-9a-f]{128}$/)
    expect(await response.json()).toEqual({
      refund: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
      paymentJob: id,
      created: expect.stringMatching(/^\d{4}-.*\.\d{6}Z$/) as string,
      currency: 'EUR',
      amount: '5.00',
      description: 'A shirt came back',
      status: 'PENDING',
      error: null,
    })
    await untilRefunded(id, '5.00')
    const job = await readJob(shop.token, id)
    expect(job).toMatchObject({ status: 'SUCCESS', amountPaid: '12.50', amountDue: '0.00' })
    expect(job.payments.steps.at(-1)).toMatchObject({ action: 'Refund', amountRefunded: '5.00' })
    await vi.waitFor(() => expect(shop.world.reportsOf(id)).toEqual(['SUCCESS', 'SUCCESS']))
  })

  it('of the whole rest needs neither an amount nor a body', async () => {
    const id = await paidJob()
    expect(await refund(id, { amount: 5 })).toMatchObject({ amount: '5.00' })
    expect(await refund(id, null)).toMatchObject({ amount: '7.50', status: 'PENDING' })
    await untilRefunded(id, '12.50')
  })

  it.each<[string, RequestInit]>([
    ['no body', {}],
    ['an empty body', { body: '' }],
    ['an empty body that is called JSON', { body: '', headers: { 'content-type': 'application/json' } }],
  ])('of the whole is asked for with %s', async (_, init) => {
    const id = await paidJob()
    const headers = new Headers(init.headers)
    headers.set('authorization', `Bearer ${shop.token}`)
    const response = await send(`/v2/paymentjobs/${id}/refunds`, { ...init, method: 'POST', headers })
    expect(response.status).toBe(201)
    expect(await response.json()).toMatchObject({ amount: '12.50' })
  })

  it('is SUCCESS once the PSP says that the money went back', async () => {
    const id = await paidJob()
    await refund(id)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
    shop.world.fake.endRefunds(id, 'refunded')
    await untilSettled(id)
    expect(await refundsOf(id)).toMatchObject([{ amount: '12.50', status: 'SUCCESS', error: null }])
  })

  it('stays PENDING where the hub fails while it asks the PSP, and is looked up later', async () => {
    const id = await paidJob()
    const errors = vi.spyOn(console, 'error').mockReturnValue()
    vi.spyOn(ADAPTERS['mollie'] as Adapter, 'open').mockImplementationOnce(() => ({
      ...SILENT_PSP,
      refund: () => Promise.reject(new Error('a fault of the hub')),
    }))
    expect(await refund(id)).toMatchObject({ status: 'PENDING', error: null })
    expect(loggedOf(errors, id)).toMatchObject([{ event: 'psp.refund-failed' }])
    expect(atMollie(id)).toEqual([])
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
    await untilSettled(id)
    expect(await refundsOf(id)).toMatchObject([{ status: 'FAILURE' }])
  })

  it('is taken also where the payment cannot be looked at afterwards, and the log says so', async () => {
    const id = await paidJob()
    const errors = vi.spyOn(console, 'error').mockReturnValue()
    const { open } = ADAPTERS['mollie'] as Adapter
    vi.spyOn(ADAPTERS['mollie'] as Adapter, 'open').mockImplementation((...args) => ({
      ...open(...args),
      ask: () => Promise.reject(new Error('a fault of the hub')),
    }))
    expect(await refund(id)).toMatchObject({ status: 'PENDING', error: null })
    await vi.waitFor(() =>
      expect(loggedOf(errors, id)).toMatchObject([{ event: 'job.duty-failed', duty: 'ask' }]),
    )
  })

  it('that fails later is told, and its money can be refunded again', async () => {
    const id = await paidJob()
    await refund(id)
    await untilRefunded(id, '12.50')
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
    shop.world.fake.endRefunds(id, 'failed')
    await untilSettled(id)
    expect(await refundsOf(id)).toMatchObject([{ status: 'FAILURE', error: expect.any(String) as string }])
    expect(await readJob(shop.token, id)).not.toHaveProperty('amountRefunded')
    expect(await refund(id)).toMatchObject({ amount: '12.50' })
  })

  it('made at the PSP itself is found when the PSP notifies, and counts', async () => {
    const id = await paidJob()
    const payment = shop.world.fake.payments.find(({ job }) => job === id)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 })
    refundedThere(id, '3.00')
    const body = new URLSearchParams({ id: payment?.id ?? '' })
    const { account } = await stored(id)
    await send(`/notifications/${account}/${id}`, { method: 'POST', body })
    expect(await readJob(shop.token, id)).toMatchObject({ amountRefunded: '3.00' })
    await expectProblem(await ask(id, { amount: '9.51' }), 422, {
      field: 'amount',
      error: 'must be at most 9.50',
    })
  })
})

describe('however often and by how many it is asked for', () => {
  it('the same Idempotency-Key is the same refund, at the PSP too', async () => {
    const id = await paidJob()
    const key = { 'idempotency-key': 'return-77' }
    const first = await refund(id, { amount: '5.00' }, key)
    const answers = await Promise.all(Array.from({ length: 5 }, () => refund(id, { amount: '5.00' }, key)))
    expect(new Set(answers.map((answer) => answer.refund))).toEqual(new Set([first.refund]))
    expect(atMollie(id)).toHaveLength(1)
    await expectProblem(await ask(id, { amount: '6.00' }, key), 422, {
      field: 'Idempotency-Key',
      detail: 'This Idempotency-Key was used before, for another refund.',
    })
  })

  it('ten clients at once get no more than was paid', async () => {
    const id = await paidJob()
    const answers = await Promise.all(Array.from({ length: 10 }, () => ask(id, { amount: '2.00' })))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(6)
    expect(answers.filter(({ status }) => status === 422)).toHaveLength(4)
    expect(atMollie(id)).toHaveLength(6)
    await untilRefunded(id, '12.00')
    expect(await refundsOf(id)).toHaveLength(6)
  })

  it('a refund whose answer was lost is asked for once, and found again', async () => {
    const id = await paidJob()
    shop.world.fault = async (request) => {
      const response = await shop.world.fake.handle(request)
      return request.method === 'POST' ? new Response('<h1>Bad Gateway</h1>', { status: 502 }) : response
    }
    const key = { 'idempotency-key': 'return-78' }
    expect(await refund(id, {}, key)).toMatchObject({ status: 'PENDING' })
    expect(await refund(id, {}, key)).toMatchObject({ status: 'PENDING' })
    shop.world.fault = null
    expect(atMollie(id)).toHaveLength(1)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
    shop.world.fake.endRefunds(id, 'refunded')
    await untilSettled(id)
    expect(await refundsOf(id)).toMatchObject([{ status: 'SUCCESS' }])
    expect(await readJob(shop.token, id)).toMatchObject({ amountRefunded: '12.50' })
    expect(atMollie(id)).toHaveLength(1)
  })

  it('a refund that never reached the PSP fails after some minutes, and holds up no other', async () => {
    const id = await paidJob()
    shop.world.fault = () => Promise.reject(new TypeError('network'))
    expect(await refund(id)).toMatchObject({ status: 'PENDING' })
    await expectProblem(await ask(id), 409, { status: 409 })
    shop.world.fault = null
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
    await untilSettled(id)
    expect(await refundsOf(id)).toMatchObject([{ status: 'FAILURE' }])
    expect(await refund(id)).toMatchObject({ status: 'PENDING' })
  })
})
