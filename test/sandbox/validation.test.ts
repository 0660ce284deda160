import { expect, it } from 'vitest'
import { ask, newPayment } from './client.ts'

function amount(currency: unknown, value: unknown) {
  return { amount: { currency, value } }
}

it.each([
  ['no amount', { amount: undefined }, 'amount'],
  ['an amount that is a number', { amount: 12.5 }, 'amount'],
  ['no currency', amount(undefined, '12.50'), 'amount.currency'],
  ['an unknown currency', amount('XXX', '12.50'), 'amount.currency'],
  ['a currency in small letters', amount('eur', '12.50'), 'amount.currency'],
  ['no value', amount('EUR', undefined), 'amount.value'],
  ['a value that is a number', amount('EUR', 12.5), 'amount.value'],
  ['nothing to pay', amount('EUR', '0.00'), 'amount'],
  ['a negative value', amount('EUR', '-1.00'), 'amount'],
  ['a value with a comma', amount('EUR', '12,50'), 'amount'],
  ['more decimals than the currency has', amount('EUR', '12.505'), 'amount'],
  ['decimals in a currency without', amount('JPY', '12.50'), 'amount'],
  ['no description', { description: undefined }, 'description'],
  ['an empty description', { description: '' }, 'description'],
  ['a description of 256 characters', { description: 'x'.repeat(256) }, 'description'],
  ['no way back', { redirectUrl: undefined }, 'redirectUrl'],
  ['a way back that is no address', { redirectUrl: '/thanks' }, 'redirectUrl'],
  ['a way back that is a script', { redirectUrl: 'javascript:alert(1)' }, 'redirectUrl'],
  ['a way back after cancelling that is a script', { cancelUrl: 'javascript:alert(1)' }, 'cancelUrl'],
  ['a webhook that is no address', { webhookUrl: 'webhook' }, 'webhookUrl'],
  ['a method that is no text', { method: ['ideal'] }, 'method'],
  ['a locale that is only a language', { locale: 'nl' }, 'locale'],
])('a payment with %s is refused, and the field is named', async (_, changes, field) => {
  const answer = await ask('POST', '/payments', { ...newPayment, ...changes })
  expect(answer.status).toBe(422)
  expect(answer.headers.get('content-type')).toBe('application/hal+json')
  expect(await answer.json()).toEqual({
    status: 422,
    title: 'Unprocessable Entity',
    detail: expect.stringContaining(`The ${field} is missing or invalid: `),
    field,
    _links: {},
  })
})

it('a description of 255 characters is accepted', async () => {
  const answer = await ask('POST', '/payments', { ...newPayment, description: 'x'.repeat(255) })
  expect(answer.status).toBe(201)
})

it.each([
  ['cut off', '{"amount":', {}],
  ['a list', '[]', {}],
  ['empty', '', {}],
  ['longer than 64 KiB', JSON.stringify({ ...newPayment, metadata: 'x'.repeat(65_536) }), {}],
  ['sent as text', JSON.stringify(newPayment), { 'content-type': 'text/plain' }],
])('a body that is %s is refused', async (_, body, headers) => {
  const answer = await ask('POST', '/payments', body, headers)
  expect(answer.status).toBe(400)
  expect(await answer.json()).toEqual({
    status: 400,
    title: 'Bad Request',
    detail: 'The request body could not be read as JSON',
    _links: {},
  })
})
