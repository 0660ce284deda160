import { afterEach, describe, expect, it, vi } from 'vitest'
import { ask, choose, get, make } from './client.ts'

afterEach(() => {
  vi.useRealTimers()
})

function eur(value: string) {
  return { currency: 'EUR', value }
}
async function paid(): Promise<string> {
  const { id } = await make()
  await choose(id, 'paid')
  return id
}

type Shown = { id: string; status: string; [member: string]: unknown }
function refund(id: string, body: object | string, headers = {}) {
  return ask('POST', `/payments/${id}/refunds`, body, headers)
}

describe("the refunds of the sandbox's API", () => {
  it('are made, shown, listed with the newest first, and counted', async () => {
    const id = await paid()
    const answer = await refund(id, {
      amount: eur('5.00'),
      description: 'A shirt',
      metadata: { refund: 'r1' },
    })
    expect(answer.status).toBe(201)
    const first = await answer.json<Shown>()
    expect(first).toMatchObject({
      resource: 'refund',
      mode: 'test',
      paymentId: id,
      status: 'pending',
      amount: eur('5.00'),
      description: 'A shirt',
      metadata: { refund: 'r1' },
    })
    await refund(id, { amount: eur('7.50') })
    expect(await (await ask('GET', `/payments/${id}/refunds/${first.id}`)).json()).toEqual(first)
    const list = await (await ask('GET', `/payments/${id}/refunds?limit=250`)).json()
    expect(list).toMatchObject({
      count: 2,
      _embedded: { refunds: [{ amount: eur('7.50') }, { amount: eur('5.00') }] },
    })
    expect(await get(id)).toMatchObject({
      status: 'paid',
      amountRefunded: eur('12.50'),
      amountRemaining: eur('0.00'),
    })
  })

  it('are pending for half a minute, and then refunded', async () => {
    const id = await paid()
    const made = await (await refund(id, { amount: eur('5.00') })).json<Shown>()
    const statusOf = async () =>
      (await (await ask('GET', `/payments/${id}/refunds/${made.id}`)).json<Shown>()).status
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 25_000 })
    expect(await statusOf()).toBe('pending')
    vi.setSystemTime(Date.now() + 6000)
    expect(await statusOf()).toBe('refunded')
  })

  it('are made once under a key', async () => {
    const id = await paid()
    const key = { 'idempotency-key': crypto.randomUUID() }
    const answers = await Promise.all([1, 2, 3].map(() => refund(id, { amount: eur('5.00') }, key)))
    const ids = await Promise.all(answers.map(async (answer) => (await answer.json<Shown>()).id))
    expect(new Set(ids).size).toBe(1)
    expect((await refund(id, { amount: eur('5.00') }, key)).headers.get('idempotent-replayed')).toBe('true')
    expect((await refund(id, { amount: eur('6.00') }, key)).status).toBe(400)
    expect(await get(id)).toMatchObject({ amountRefunded: eur('5.00') })
  })

  it.each([
    [{}, 'amount', 'The refund is missing or invalid'],
    [{ amount: { currency: 'EUR' } }, 'amount.value', 'The refund is missing or invalid'],
    [{ amount: eur('1.00'), description: 7 }, 'description', 'The refund is missing or invalid'],
    [{ amount: eur('1.005') }, 'amount', 'The amount contains an invalid value'],
  ])('with %j are refused in words, and the field is named', async (body, field, detail) => {
    expect(await (await refund(await paid(), body)).json()).toMatchObject({ status: 422, field, detail })
  })

  it.each([
    [{ amount: eur('12.51') }],
    [{ amount: eur('0.00') }],
    [{ amount: eur('-1.00') }],
    [{ amount: eur('1.005') }],
    [{ amount: { currency: 'USD', value: '1.00' } }],
    [{ amount: '1.00' }],
    [{}],
    [{ amount: eur('1.00'), description: 'x'.repeat(256) }],
  ])('are refused with %j, again and again', async (body) => {
    const id = await paid()
    expect((await refund(id, body)).status).toBe(422)
    expect((await refund(id, body)).status).toBe(422)
    expect(await get(id)).not.toHaveProperty('amountRefunded')
  })

  it('are refused of a payment that is not paid, or not there, and without JSON', async () => {
    const { id } = await make()
    expect((await refund(id, { amount: eur('1.00') })).status).toBe(422)
    expect((await refund('tr_00000000000000000000', { amount: eur('1.00') })).status).toBe(404)
    expect((await ask('GET', '/payments/tr_00000000000000000000/refunds')).status).toBe(404)
    expect((await ask('GET', `/payments/${id}/refunds/re_1`)).status).toBe(404)
    expect((await refund(id, '{')).status).toBe(400)
    expect((await refund(id, '{')).status).toBe(400)
  })
})

describe("the captures of the sandbox's API", () => {
  const reserved = async (): Promise<string> => {
    const { id } = await make()
    await choose(id, 'authorized')
    return id
  }
  const capture = (id: string, body: object = {}) => ask('POST', `/payments/${id}/captures`, body)

  it('take what is reserved, once', async () => {
    const id = await reserved()
    const answer = await capture(id, { amount: eur('12.50') })
    expect([answer.status, await answer.json()]).toMatchObject([
      201,
      { resource: 'capture', mode: 'test', paymentId: id, amount: eur('12.50'), status: 'succeeded' },
    ])
    expect(await get(id)).toMatchObject({ status: 'paid', amountCaptured: eur('12.50') })
    expect((await capture(id)).status).toBe(422)
  })

  it('may take a part: what is left is released, and cannot be refunded', async () => {
    const id = await reserved()
    await capture(id, { amount: eur('5.00') })
    expect(await get(id)).toMatchObject({ amountCaptured: eur('5.00'), amountRemaining: eur('5.00') })
    expect((await refund(id, { amount: eur('5.01') })).status).toBe(422)
  })

  it.each([
    { amount: eur('12.51') },
    { amount: eur('0.00') },
    { amount: { currency: 'USD', value: '1.00' } },
  ])('are refused with %j', async (body) => {
    const id = await reserved()
    expect((await capture(id, body)).status).toBe(422)
    expect(await get(id)).toHaveProperty('status', 'authorized')
  })

  it('are refused of a payment that is not reserved', async () => {
    expect((await capture(await paid())).status).toBe(422)
    expect((await capture('tr_00000000000000000000')).status).toBe(404)
  })
})
