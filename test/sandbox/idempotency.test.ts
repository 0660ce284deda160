import { expect, it } from 'vitest'
import { ask, choose, get, make, newPayment } from './client.ts'

function post(key: string, changes: object = {}) {
  return ask('POST', '/payments', { ...newPayment, ...changes }, { 'idempotency-key': key })
}

it('gives the same payment again for the same key, and says so', async () => {
  const first = await post('one')
  const second = await post('one')
  expect([first.status, second.status]).toEqual([201, 201])
  expect(first.headers.get('idempotent-replayed')).toBeNull()
  expect(second.headers.get('idempotent-replayed')).toBe('true')
  expect(await second.json()).toEqual(await first.json())
})

it('makes another payment for another key, and for each request without one', async () => {
  const ids = [
    await make({}, { 'idempotency-key': 'left' }),
    await make({}, { 'idempotency-key': 'right' }),
    await make(),
    await make(),
  ].map(({ id }) => id)
  expect(new Set(ids).size).toBe(4)
})

it.each([
  ['amount', { amount: { currency: 'EUR', value: '12.51' } }],
  ['description', { description: 'A-8' }],
  ['webhook', { webhookUrl: 'https://shop.nl/other' }],
  ['metadata', { metadata: { order: 8 } }],
])('refuses a key that comes again with another %s, and keeps the payment', async (what, changes) => {
  const { id } = await make({}, { 'idempotency-key': `other-${what}` })
  const before = await get(id)
  const answer = await post(`other-${what}`, changes)
  expect(answer.status).toBe(400)
  expect(await answer.json()).toMatchObject({
    status: 400,
    title: 'Bad Request',
    detail: expect.stringContaining('idempotency key'),
  })
  expect(await get(id)).toEqual(before)
})

it('makes one payment of ten requests at once', async () => {
  const answers = await Promise.all(Array.from({ length: 10 }, () => post('ten')))
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 201))
  const payments = await Promise.all(answers.map((answer) => answer.json<{ id: string }>()))
  expect(new Set(payments.map(({ id }) => id)).size).toBe(1)
  const replayed = answers.filter((answer) => answer.headers.get('idempotent-replayed') === 'true')
  expect(replayed).toHaveLength(9)
})

it('does not open a paid payment again', async () => {
  const { id } = await make({}, { 'idempotency-key': 'paid' })
  await choose(id, 'paid')
  expect(await (await post('paid')).json()).toMatchObject({ id, status: 'paid' })
})
